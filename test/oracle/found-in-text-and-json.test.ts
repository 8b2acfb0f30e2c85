import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Evaluator,
  openEvaluator,
} from '../shared/warehouse/duckdb/translate/functions/support/evaluator.ts';

/** Queries that `npm run fuzz:values` found in text, BYTES, JSON and arrays, with what Google's evaluator answers. */
describe('What Google’s evaluator found in text and JSON', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    // A text of ASCII letters beside BYTES is BYTES.
    ["b'a' LIKE 'a'", 'true'],
    ["'a' LIKE ANY (b'a', 'b')", 'true'],
    ["'a' LIKE ANY (NULL, b'a')", 'true'],
    ["b'a' NOT LIKE ANY ('a')", 'false'],
    ["NULL LIKE ALL (b'a', 'a')", 'null'],
    ["SELECT x LIKE ANY ('a') FROM UNNEST([b'a']) x", 'true'],
    ["b'a' = 'a'", 'true'],
    ["b'a' IN ('a', b'c')", 'true'],
    ["b'a' IN UNNEST(['a'])", 'true'],
    ["CONCAT(b'a', 'a')", '"YWE="'],
    ["REPLACE('a', b'a', 'c')", '"Yw=="'],
    ["REGEXP_CONTAINS(b'abc', 'b')", 'true'],
    ["['a', b'b']", '["YQ==","Yg=="]'],
    ["TO_HEX('abc')", '"616263"'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    [String.raw`b'\xff' LIKE '\xff'`, 'No matching signature for operator LIKE'],
    ["SELECT x LIKE y FROM UNNEST([b'a']) x, UNNEST(['a']) y", 'No matching signature for operator LIKE'],
    ["'abc' IN (SELECT b'abc')", 'No matching signature for operator IN'],
    ["'2024-01-01' IN (SELECT DATE '2024-01-01')", 'No matching signature for operator IN'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
