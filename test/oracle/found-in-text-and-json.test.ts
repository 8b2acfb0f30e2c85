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
    // A lax path looks into arrays, and gives all that it finds.
    [`JSON_QUERY(JSON '[[{"a":1}],{"a":2}]', 'lax $.a')`, '[2]'],
    [`JSON_QUERY(JSON '[[{"a":1}],{"a":2}]', 'recursive lax $.a')`, '[1,2]'],
    [`JSON_QUERY(JSON '{"a":[{"b":[{"c":1},{"c":2}]},{"b":{"c":3}}]}', 'lax $.a.b[0].c')`, '[1,3]'],
    [`JSON_QUERY(JSON '{"a":1}', 'LAX  $.a[0][0]')`, '[1]'],
    [`JSON_QUERY(JSON '{"a":1}', 'lax $.a[1]')`, '[]'],
    [`JSON_QUERY(JSON 'null', 'lax $.a')`, '[]'],
    [`JSON_QUERY(JSON '{"a":{"0":5}}', 'lax $.a.0')`, '[5]'],
    [`JSON_QUERY(JSON '{"a":1}', CONCAT('lax ', '$.a'))`, '[1]'],
    [`SELECT JSON_QUERY(j, 'lax $.a') FROM UNNEST([CAST(NULL AS JSON)]) AS j`, 'null'],
    // A JSON value has integers of 64 bits and FLOAT64.
    ["TO_JSON_STRING(TO_JSON(NUMERIC '18446744073709551616'))", '"1.8446744073709552e+19"'],
    ["TO_JSON_STRING(TO_JSON(NUMERIC '18446744073709551615'))", '"18446744073709551615"'],
    ["TO_JSON_STRING(JSON_ARRAY(NUMERIC '-9223372036854775809'))", '"[-9.223372036854776e+18]"'],
    ["JSON_VALUE(TO_JSON(NUMERIC '12345678901234567.123'))", '"1.2345678901234568e+16"'],
    ["TO_JSON_STRING(TO_JSON(NUMERIC '1e20', stringify_wide_numbers => TRUE))", '"1e+20"'],
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
    // Subqueries as arguments of what is computed in steps.
    ["PARSE_DATE('%F', (SELECT e FROM UNNEST(['2024-02-03']) AS e))", '"2024-02-03"'],
    ["FORMAT_DATE((SELECT e FROM UNNEST(['%F']) e), DATE '2024-02-03')", '"2024-02-03"'],
    ["CAST((SELECT e FROM UNNEST(['02/03/2024']) e) AS DATE FORMAT 'MM/DD/YYYY')", '"2024-02-03"'],
    ['CAST(NULL AS ARRAY<TIMESTAMP>)[SAFE_OFFSET(64)]', 'null'],
    ["SELECT STRING_AGG(x) OVER (ORDER BY x DESC) FROM UNNEST([b'a']) x", '"YQ=="'],
    // Dots before a host.
    ["NET.HOST('http://.com/p@q:1')", '"com"'],
    ["NET.HOST('http://..com..')", '"com."'],
    ["NET.HOST('..')", 'null'],
    // Folding comes after the normal form.
    ["TO_CODE_POINTS(NORMALIZE_AND_CASEFOLD('ǰ'))", '[106,780]'],
    ["TO_CODE_POINTS(NORMALIZE_AND_CASEFOLD('e\u0301'))", '[233]'],
    // Options that are NULL, or no literals.
    ['TO_JSON(1, stringify_wide_numbers => NULL)', 'null'],
    ['TO_JSON_STRING(1, NULL)', 'null'],
    ['SELECT TO_JSON_STRING([1], e) FROM UNNEST([TRUE]) e', JSON.stringify('[\n  1\n]')],
    ["JSON_SET(JSON '{}', '$.a', 1, create_if_missing => NULL)", '{}'],
    ["JSON_SET(JSON '{}', '$.a', 1, create_if_missing => CAST(NULL AS BOOL))", '{}'],
    ["JSON_ARRAY_APPEND(JSON '[]', '$', [1], append_each_element => NULL)", '[]'],
    [`JSON_STRIP_NULLS(JSON '{"a":null}', include_arrays => NULL)`, '{"a":null}'],
    [`JSON_KEYS(JSON '{"a":1}', NULL)`, '["a"]'],
    ["PARSE_JSON('1', wide_number_mode => NULL)", 'null'],
    ["FLOAT64(JSON '1.5', wide_number_mode => NULL)", 'null'],
    ["SELECT FLOAT64(JSON '1.5', wide_number_mode => e) FROM UNNEST(['exact']) e", '1.5'],
    ["EDIT_DISTANCE('a', 'bcd', max_distance => NULL)", 'null'],
    // NUMERIC that a FLOAT64 holds, digit for digit.
    ["TO_JSON(NUMERIC '0.000000001', stringify_wide_numbers => TRUE)", '1e-9'],
    ["TO_JSON(NUMERIC '0.1', stringify_wide_numbers => TRUE)", '0.1'],
    ["TO_JSON(NUMERIC '18446744073709551616', stringify_wide_numbers => TRUE)", '"18446744073709551616"'],
    ["TO_JSON(NUMERIC '20000000000000000', stringify_wide_numbers => TRUE)", '"20000000000000000"'],
    ["TO_JSON(NUMERIC '1234567890.123456789', stringify_wide_numbers => TRUE)", '"1234567890.123456789"'],
    // FORMAT
    ["FORMAT('%.0f|%.0f', NUMERIC '0.5', NUMERIC '2.5')", '"1|3"'],
    ["FORMAT('%.0f|%.0f', 0.5, 1.5)", '"0|2"'],
    ["FORMAT('%f', 1e17)", '"100000000000000000.000000"'],
    ["FORMAT('%.0f', 1.7976931348623157e308) LIKE '17976931348623157081452742373%'", 'true'],
    [
      `FORMAT("%'.2f|%'012.1f|%'d|%'x|%'o", 1234567.891, 1234567.0, 1234567, 1234567890, 1234567890)`,
      '"1,234,567.89|01,234,567.0|1,234,567|4996:02d2|111,4540,1322"',
    ],
    ["FORMAT('%+ d|%08.3d|%.0d|%.0x|%#x|%#o', 5, 5, 0, 0, 255, 8)", '"+5|     005||0|0xff|010"'],
    ["FORMAT('%08.3x|%08.1o|%#.0o|%8.0o', 5, 255, 0, 0)", '"00000005|00000377|00|       0"'],
    ["FORMAT('%x|%X', -255, -9223372036854775808)", '"-ff|-8000000000000000"'],
    ["FORMAT('%010f|%+f', CAST('inf' AS FLOAT64), CAST('nan' AS FLOAT64))", '"       inf|+nan"'],
    [
      "FORMAT('%g|%g|%g|%.0g|%#.3g|%G', 0.0001, 0.00001, 1000000.0, 15.0, 1.0, NUMERIC '0.00001')",
      '"0.0001|1e-05|1e+06|2e+01|1.00|1E-05"',
    ],
    ["FORMAT('%e|%.1e', NUMERIC '1.5', NUMERIC '1.25')", '"1.500000e+00|1.3e+00"'],
    ["FORMAT('%*d|%-*d|%*d|%.*f', 5, 1, 5, 2, -5, 3, 2, 1.0)", '"    1|2    |3    |1.00"'],
    ["FORMAT('%*d', CAST(NULL AS INT64), 5)", 'null'],
    ["FORMAT('%.3t|%5t|%.2t', 'abcde', NULL, NULL)", '"abc| NULL|NU"'],
    [
      String.raw`FORMAT('%T|%t', b"a'\xff", b"a'\xff")`.replaceAll('\\\\', '\\'),
      JSON.stringify(String.raw`b"a'\xff"|a\'\xff`.replaceAll('\\\\', '\\')),
    ],
    [`FORMAT('%T|%P', JSON '{"a":1}', JSON '[1]')`, JSON.stringify('JSON \'{"a":1}\'|[\n  1\n]')],
    ["FORMAT('%T', CHR(1))", JSON.stringify('"\\x01"')],
    ["SELECT FORMAT(f, 5, 'a') FROM UNNEST(['%3d|%T']) f", JSON.stringify('  5|"a"')],
    ['FORMAT(NULL, 1)', 'null'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    [String.raw`b'\xff' LIKE '\xff'`, 'No matching signature for operator LIKE'],
    ["SELECT x LIKE y FROM UNNEST([b'a']) x, UNNEST(['a']) y", 'No matching signature for operator LIKE'],
    [String.raw`'' LIKE (SELECT e FROM UNNEST(['\\%_\\']) AS e)`, 'LIKE pattern ends with a backslash'],
    ["FORMAT('%d', 1.5)", 'Invalid type for argument 2 to FORMAT; Expected integer; Got FLOAT64'],
    ["FORMAT('%d')", 'Too few arguments to FORMAT'],
    ["FORMAT('x', 1)", 'Too many arguments to FORMAT'],
    ["FORMAT('%q', 1)", 'Invalid FORMAT string'],
    ["FORMAT('%', 1)", 'Invalid FORMAT string'],
    ["SELECT FORMAT(f, 1) FROM UNNEST(['%s']) f", 'Invalid type for argument 2 to FORMAT'],
    ["FORMAT('%2000d', 1)", 'width or precision above 1000'],
    ["JSON_REMOVE(CAST(NULL AS JSON), '')", "JSONPath must start with '$'"],
    ["JSON_SET(CAST(NULL AS JSON), '$.a.', 1)", 'Invalid token in JSONPath'],
    ["JSON_ARRAY_APPEND(CAST(NULL AS JSON), '$.a.', 1)", 'Invalid token in JSONPath'],
    ["JSON_ARRAY_INSERT(CAST(NULL AS JSON), CONCAT('$.a', '.'), 1)", 'Invalid token in JSONPath'],
    ["JSON_STRIP_NULLS(CAST(NULL AS JSON), '$.a.')", 'Invalid token in JSONPath'],
    ['JSON_KEYS(CAST(NULL AS JSON), -2)', 'max_depth must be positive'],
    ["JSON_KEYS(CAST(NULL AS JSON), mode => 'x')", 'Invalid JSON mode'],
    [
      "SELECT JSON_STRIP_NULLS(JSON '{}', include_arrays => e) FROM UNNEST([TRUE]) e",
      "Argument 'include_arrays' to JSON_STRIP_NULLS must be a literal or query parameter",
    ],
    ["'abc' IN (SELECT b'abc')", 'No matching signature for operator IN'],
    ["'2024-01-01' IN (SELECT DATE '2024-01-01')", 'No matching signature for operator IN'],
    [`JSON_QUERY(JSON '{"a":1}', 'lax$.a')`, 'must start with'],
    [`JSON_QUERY(JSON '{"a":1}', 'recursive $.a')`, 'must start with'],
    [`JSON_QUERY(JSON '{"a":1}', 'lax $.a[x]')`, 'Invalid token in JSONPath'],
    [`JSON_QUERY('{"a":1}', 'lax $.a')`, 'must start with'],
    [`JSON_VALUE(JSON '{"a":1}', 'lax $.a')`, 'must start with'],
    ["RANGE(DATE '2020-01-01', NULL)", 'there is no type RANGE'],
    ["RANGE<DATE> '[2020-01-01, UNBOUNDED)'", 'there is no type RANGE'],
    ["CAST('[2020-01-01, UNBOUNDED)' AS RANGE<DATE>)", 'there is no type RANGE'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
