import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

const INVOICES = `UNNEST(ARRAY<STRUCT<country STRING, customer STRING>>[
  ('UA', 'c1'), ('BR', 'c3'), ('CZ', 'c2'), ('CZ', 'c2'), ('BR', 'c3'), ('UA', 'c2'), ('DE', NULL)])`;
const BY_COUNTRY = `(SELECT country, HLL_COUNT.INIT(customer) AS sketch FROM ${INVOICES} GROUP BY country)`;
const numbers = (from: number, to: number, bits: number) =>
  `(SELECT HLL_COUNT.INIT(x, ${bits}) AS sketch FROM UNNEST(GENERATE_ARRAY(${from}, ${to})) AS x)`;

describe('HLL_COUNT on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    [
      `SELECT STRING_AGG(country || HLL_COUNT.EXTRACT(sketch), ' ' ORDER BY country) FROM ${BY_COUNTRY}`,
      '"BR1 CZ1 DE0 UA2"',
    ],
    [`SELECT STRING_AGG(country) FROM ${BY_COUNTRY} WHERE sketch IS NULL`, '"DE"'],
    [`SELECT HLL_COUNT.MERGE(sketch) FROM ${BY_COUNTRY}`, '3'],
    [`SELECT HLL_COUNT.EXTRACT(HLL_COUNT.MERGE_PARTIAL(sketch)) FROM ${BY_COUNTRY}`, '3'],
    [`SELECT HLL_COUNT.MERGE(sketch) FROM ${BY_COUNTRY} WHERE FALSE`, '0'],
    [`SELECT HLL_COUNT.MERGE(sketch) FROM ${BY_COUNTRY} WHERE country = 'DE'`, '0'],
    [`SELECT HLL_COUNT.MERGE_PARTIAL(sketch) FROM ${BY_COUNTRY} WHERE country = 'DE'`, 'null'],
    ['SELECT HLL_COUNT.EXTRACT(NULL)', '0'],
    ["SELECT HLL_COUNT.EXTRACT(HLL_COUNT.INIT(x)) FROM UNNEST([b'', b'a', b'', NULL]) AS x", '2'],
    ["SELECT HLL_COUNT.EXTRACT(HLL_COUNT.INIT(x)) FROM UNNEST([NUMERIC '1', 1.0, 2.5]) AS x", '2'],
    [`SELECT HLL_COUNT.EXTRACT(sketch) FROM ${numbers(1, 20_000, 15)}`, '20000'],
    [
      `SELECT HLL_COUNT.MERGE(sketch) FROM (SELECT * FROM ${numbers(1, 700, 10)} UNION ALL SELECT * FROM ${numbers(500, 900, 14)})`,
      '900',
    ],
    [
      `SELECT HLL_COUNT.EXTRACT(HLL_COUNT.INIT(x)) FROM UNNEST([1, 2, 3]) AS x GROUP BY ROLLUP (x > 1) ORDER BY 1 DESC LIMIT 1`,
      '3',
    ],
  ])('%s is %s', async (query, expected) => {
    expect(await evaluator.evaluate(query)).toBe(expected);
  });

  test.each([10, 12, 15])(
    'estimates more values than 2^%i, with the error of that precision',
    async (bits) => {
      const count = 40_000;
      const estimate = Number(
        await evaluator.evaluate(`SELECT HLL_COUNT.EXTRACT(sketch) FROM ${numbers(1, count, bits)}`),
      );
      expect(Math.abs(estimate - count)).toBeLessThan((4 * count) / 2 ** (bits / 2));
      // Sketches of parts make the sketch of all.
      const parts = `(SELECT * FROM ${numbers(1, 25_000, bits)} UNION ALL SELECT * FROM ${numbers(20_000, count, bits)})`;
      expect(await evaluator.evaluate(`SELECT HLL_COUNT.MERGE(sketch) FROM ${parts}`)).toBe(String(estimate));
    },
  );

  test.each([
    ["HLL_COUNT.EXTRACT(b'abc')", 'Invalid or incompatible sketch in HLL_COUNT.EXTRACT'],
    ["HLL_COUNT.EXTRACT(b'')", 'Invalid or incompatible sketch'],
    [
      `SELECT HLL_COUNT.MERGE(sketch) FROM (SELECT HLL_COUNT.INIT('a') AS sketch FROM UNNEST([1]) UNION ALL SELECT * FROM ${numbers(1, 2, 10)})`,
      'Invalid or incompatible sketch in HLL_COUNT.MERGE',
    ],
    ['SELECT HLL_COUNT.INIT(x, 9) FROM UNNEST([1]) AS x', 'must be between 10 and 24'],
    ['SELECT HLL_COUNT.INIT(x, x) FROM UNNEST([1]) AS x', 'must be a literal or query parameter'],
    ['SELECT HLL_COUNT.INIT(x) FROM UNNEST([1.5]) AS x', 'No matching signature'],
    ['SELECT HLL_COUNT.INIT(DISTINCT x) FROM UNNEST([1]) AS x', 'DISTINCT'],
  ])('%s is an error', async (query, message) => {
    expect(await evaluator.fail(query)).toContain(message);
  });
});
