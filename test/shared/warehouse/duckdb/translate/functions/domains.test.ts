import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL public suffixes and registered domains on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['', null, null],
    ['http://abc.xyz', 'xyz', 'abc.xyz'],
    ['//user:password@a.b:80/path?query', null, null],
    ['https://[::1]:80', null, null],
    ['http://1.2.3.4/', null, null],
    ['http://例子.卷筒纸.中国', '中国', '卷筒纸.中国'],
    ['    www.Example.Co.UK    ', 'Co.UK', 'Example.Co.UK'],
    ['mailto:?to=&subject=&body=', null, null],
    ['http://a.github.io', 'io', 'github.io'],
    ['co.uk', 'co.uk', null],
    ['localhost', null, null],
    ['a.b.c.d.com', 'com', 'd.com'],
    ['.com', 'com', null],
    ['a..com', 'com', null],
    ['a.b..c.co.uk', 'co.uk', 'c.co.uk'],
    ['a.com..', 'com.', 'a.com.'],
    ['.', null, null],
    ['www.city.kawasaki.jp', 'kawasaki.jp', 'city.kawasaki.jp'],
    ['a.b.kawasaki.jp', 'b.kawasaki.jp', 'a.b.kawasaki.jp'],
    ['kawasaki.jp', 'jp', 'kawasaki.jp'],
    ['x.ck', 'x.ck', null],
    ['www.ck', 'ck', 'www.ck'],
    ['ck', 'ck', null],
    ['a.xn--fiqs8s', 'xn--fiqs8s', 'a.xn--fiqs8s'],
    ['A.栃木.JP', '栃木.JP', 'A.栃木.JP'],
    ['a_b.com', 'com', 'a_b.com'],
    ['-é.com', null, null],
    [`${'é'.repeat(57)}.com`, 'com', `${'é'.repeat(57)}.com`],
    [`${'é'.repeat(58)}.com`, null, null],
  ])('of %j are %j and %j', async (url, suffix, domain) => {
    const text = JSON.stringify(url);
    expect(await evaluator.evaluate(`[net.public_suffix(${text}), net.reg_domain(${text})]`)).toBe(
      JSON.stringify([suffix, domain]),
    );
  });

  test('are refused by name for letters that no domain name has', async () => {
    expect(await evaluator.fail("net.reg_domain('a。com')")).toContain(
      'not supported by the embedded engine: public suffixes of a host with letters',
    );
    expect(await evaluator.evaluate("safe.net.reg_domain('www.a.com')")).toBe('"a.com"');
  });
});
