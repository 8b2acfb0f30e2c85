import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('ERROR on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ["error('out of stock')", 'out of stock'],
    ["error(concat('bad ', 'value'))", 'bad value'],
    ["error('it\\'s to INT32\\n')", "it's to INT32\n"],
    ['error(cast(null as string))', 'ERROR was called with no text, or with NULL'],
    ["error('')", 'ERROR was called with no text, or with NULL'],
    ["coalesce(error('first'), struct(1.5 as a))", 'first'],
    ["[error('in an array'), date '2020-01-01']", 'in an array'],
    ["error('an operand') + 1", 'an operand'],
    ["if(false, 'a', error('otherwise'))", 'otherwise'],
  ])('%s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toBe(message);
  });

  test.each([
    ["if(true, 'a', error('x'))", '"a"'],
    ["if(true, [1], error('x'))", '[1]'],
    ["case when true then struct(1 as a) else error('x') end", '{"a":1}'],
    ["coalesce(1, error('x'))", '1'],
    ["safe.error('x')", 'null'],
    ["(select sum(if(x > 5, error('const'), x)) from unnest([1, 2]) as x)", '3'],
    ["(select sum(if(x > 5, error(concat('bad', cast(x as string))), x)) from unnest([1, 2]) as x)", '3'],
  ])('%s is %s, as no row reaches the error', async (googleSql, value) => {
    expect(await evaluator.evaluate(googleSql)).toBe(value);
  });

  test('quotes the beginning of a long text', async () => {
    expect((await evaluator.fail("error(repeat('ab', 5000))")).length).toBeLessThan(1000);
  });
});
