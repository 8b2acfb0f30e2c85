import { describe, expect, test } from '@jest/globals';
import { functionNames, operatorNames } from '../../../../../../shared/sql/functions/catalog.ts';
import { isEmitted } from '../../../../../../shared/warehouse/duckdb/translate/functions/emit.ts';
import { UNSUPPORTED } from '../../../../../../shared/warehouse/duckdb/translate/functions/unsupported.ts';
import { openEvaluator } from './support/evaluator.ts';

const NAMES = [...functionNames(), ...operatorNames()];

describe('The catalogue and what DuckDB computes', () => {
  test('every function that has no translation is listed as unsupported, and no other', () => {
    expect(NAMES.filter((name) => !isEmitted(name)).toSorted()).toEqual([...UNSUPPORTED].toSorted());
  });

  test('unsupported functions are in the catalogue, once each', () => {
    expect(UNSUPPORTED.filter((name) => !NAMES.includes(name))).toEqual([]);
    expect(new Set(UNSUPPORTED).size).toBe(UNSUPPORTED.length);
  });

  test.each([
    ["SOUNDEX('a')", 'not supported by the embedded engine: SOUNDEX'],
    ["NET.REG_DOMAIN('a')", 'not supported by the embedded engine: NET.REG_DOMAIN'],
    ["REGEXP_EXTRACT('a', '(b*)?a')", 'not supported by the embedded engine: REGEXP_EXTRACT'],
    ["FORMAT_DATE(CONCAT('%', 'F'), DATE '2024-01-01')", 'not supported by the embedded engine: FORMAT_DATE'],
    ["BIGNUMERIC '1' / BIGNUMERIC '3'", 'not supported by the embedded engine: / on BIGNUMERIC'],
  ])('%s is refused by name', async (googleSql, message) => {
    const evaluator = await openEvaluator();
    expect(await evaluator.fail(googleSql)).toContain(message);
    evaluator.close();
  });
});
