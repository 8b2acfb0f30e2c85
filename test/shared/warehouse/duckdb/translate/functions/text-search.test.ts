import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

let evaluator: Evaluator;
beforeAll(async () => {
  evaluator = await openEvaluator();
});
afterAll(() => evaluator.close());

describe('CONTAINS_SUBSTR on DuckDB', () => {
  test.each([
    ["contains_substr('the blue house', 'Blue house')", 'true'],
    ["contains_substr('the blue house', concat('Blue ', 'house'))", 'true'],
    ["contains_substr('the red house', 'blue')", 'false'],
    [String.raw`contains_substr('\u2168', 'IX')`, 'true'],
    ["contains_substr((23, 35, 41), '35')", 'true'],
    ["contains_substr(('abc', ['def', 'ghi', 'jkl'], 'mno'), 'jk')", 'true'],
    ["contains_substr((23, null, 41), '41')", 'true'],
    ["contains_substr((23, null, 41), '35')", 'null'],
    [`contains_substr(json '{"lunch":"soup"}', 'lunch')`, 'false'],
    [`contains_substr(json '{"lunch":"soup"}', 'SOUP')`, 'true'],
    [`contains_substr(json '{"lunch":"soup"}', 'lunch', json_scope => 'JSON_VALUES')`, 'false'],
    [`contains_substr(json '{"lunch":"soup"}', 'lunch', json_scope => 'JSON_KEYS_AND_VALUES')`, 'true'],
    [`contains_substr(json '{"lunch":"soup"}', 'soup', json_scope => 'JSON_KEYS_AND_VALUES')`, 'true'],
    [`contains_substr(json '{"lunch":"soup"}', 'lunch', json_scope => 'JSON_KEYS')`, 'true'],
    [`contains_substr(json '{"lunch":"soup"}', 'soup', json_scope => 'JSON_KEYS')`, 'false'],
    [`contains_substr(json '{"a":[1, {"b": 204}, true]}', '20')`, 'true'],
    [`contains_substr(json '{"a":[1, {"b": 204}, true]}', 'tru')`, 'true'],
    [String.raw`contains_substr(json '{"a":"x\\"y"}', 'x"y')`, 'true'],
    [`contains_substr(json '{"a":"ÀÉ"}', 'àé')`, 'true'],
    [`contains_substr(json '{"a":null}', 'null')`, 'false'],
    ["contains_substr(cast(null as json), 'a')", 'null'],
    [`contains_substr((1, json '{"a":"é"}'), 'É')`, 'true'],
    [`contains_substr([json '"b"', json '"a"'], 'A')`, 'true'],
    ["contains_substr('a', 'A', json_scope => 'JSON_KEYS')", 'true'],
  ])('%s is %s', async (googleSql, expected) => {
    expect(await evaluator.evaluate(googleSql)).toBe(expected);
  });

  test.each([
    ["contains_substr('hello', null)", 'Argument 2 to CONTAINS_SUBSTR must be non-NULL'],
    [
      "select contains_substr('hello', x) from unnest(['a']) as x",
      'Argument 2 to CONTAINS_SUBSTR must be a constant expression',
    ],
    ["contains_substr(json '1', 'a', json_scope => 'KEYS')", 'json_scope must be one of JSON_VALUES'],
    ["contains_substr(json '1', 'a', 'JSON_KEYS')", 'No matching signature'],
    ["contains_substr(b'a', 'a')", 'not supported by the embedded engine: CONTAINS_SUBSTR in BYTES'],
  ])('%s is an error', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});

describe('SEARCH on DuckDB', () => {
  test.each([
    [`'foobar-example', 'foobar example'`, 'true'],
    [`'foobar-example', concat('foo', 'bar')`, 'true'],
    [`'foobar-example', 'foobarexample'`, 'false'],
    [String.raw`'foobar-example', 'foobar\\&example'`, 'true'],
    [String.raw`'foobar-example', r'foobar\&example'`, 'true'],
    ["'foobar-example', '`foobar&example`'", 'false'],
    ["'foobar&example', '`foobar&example`'", 'true'],
    [`'foobar-example', 'example foobar'`, 'true'],
    [`'foobar-example', 'Foobar Example'`, 'true'],
    ["'foobar-example', '`foobar-example`'", 'true'],
    ["'foobar-example', '`Foobar`'", 'false'],
    ["'`foobar-example`', '`foobar-example`'", 'false'],
    ["'foobar@example.com', '`example.com`'", 'true'],
    ["'a foobar-example b', '`foobar-example`'", 'true'],
    [`['foobar', 'example'], 'foobar example'`, 'false'],
    [`['foobar', 'a example foobar'], 'foobar example'`, 'true'],
    ["'foobar=', '`foobar\\\\\\\\=`'", 'false'],
    [String.raw`'foobar=', r'foobar\='`, 'true'],
    ["'foobar.example', '`foobar`'", 'true'],
    ["'foobar.example', '`foobar.`'", 'false'],
    ["'foobar..example', '`foobar.`'", 'true'],
    ["'a%20b', '`b`'", 'true'],
    ["'a%2520b', 'b a'", 'true'],
    ["'a%2b', '`a`'", 'true'],
    ["'a%99b', '99b'", 'true'],
    ["'127.0.0.1', '127.0.0.1'", 'true'],
    ["'1.0.0.127', '127.0.0.1'", 'true'],
    ["'1.0.0.127', '`127.0.0.1`'", 'false'],
    [`'foo bar baz', 'foo bar'`, 'true'],
    [`'foo bar baz', 'foo AND bar'`, 'true'],
    [`'foo', 'foo OR bar'`, 'true'],
    [`'foo', 'foo AND (bar OR baz)'`, 'false'],
    [`'foo baz', 'foo (bar OR baz)'`, 'true'],
    [`'c', 'a b OR c'`, 'true'],
    [`'b', 'a OR b c'`, 'false'],
    [`'foo bar baz', '"foo bar"'`, 'true'],
    [`'Foo bar baz', '"foo Bar"'`, 'true'],
    [`'foo-bar baz', '"foo&bar"'`, 'true'],
    ["'foo bar baz', '\"`foo bar`\"'", 'false'],
    [`'foo else bar', '"foo bar"'`, 'false'],
    [`'foo-bar-baz', 'bar "foo&baz"'`, 'false'],
    [`'foo baz.bar', '"foo bar"'`, 'false'],
    [`'foo baz.bar', '"foo baz"'`, 'true'],
    [`'ÀB', 'àb'`, 'false'],
    [`'ÀB', 'Àb'`, 'true'],
    [`'x ΣİY', 'Σİy'`, 'true'],
    [`'x ΣİY', 'σİy OR Σİy'`, 'true'],
    [`'x ΣİY', '"X σİy"'`, 'false'],
    [`'GET /a', concat('ge', 't')`, 'true'],
    [`cast(null as string), 'a'`, 'null'],
    [`('a', cast(null as string)), 'b'`, 'null'],
    [`('a', cast(null as string)), 'a'`, 'true'],
    [`('a', cast(null as int64)), 'b'`, 'false'],
    [`1, '1'`, 'false'],
    [`(1, [struct('x' as a, 'Y' as b)]), 'y'`, 'true'],
    [`json '{"a":{"b":["x y"]}}', 'y x'`, 'true'],
    [`json '{"a":"x"}', 'a'`, 'false'],
    [`json '{"a":"x"}', 'a', json_scope => 'JSON_KEYS'`, 'true'],
    [`json '{"a":1}', 'x'`, 'false'],
    [`'foobar', 'foobar', analyzer => 'NO_OP_ANALYZER'`, 'true'],
    [`'foobar x', 'foobar', analyzer => 'NO_OP_ANALYZER'`, 'false'],
    ["'foobar', '`foobar`', analyzer => 'NO_OP_ANALYZER'", 'false'],
  ])('SEARCH(%s) is %s', async (list, expected) => {
    expect(await evaluator.evaluate(`search(${list})`)).toBe(expected);
  });

  test('searches all columns of a table', async () => {
    const query = `WITH t AS (SELECT 'a' AS x, 'INFO Entry' AS y UNION ALL SELECT 'info', 'b')
      SELECT COUNTIF(SEARCH(t, 'info entry')) || '/' || COUNTIF(SEARCH(t, 'info')) FROM t`;
    expect(await evaluator.evaluate(query)).toBe('"1/2"');
  });

  test.each([
    [`'a', null`, 'Argument 2 to SEARCH must be non-NULL'],
    [`'a', ''`, 'has no search terms'],
    [`'a', '...'`, 'has no search terms'],
    [`'a', 'foo-bar'`, 'has "-" at position 4: put \\ before it, or the term into backticks'],
    [`'a', 'x NOT y'`, 'has the reserved word NOT: put it into backticks'],
    [`'a', 'x in y'`, 'not supported by the embedded engine: SEARCH for in outside of backticks'],
    [`'a', 'x OR'`, 'needs a term beside each AND and OR'],
    [`'a', '(x'`, 'pairs of parentheses'],
    [
      `'a', '"foo AND bar"'`,
      'not supported by the embedded engine: SEARCH for a phrase with AND or OR in it',
    ],
    [`'a', repeat('a', 1001)`, 'has at most 1000 characters'],
    [
      `json '{"a":17}', '17'`,
      'not supported by the embedded engine: SEARCH for numbers and booleans of JSON',
    ],
    [
      `'a', 'a', analyzer => 'PATTERN_ANALYZER'`,
      'not supported by the embedded engine: SEARCH with an analyzer',
    ],
    [
      `'a', 'a', analyzer_options => '{}'`,
      'not supported by the embedded engine: SEARCH with analyzer_options',
    ],
  ])('SEARCH(%s) is an error', async (list, message) => {
    expect(await evaluator.fail(`search(${list})`)).toContain(message);
  });

  test.each([
    [
      "text_analyze('I like pie, you like-pie, they like 2 PIEs.')",
      '["i","like","pie","you","like","pie","they","like","2","pies"]',
    ],
    ["text_analyze('I like pie', analyzer => 'NO_OP_ANALYZER')", '["I like pie"]'],
    ["text_analyze('')", '[]'],
    ["text_analyze('%20É%3Dx')", '["É","x"]'],
  ])('%s is %s', async (googleSql, expected) => {
    expect(await evaluator.evaluate(googleSql)).toBe(expected);
  });
});
