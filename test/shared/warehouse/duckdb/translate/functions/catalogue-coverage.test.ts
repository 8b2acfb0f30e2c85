import { describe, expect, test } from '@jest/globals';
import { AGGREGATES } from '../../../../../../shared/lql/keywords.ts';
import { findFunction, operatorNames } from '../../../../../../shared/sql/functions/catalog.ts';
import {
  isTranslated,
  unsupportedFunctions,
} from '../../../../../../shared/warehouse/duckdb/translate/functions/translate-call.ts';
import { typesOf } from '../../../../../scaling/support/values.ts';
import { EDGE_VALUES } from './support/edge-values.ts';
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

  test.each(unsupportedFunctions())('%s, which has no translation, is refused by name', async (name) => {
    const evaluator = await openEvaluator();
    const [signature] = findFunction(name)?.signatures ?? [];
    const list = signature?.arguments.map(({ pattern }) => EDGE_VALUES[typesOf(pattern)[0] ?? '']?.[0] ?? '');
    const query = `SELECT ${name}(${list?.join(', ')}) FROM UNNEST([1])`;
    expect(await evaluator.fail(query)).toBe(`not supported by the embedded engine: ${name}`);
    evaluator.close();
  });

  test.each([
    ["NET.REG_DOMAIN('a')", 'not supported by the embedded engine: NET.REG_DOMAIN'],
    [String.raw`REGEXP_EXTRACT('a', r'\C')`, 'not supported by the embedded engine: REGEXP_EXTRACT'],
    ["BIGNUMERIC '1' / BIGNUMERIC '3'", 'not supported by the embedded engine: / on BIGNUMERIC'],
  ])('%s is refused by name', async (googleSql, message) => {
    const evaluator = await openEvaluator();
    expect(await evaluator.fail(googleSql)).toContain(message);
    evaluator.close();
  });
});
