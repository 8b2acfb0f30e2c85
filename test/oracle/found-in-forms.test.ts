import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Evaluator,
  openEvaluator,
} from '../shared/warehouse/duckdb/translate/functions/support/evaluator.ts';

/** Forms of queries that differed from Google's evaluator, with what that answers. */
describe('What Google’s evaluator found in forms of queries', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    // Patterns of an array.
    ["'abc' LIKE ANY UNNEST(['a%', 'b'])", 'true'],
    ["'abc' LIKE ALL UNNEST(['a%', 'b'])", 'false'],
    ["'abc' NOT LIKE ANY UNNEST(['x', NULL])", 'true'],
    ["'abc' LIKE ANY UNNEST(['x', NULL])", 'null'],
    ["'abc' LIKE SOME UNNEST(ARRAY<STRING>[])", 'false'],
    ['CAST(NULL AS STRING) LIKE ALL UNNEST(ARRAY<STRING>[])', 'true'],
    ["'abc' NOT LIKE ANY UNNEST(ARRAY<STRING>[])", 'false'],
    ["'abc' NOT LIKE ALL UNNEST(CAST(NULL AS ARRAY<STRING>))", 'true'],
    [String.raw`b'\xff' LIKE ANY UNNEST([b'\xff%', CAST(NULL AS BYTES)])`, 'true'],
    ["SELECT x LIKE ALL UNNEST(SPLIT('a_,_b%')) FROM UNNEST(['ab']) AS x", 'true'],
    ["SELECT x NOT LIKE ANY UNNEST(SPLIT('a_,_b%')) FROM UNNEST(['abb']) AS x", 'true'],
    ["'abc' LIKE ANY UNNEST(ARRAY(SELECT p FROM UNNEST(['x%', '%c']) AS p))", 'true'],
    ["'abc' LIKE ALL ((SELECT '%c'), 'a%')", 'true'],
    // The first of several structs names the fields.
    [
      'SELECT TO_JSON_STRING(x) FROM (SELECT [STRUCT(1 AS a)] AS x UNION ALL SELECT [STRUCT(2.5 AS b)]) LIMIT 1',
      String.raw`"[{\"a\":1}]"`,
    ],
    [
      'TO_JSON_STRING(IF(FALSE, STRUCT(STRUCT(1 AS a) AS s), STRUCT(STRUCT(2.5 AS b))))',
      String.raw`"{\"s\":{\"a\":2.5}}"`,
    ],
    ["SELECT x.a FROM UNNEST([STRUCT('x' AS a, 1 AS b), STRUCT(NULL, 2)]) AS x ORDER BY x.b DESC", 'null'],
    // Groups count where there is something to search.
    ["REGEXP_INSTR('', '(a)(b)', 1)", '0'],
    ["REGEXP_INSTR('x', '(a)(b)', 2)", '0'],
    // A letter beyond U+FFFF is one.
    ["REGEXP_EXTRACT_ALL('a', '😀?')", '[""]'],
    ["REGEXP_EXTRACT_ALL('a😀b', '😀*b?')", '["","😀b"]'],
    ["REGEXP_EXTRACT('a', '(😀)?a') IS NULL", 'true'],
    // Bits of BYTES.
    [String.raw`~b'\x00\xff'`, '"/wA="'],
    [String.raw`b'\x0f' & b'\xf1'`, '"AQ=="'],
    [String.raw`b'\x0f' | b'\xf1'`, '"/w=="'],
    [String.raw`b'\x0f' ^ b'\xf1'`, '"/g=="'],
    [String.raw`b'\x01\x80' << 1`, '"AwA="'],
    [String.raw`b'\x01\x80' >> 1`, '"AMA="'],
    [String.raw`b'\x01\x80' >> 9`, '"AAA="'],
    [String.raw`b'\x01\x80' << 9223372036854775807`, '"AAA="'],
    [String.raw`SELECT x & b'\x01' FROM UNNEST([CAST(NULL AS BYTES)]) AS x`, 'null'],
    ['1 << NULL', 'null'],
    // A backslash is a letter of names where JSON is changed.
    [String.raw`JSON_REMOVE(JSON '{"a\\"b":true}', '$."a\\"b"')`, String.raw`{"a\"b":true}`],
    ["COALESCE(INTERVAL 1 DAY, CAST('' AS INTERVAL))", '"0-0 1 0:0:0"'],
    ["INITCAP('a\u00a0b\u3000c\u200bd')", '"A\u00a0B\u3000C\u200bd"'],
    // Conditions in a row belong to the joins before them, the last join first.
    [
      'SELECT c.y FROM (SELECT 1 AS x) AS a LEFT JOIN (SELECT 1 AS x) AS b JOIN (SELECT 2 AS y) AS c ON b.x = c.y ON a.x = b.x',
      'null',
    ],
    [
      'SELECT d.y FROM (SELECT 1 AS x) AS a LEFT JOIN (SELECT 1 AS x) AS b CROSS JOIN (SELECT 2 AS y) AS c JOIN (SELECT 1 AS y) AS d ON b.x = d.y ON a.x = b.x',
      '1',
    ],
    [
      'SELECT b.x FROM (SELECT 1 AS x) AS a JOIN (SELECT 1 AS x) AS b JOIN (SELECT 1 AS x) AS c USING (x) USING (x)',
      '1',
    ],
    // A query in parentheses may have a name.
    ['SELECT * FROM ((SELECT 1 AS a) AS t |> SELECT t.a + 1)', '2'],
    ['SELECT ARRAY((SELECT 1 AS a) AS t |> SELECT t.a)', '[1]'],
    ['SELECT ((SELECT 1 AS a) AS t |> SELECT t.a)', '1'],
    ['SELECT 1 IN ((SELECT 1 AS a) AS t |> WHERE t.a = 1)', 'true'],
    ['SELECT ((SELECT 1) LIMIT 1)', '1'],
    // U+0000 ends a JSON text.
    [String.raw`PARSE_JSON('[1,2]\x00]')`, '[1,2]'],
    [String.raw`JSON '1\x00x'`, '1'],
    [
      'SELECT x[SAFE_OFFSET(i)] FROM UNNEST([STRUCT(CAST(NULL AS ARRAY<INT64>) AS x, 9223372036854775807 AS i)])',
      'null',
    ],
    ["PARSE_DATE('%Od%g%J', '2924010')", '"2024-01-10"'],
    ["PARSE_DATE('%d%g%J', '2924010')", '"1970-01-29"'],
    // A constant puts no row before another.
    ["SELECT 'x' AS x FROM UNNEST([1]) ORDER BY 1", '"x"'],
    ["SELECT y FROM (SELECT 'x' AS x, y FROM UNNEST([1, 2]) AS y) ORDER BY x, y DESC", '2'],
    // Zones of times.
    ["CAST('2019-01-6 +01' AS TIMESTAMP)", '1546729200000000'],
    ["CAST('2019-01-6T-0130' AS TIMESTAMP)", '1546738200000000'],
    ["CAST('2019-01-06 01:02:03+0130' AS TIMESTAMP)", '1546731123000000'],
    ["CAST('2019-01-06 01:02:03+130' AS TIMESTAMP)", '1546689723000000'],
    ["TIMESTAMP '2019-01-06 01:02:03+0130'", '1546731123000000'],
    ["TIMESTAMP '2019-01-06 01:02:03 EST5EDT'", '1546754523000000'],
    ["TIMESTAMP '2019-01-06 01:02:03 UTC+05:30'", '1546716723000000'],
    ["TIMESTAMP '2019-01-6 +01'", '1546729200000000'],
    // Numbers in text.
    ["CAST('0x1F.8p1' AS FLOAT64)", '63.0'],
    ["CAST('-0x.8' AS FLOAT64)", '-0.5'],
    ["CAST('0x1p-1074' AS FLOAT64)", '5e-324'],
    ["CAST('0x1p99999' AS FLOAT64)", '"Infinity"'.replaceAll('"', '')],
    ["CAST('0x1.fffffffffffff8000000001p0' AS FLOAT64)", '2.0'],
    ["CAST('0xFFFFFFFFFFFFFFFFFF' AS FLOAT64)", '4.722366482869645e21'],
    [`LAX_FLOAT64(JSON '" 7"')`, '7.0'],
    [`LAX_FLOAT64(JSON '"0x1F"')`, '31.0'],
    [`LAX_INT64(JSON '" 1.5e1 "')`, '15'],
    [`LAX_INT64(JSON '"9223372036854775807.0"')`, '9223372036854775807'],
    [`LAX_INT64(JSON '"9223372036854775808"')`, 'null'],
    [`LAX_INT64(JSON '"0x1F"')`, 'null'],
    // The common type of structs is that of each field.
    [
      'SELECT TO_JSON_STRING(CASE WHEN TRUE THEN STRUCT(1.5, 1) ELSE STRUCT(3, 3.5) END)',
      String.raw`"{\"\":1.5,\"\":1}"`,
    ],
    [
      'SELECT TO_JSON_STRING([STRUCT(1.5 AS a, 1 AS b), STRUCT(3, 3.5)])',
      String.raw`"[{\"a\":1.5,\"b\":1},{\"a\":3,\"b\":3.5}]"`,
    ],
    ['SELECT STRUCT(1.5, x) = STRUCT(x, 1.5) FROM UNNEST([1]) AS x', 'false'],
    [
      "SELECT IF(TRUE, STRUCT(x, DATE '2020-01-01'), STRUCT(3.5, '2021-01-01')).x FROM UNNEST([1]) AS x",
      '1.0',
    ],
    // Of fields with one name, a JSON value keeps the first.
    ['TO_JSON(STRUCT(1 AS a, 2 AS a, 3 AS A))', '{"a":1,"A":3}'],
    ['TO_JSON_STRING(STRUCT(1 AS a, 2 AS a))', String.raw`"{\"a\":1,\"a\":2}"`],
    ["CAST('PT10H20M30,456S' AS INTERVAL)", '"0-0 0 10:20:30.456"'],
    ['SELECT d + n FROM UNNEST([STRUCT(CAST(NULL AS DATE) AS d, 9007199254740993 AS n)])', 'null'],
    [
      'SELECT TIMESTAMP_ADD(t, INTERVAL n HOUR) FROM UNNEST([STRUCT(CAST(NULL AS TIMESTAMP) AS t, 9007199254740993 AS n)])',
      'null',
    ],
    // What is too large for FLOAT64 is an infinity.
    ['1e999', 'Infinity'],
    ['-1.8e308', '-Infinity'],
    // JOIN … USING with arrays: positions, elements and their fields.
    [
      `SELECT STRING_AGG(FORMAT('%d %t %t', offset, a, b), ';' ORDER BY offset) FROM UNNEST([1, 2]) AS a WITH OFFSET FULL JOIN UNNEST(['x', 'y', 'z']) AS b WITH OFFSET USING (offset)`,
      '"0 1 x;1 2 y;2 NULL z"',
    ],
    [
      'SELECT TO_JSON_STRING(STRUCT(b, t.b AS tb)) FROM (SELECT 1 AS b) AS t LEFT JOIN UNNEST([3]) AS b USING (b)',
      String.raw`"{\"b\":1,\"tb\":1}"`,
    ],
    ['SELECT b FROM (SELECT 1.5 AS b) AS t RIGHT JOIN UNNEST([3]) AS b USING (b)', '3'],
    [
      'SELECT TO_JSON_STRING(j) FROM (SELECT * FROM (SELECT 1 AS x) AS t LEFT JOIN UNNEST([STRUCT(2 AS x, 5 AS y)]) AS a USING (x)) AS j',
      String.raw`"{\"x\":1,\"y\":null}"`,
    ],
    [
      'SELECT TO_JSON_STRING(STRUCT(x, y, o, a)) FROM (SELECT 1 AS x, [STRUCT(2 AS x, 5 AS y), (1, 6)] AS s) AS t LEFT JOIN t.s AS a WITH OFFSET AS o USING (x)',
      String.raw`"{\"x\":1,\"y\":6,\"o\":1,\"a\":{\"x\":1,\"y\":6}}"`,
    ],
    ['SELECT COUNT(*) FROM (SELECT * FROM UNNEST([1]) AS a JOIN UNNEST([1]) AS a USING (a))', '1'],
    ["'a' || INTERVAL 3 DAY", '"a0-0 3 0:0:0"'],
    ['CONCAT(INTERVAL 1 HOUR, 1)', '"0-0 0 1:0:01"'],
    [
      "SELECT x - TIME '02:02:03.4' FROM UNNEST([TIME '01:02:03.456', NULL]) AS x LIMIT 1",
      '"0-0 0 -0:59:59.944"',
    ],
    ['SELECT COUNTIF(DISTINCT x > 1) FROM UNNEST([1, 2, 3]) AS x', '1'],
    ['SELECT COUNTIF(DISTINCT x > 1) OVER () FROM UNNEST([1, NULL]) AS x LIMIT 1', '0'],
    // A position counts characters, of which there are as many as bytes: what is beyond the last one is the end.
    ["REGEXP_EXTRACT('é', '', 2)", '""'],
    ["REGEXP_EXTRACT('é', '', 3)", 'null'],
    ["SELECT REGEXP_EXTRACT('é', 'x*', p) FROM UNNEST([2]) AS p", '""'],
    ["SELECT REGEXP_EXTRACT('a', '', p) FROM UNNEST([2]) AS p", 'null'],
    ["SELECT REGEXP_EXTRACT(b'a\\xff', b'', p) FROM UNNEST([3]) AS p", 'null'],
    ["REGEXP_INSTR('😀', 'x*', 4)", '4'],
    ["SELECT REGEXP_EXTRACT('x', '(a)(b)', p) FROM UNNEST([2]) AS p", 'null'],
    [`JSON_KEYS(JSON '{"a":1}', 1, mode => NULL)`, '[]'],
    ["REGEXP_INSTR('😀', 'x*', 5)", '0'],
    ['SELECT CAST(NULL AS INTERVAL) / x FROM UNNEST([0]) AS x', 'null'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["'a' LIKE ANY UNNEST([1])", 'No matching signature for operator LIKE ANY UNNEST'],
    ["'a' LIKE ANY UNNEST(NULL)", 'must be an array but was NULL'],
    ['1 IN UNNEST(NULL)', 'must be an array but was NULL'],
    ["SELECT x LIKE ANY UNNEST(SPLIT('\\\\')) FROM UNNEST(['a']) AS x", 'LIKE pattern ends with a backslash'],
    [
      "SELECT x LIKE ANY UNNEST(SPLIT(REPEAT('a_,', 1000))) FROM UNNEST(['a']) AS x",
      '1000 characters of pattern',
    ],
    ['SELECT 1 FROM UNNEST([1]) GROUP BY [1]', 'Cannot GROUP BY a literal'],
    ['SELECT 1 FROM UNNEST([1]) GROUP BY (1, [2])', 'Cannot GROUP BY a literal'],
    ['WITH t AS (SELECT 1) FROM t |> AGGREGATE COUNT(*) GROUP BY [1] AS k', 'Cannot GROUP BY literal values'],
    [String.raw`b'\x0f' & b'\xf1\x00'`, 'requires equal length of the inputs. Got 1 bytes'],
    [String.raw`b'\x01' >> -1`, 'Bitwise shift by negative offset.'],
    ["REGEXP_INSTR('日', '(a)(b)', 3)", 'must not have more than 1 capturing group'],
    ["CAST('' AS INTERVAL)", "Invalid INTERVAL value ''"],
    [
      "JSON_SET(JSON '{}', '$.a', 1, create_if_missing => STRUCT(TRUE AS x).x)",
      'must be a literal or query parameter',
    ],
    [String.raw`CAST(NULL AS STRING) LIKE '%\\'`, 'LIKE pattern ends with a backslash'],
    ["JSON_REMOVE(JSON '[1]', '$[9223372036854775808]')", 'invalid array index'],
    [
      String.raw`SELECT REGEXP_SUBSTR('', p) FROM UNNEST(['\\C']) AS p`,
      'not supported by the embedded engine',
    ],
    ["PARSE_DATE('%Od%g%J', '2924366')", 'Out-of-range datetime field'],
    // NULL in the first of several structs is an INT64.
    ["[(NULL, 'a'), ('c', 'b')]", 'no common type'],
    ['SELECT [STRUCT(1 AS a, NULL AS b)] UNION ALL SELECT [STRUCT(2.5 AS a, 3 AS b)]', 'incompatible types'],
    ["IF(TRUE, [STRUCT(DATE '2020-01-01')], [STRUCT('2020-01-01')])", 'No matching signature'],
    // A literal takes other types in its own select list only.
    ["SELECT x FROM (SELECT '2020-01-01' AS x) UNION ALL SELECT DATE '2020-01-01'", 'incompatible types'],
    [
      "SELECT '2020-01-01' AS x, ROW_NUMBER() OVER () FROM UNNEST([1]) UNION ALL SELECT DATE '2020-01-01', 1",
      'incompatible types',
    ],
    // HAVING and ORDER BY do not group rows.
    ['SELECT 1 FROM UNNEST([1]) HAVING COUNT(*) > 0', 'without GROUP BY or an aggregate in the select list'],
    ['SELECT 1 FROM UNNEST([1]) ORDER BY COUNT(*)', 'without GROUP BY or an aggregate in the select list'],
    [
      'SELECT DISTINCT x + 1 FROM UNNEST([STRUCT(1 AS x)]) ORDER BY x + 1',
      'not visible after SELECT DISTINCT',
    ],
    ["TIMESTAMP '2019-01-6 America/New_York'", 'Invalid TIMESTAMP literal'],
    ["TIMESTAMP '2019-01-06 01:02:03 +01'", 'Invalid TIMESTAMP literal'],
    ["TIMESTAMP '2019-01-06 01:02:03 utc'", 'Invalid TIMESTAMP literal'],
    ["TIMESTAMP '2019-01-06 01:02:03 PST'", 'Invalid TIMESTAMP literal'],
    ["TIMESTAMP '2019-01-06 01:02:03UTC+5'", 'Invalid TIMESTAMP literal'],
    ["CAST('2019-01-6 +14:01' AS TIMESTAMP)", 'Invalid timestamp'],
    ["JSON_ARRAY_APPEND(JSON '[1]', '', 1, append_each_element => NULL)", "JSONPath must start with '$'"],
    ["JSON_SET(JSON '[1]', '', 1, create_if_missing => NULL)", "JSONPath must start with '$'"],
    ["JSON_STRIP_NULLS(JSON '[1]', '', include_arrays => NULL)", "JSONPath must start with '$'"],
    ['SELECT STRUCT(1 AS a, 2 AS A)', 'Duplicate column names in the result are not supported: f0_.A'],
    [
      'SELECT [STRUCT([STRUCT(1 AS a, 2 AS a)] AS s)] AS x',
      'Duplicate column names in the result are not supported: x.s.a',
    ],
    ["TIMESTAMP_TRUNC(TIMESTAMP '9999-12-31 23:59:59+00', ISOYEAR, '+05')", 'overflow'],
    [`JSON_KEYS(JSON '{"a":1}', 0, mode => NULL)`, 'max_depth must be positive'],
    [
      "SELECT REGEXP_EXTRACT('x', p, 1) FROM UNNEST(['(a)(b)']) AS p",
      'must not have more than 1 capturing group',
    ],
    ["COSINE_DISTANCE([CAST('-inf' AS FLOAT64), 1.7e308], [1.0, 1.7e308])", 'double overflow'],
    ["EUCLIDEAN_DISTANCE([CAST('nan' AS FLOAT64), 1e200], [1, -1e200])", 'double overflow'],
    ['SELECT 1 FROM (SELECT 1) AS a JOIN (SELECT 1) AS b ON true ON true', 'no join for this condition'],
    [
      'SELECT 1 FROM (SELECT 1) AS a JOIN (SELECT 1) AS b JOIN (SELECT 1) AS c ON true ON true, (SELECT 1) AS d',
      'several conditions',
    ],
    [
      'SELECT 1 FROM (SELECT [1] AS x) AS a JOIN a.x JOIN (SELECT 1) AS c JOIN (SELECT 1) AS d ON true ON true',
      'must have an ON',
    ],
    [
      'SELECT x FROM (SELECT 1 AS x) AS a JOIN (SELECT 1 AS y) AS b JOIN (SELECT 1 AS z) AS c ON x = z ON x = y',
      'Unrecognized name: x',
    ],
    ['SELECT * FROM ((SELECT 1 AS a) t |> WHERE t.a = 1)', 'Expected keyword JOIN'],
    ["NULLIF(JSON '1', JSON '1')", 'NULLIF is not defined for arguments of type JSON'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });

  test.each([
    'SELECT DISTINCT x + 1 AS y FROM UNNEST([STRUCT(1 AS x)]) ORDER BY y + 1',
    'SELECT DISTINCT x FROM UNNEST([STRUCT(1 AS x)]) ORDER BY x + 1',
    'SELECT 1 FROM UNNEST([1]) AS x GROUP BY () HAVING COUNT(*) > 0',
    'SELECT COUNT(*) FROM UNNEST([1]) AS x ORDER BY SUM(x)',
  ])('%s has an answer', async (googleSql) => {
    expect(await evaluator.evaluate(googleSql)).not.toBe('no row');
  });
});
