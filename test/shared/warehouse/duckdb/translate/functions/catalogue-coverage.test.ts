import { describe, expect, test } from '@jest/globals';
import { AGGREGATES } from '../../../../../../shared/lql/keywords.ts';
import { findFunction, operatorNames } from '../../../../../../shared/sql/functions/catalog.ts';
import {
  isTranslated,
  unsupportedFunctions,
} from '../../../../../../shared/warehouse/duckdb/translate/functions/translate-call.ts';
import { openEvaluator } from './support/evaluator.ts';

describe('The catalogue and what DuckDB computes', () => {
  test('every operator has a translation', () => {
    expect(operatorNames().filter((name) => !isTranslated(name))).toEqual([]);
  });

  test('the functions that LQL computes charts by have a translation', () => {
    const names = Object.values(AGGREGATES).map((aggregate) => aggregate.function);
    expect(names.filter((name) => findFunction(name)?.kind !== 'aggregate' || !isTranslated(name))).toEqual(
      [],
    );
  });

  test('every function has a translation', () => {
    expect(unsupportedFunctions()).toEqual([]);
  });

  test.each([
    [String.raw`REGEXP_EXTRACT('a', r'\C')`, 'not supported by the embedded engine: REGEXP_EXTRACT'],
    [
      "BIGNUMERIC '1' / BIGNUMERIC '3'",
      'not supported by the embedded engine: BIGNUMERIC with more than 38 digits',
    ],
  ])('%s is refused by name', async (googleSql, message) => {
    const evaluator = await openEvaluator();
    expect(await evaluator.fail(googleSql)).toContain(message);
    evaluator.close();
  });
});
