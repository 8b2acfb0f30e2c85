import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

/** What Google's evaluator answers for these. */
describe('JSON values, as GoogleSQL makes and changes them', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ["JSON_SET(JSON '{}', '$[0]', 1)", '{}'],
    ["JSON_SET(JSON '{\"a\":null}', '$.a[0]', 1)", '{"a":[1]}'],
    ["JSON_SET(JSON '{\"a\":null}', '$.a.b', 1)", '{"a":{"b":1}}'],
    ["JSON_SET(JSON 'null', '$[2]', 1)", '[null,null,1]'],
    ["JSON_SET(JSON '{}', '$.a[ 1 ]', 1)", '{"a":[null,1]}'],
    ["JSON_SET(JSON '{}', '$.a[01]', 1)", '{"a":[null,1]}'],
    ["JSON_SET(JSON '{}', '$.\"a b\".c', 1)", '{"a b":{"c":1}}'],
    ["JSON_SET(JSON '{}', '$.a b', 1)", '{"a b":1}'],
    ["JSON_SET(JSON '{}', '$', 1)", '1'],
    [
      "JSON_SET(JSON '{\"a\":{\"b\":1}}', '$.a.b', JSON 'null', '$.a.c', CAST(NULL AS INT64))",
      '{"a":{"b":null,"c":null}}',
    ],
    ["JSON_SET(JSON '{\"a\":1}', '$.a.b', 2, '$.b', 3, create_if_missing=>false)", '{"a":1}'],
    ["JSON_SET(JSON '{\"a\":1}', CAST(NULL AS STRING), 2, '$.b', 3)", '{"a":1,"b":3}'],
    ["JSON_SET(CAST(NULL AS JSON), '$.b', 3)", 'null'],
    ["JSON_SET(JSON '{\"a\":1}', '$.b', [1,2])", '{"a":1,"b":[1,2]}'],
    ["JSON_SET(JSON '{\"a\":1}', '$.b', 1.5)", '{"a":1,"b":1.5}'],
    ["JSON_SET(JSON '{\"a\":1}', '$.b', NUMERIC '1.5')", '{"a":1,"b":1.5}'],
    ["JSON_SET(JSON '{\"a\":1}', '$.b', 1e20)", '{"a":1,"b":100000000000000000000.0}'],
    ["JSON_SET(JSON '[1,2]', '$[0]', 5, '$[5]', 6)", '[5,2,null,null,null,6]'],
    ['JSON_SET(JSON \'{"a":1.0,"b":1e100}\', \'$.c\', 1)', '{"a":1.0,"b":1e100,"c":1}'],
    ['JSON_REMOVE(JSON \'{"a":{"b":1,"c":2}}\', \'$.a.b\')', '{"a":{"c":2}}'],
    ['JSON_FLATTEN(JSON \'[1,[2,[3,[]],{"a":[4]}],null]\')', '[1,2,3,{"a":[4]},null]'],
    ["JSON_FLATTEN(JSON '5')", '[5]'],
    ["JSON_FLATTEN(JSON '[[]]')", '[]'],
    ["JSON_REMOVE(JSON '[1,2,3]', '$[1]', '$[1]')", '[1]'],
    ["JSON_REMOVE(JSON '[1,2,3]', '$.a')", '[1,2,3]'],
    ["JSON_REMOVE(JSON '[1,2,3]', CAST(NULL AS STRING))", '[1,2,3]'],
    ["JSON_ARRAY_APPEND(JSON '{\"a\":null}', '$.a', 1)", '{"a":[1]}'],
    ["JSON_ARRAY_APPEND(JSON '{\"a\":5}', '$.a', 1)", '{"a":5}'],
    ["JSON_ARRAY_APPEND(JSON '{\"a\":5}', '$.b', 1)", '{"a":5}'],
    ["JSON_ARRAY_APPEND(JSON '[1]', '$', [2,3])", '[1,2,3]'],
    ["JSON_ARRAY_APPEND(JSON '[1]', '$', [2,3], append_each_element=>false)", '[1,[2,3]]'],
    ["JSON_ARRAY_APPEND(JSON '[1]', '$', CAST(NULL AS ARRAY<INT64>))", '[1]'],
    [
      "JSON_ARRAY_APPEND(JSON '[1]', '$', CAST(NULL AS ARRAY<INT64>), append_each_element=>false)",
      '[1,null]',
    ],
    ["JSON_ARRAY_APPEND(JSON '[1]', '$', ARRAY<INT64>[])", '[1]'],
    ["JSON_ARRAY_APPEND(JSON '[1]', '$', JSON '[2,3]')", '[1,[2,3]]'],
    ["JSON_ARRAY_INSERT(JSON '[1,2]', '$[1]', 9)", '[1,9,2]'],
    ["JSON_ARRAY_INSERT(JSON '[1,2]', '$[5]', 9)", '[1,2,null,null,null,9]'],
    ["JSON_ARRAY_INSERT(JSON '{\"a\":[1]}', '$.a[0]', [8,9])", '{"a":[8,9,1]}'],
    ["JSON_ARRAY_INSERT(JSON '{\"a\":null}', '$.a[2]', 9)", '{"a":[null,null,9]}'],
    ["JSON_ARRAY_INSERT(JSON '{\"a\":5}', '$.a[2]', 9)", '{"a":5}'],
    ["JSON_ARRAY_INSERT(JSON '{}', '$.a[2]', 9)", '{}'],
    ["JSON_ARRAY_INSERT(JSON '{}', '$.a', 9)", '{}'],
    ["JSON_ARRAY_INSERT(JSON '[]', '$', 9)", '[]'],
    ["JSON_ARRAY_INSERT(JSON '[1]', '$[0]', CAST(NULL AS ARRAY<INT64>))", '[1]'],
    [
      'JSON_STRIP_NULLS(JSON \'{"a":null,"b":[null,{"c":null}],"d":{"e":null},"f":[],"g":{}}\')',
      '{"b":[{}],"d":{},"f":[],"g":{}}',
    ],
    [
      'JSON_STRIP_NULLS(JSON \'{"a":null,"b":[null,{"c":null}],"d":{"e":null},"f":[],"g":{}}\', remove_empty=>true)',
      'null',
    ],
    [
      'JSON_STRIP_NULLS(JSON \'{"a":null,"b":[null,{"c":null}],"d":{"e":null},"f":[],"g":{}}\', include_arrays=>false)',
      '{"b":[null,{}],"d":{},"f":[],"g":{}}',
    ],
    [
      'JSON_STRIP_NULLS(JSON \'{"a":null,"b":[null,{"c":null}],"d":{"e":null},"f":[],"g":{}}\', include_arrays=>false, remove_empty=>true)',
      '{"b":[null,{}],"f":[]}',
    ],
    [
      'JSON_STRIP_NULLS(JSON \'{"a":null,"b":[null,{"c":null}],"d":{"e":null},"f":[],"g":{}}\', \'$.b\')',
      '{"a":null,"b":[{}],"d":{"e":null},"f":[],"g":{}}',
    ],
    [
      'JSON_STRIP_NULLS(JSON \'{"a":null,"b":[null,{"c":null}],"d":{"e":null},"f":[],"g":{}}\', \'$.d\', remove_empty=>true)',
      '{"a":null,"b":[null,{"c":null}],"d":null,"f":[],"g":{}}',
    ],
    ["JSON_STRIP_NULLS(JSON '{\"a\":null}', '$.a')", '{"a":null}'],
    ["JSON_STRIP_NULLS(JSON '{\"a\":null}', '$.a', remove_empty=>true)", '{"a":null}'],
    ["JSON_STRIP_NULLS(JSON 'null')", 'null'],
    ['JSON_STRIP_NULLS(JSON \'{"a":null}\', remove_empty=>true)', 'null'],
    ["JSON_STRIP_NULLS(JSON '[null]', remove_empty=>true)", 'null'],
    ["JSON_STRIP_NULLS(JSON '[[null],[]]', remove_empty=>true)", 'null'],
    ['JSON_STRIP_NULLS(JSON \'{"x":[[null],[1,null]],"y":{"z":{}}}\', remove_empty=>true)', '{"x":[[1]]}'],
    ['JSON_STRIP_NULLS(JSON \'[{"a":null}]\', include_arrays=>false, remove_empty=>true)', '[{}]'],
    ['JSON_STRIP_NULLS(JSON \'{"a":null}\', CAST(NULL AS STRING))', '{"a":null}'],
    ["JSON_STRIP_NULLS(JSON '{\"a\":null}', '$.b.c')", '{"a":null}'],
    [
      String.raw`JSON_KEYS(JSON '{"a":{"b":1,"c":[{"d":1},2,{"e":{"f":1}}]},"g.h":{"i\\"j":1}}')`,
      String.raw`["\"g.h\"","\"g.h\".\"i\\\"j\"","a","a.b","a.c"]`,
    ],
    [
      String.raw`JSON_KEYS(JSON '{"a":{"b":1,"c":[{"d":1},2,{"e":{"f":1}}]},"g.h":{"i\\"j":1}}', 1)`,
      String.raw`["\"g.h\"","a"]`,
    ],
    [
      String.raw`JSON_KEYS(JSON '{"a":{"b":1,"c":[{"d":1},2,{"e":{"f":1}}]},"g.h":{"i\\"j":1}}', 2)`,
      String.raw`["\"g.h\"","\"g.h\".\"i\\\"j\"","a","a.b","a.c"]`,
    ],
    [
      String.raw`JSON_KEYS(JSON '{"a":{"b":1,"c":[{"d":1},2,{"e":{"f":1}}]},"g.h":{"i\\"j":1}}', mode=>'lax')`,
      String.raw`["\"g.h\"","\"g.h\".\"i\\\"j\"","a","a.b","a.c","a.c.d","a.c.e","a.c.e.f"]`,
    ],
    [
      'JSON_KEYS(JSON \'{"a":{"b":1,"c":[[{"d":1}],2,{"e":{"f":1}}]}}\', mode=>\'lax\')',
      '["a","a.b","a.c","a.c.e","a.c.e.f"]',
    ],
    [
      'JSON_KEYS(JSON \'{"a":{"b":1,"c":[[{"d":1}],2,{"e":{"f":1}}]}}\', mode=>\'lax recursive\')',
      '["a","a.b","a.c","a.c.d","a.c.e","a.c.e.f"]',
    ],
    [
      'JSON_KEYS(JSON \'{"a":{"b":1,"c":[[{"d":1}],2,{"e":{"f":1}}]}}\', 2, mode=>\'lax recursive\')',
      '["a","a.b","a.c"]',
    ],
    ["JSON_KEYS(JSON '[{\"a\":1}]', mode=>'lax')", '["a"]'],
    ["JSON_KEYS(JSON '[{\"a\":1}]', mode=>'strict')", '[]'],
    ["JSON_KEYS(JSON '[[{\"a\":1}]]', mode=>'lax')", '[]'],
    ["JSON_KEYS(JSON '[[{\"a\":1}]]', mode=>'lax recursive')", '["a"]'],
    ['JSON_KEYS(JSON \'[{"a":1},{"a":{"b":2}}]\', mode=>\'LAX\')', '["a","a.b"]'],
    ['JSON_KEYS(JSON \'{"a":1}\', CAST(NULL AS INT64))', '["a"]'],
    ["JSON_KEYS(JSON '1')", '[]'],
    ["JSON_KEYS(JSON 'null')", '[]'],
    [
      String.raw`JSON_KEYS(JSON '{"a b":1,"a\\\\b":1,"":1,"a-b":1,"a:b":1,"é":1,"$":1,"a\'b":1, "a[0]":1,"\\u0001":2,"a\\"b":{"c":1}}')`,
      String.raw`["","\"\\u0001\"","\"a\\\"b\"","\"a\\\"b\".c","\"a\\\\b\"","$","a b","a'b","a-b","a:b","a[0]","é"]`,
    ],
    ['JSON_KEYS(JSON \'{"a":{"a":{"a":1}}}\')', '["a","a.a","a.a.a"]'],
    ["JSON_OBJECT('a', 1, 'a', 2)", '{"a":1}'],
    ["JSON_OBJECT('b', 1.0, 'a', 1e100)", '{"a":1e100,"b":1.0}'],
    ["TO_JSON_STRING(JSON_OBJECT('b', 1.0, 'a', 1e100))", String.raw`"{\"a\":1e+100,\"b\":1.0}"`],
    ["JSON_VALUE(JSON_OBJECT('b', 1.0, 'a', 1e100), '$.a')", '"1e+100"'],
    ['TO_JSON(1e100)', '1e100'],
    ['TO_JSON_STRING(TO_JSON(0.1234567890123456))', '"0.1234567890123456"'],
    ['TO_JSON_STRING(0.1234567890123456)', '"0.12345678901234559"'],
    ['TO_JSON_STRING(TO_JSON(-0.0))', '"0.0"'],
    ['TO_JSON_STRING(-0.0)', '"0"'],
    ["TO_JSON_STRING(TO_JSON(NUMERIC '1.50'))", '"1.5"'],
    ["TO_JSON_STRING(TO_JSON(NUMERIC '123456789012345678901234.5'))", '"1.2345678901234569e+23"'],
    ["TO_JSON_STRING(TO_JSON(NUMERIC '12345678901234567890'))", '"12345678901234567890"'],
    [
      "TO_JSON(NUMERIC '12345678901234567890.123', stringify_wide_numbers=>true)",
      '"12345678901234567890.123"',
    ],
    ["TO_JSON(CAST('inf' AS FLOAT64))", '"Infinity"'],
    [
      'TO_JSON_STRING(JSON \'{"b":[1,{"z":1,"y":[[[[[1]]]]]}]}\')',
      String.raw`"{\"b\":[1,{\"y\":[[[[[1]]]]],\"z\":1}]}"`,
    ],
    [
      'TO_JSON_STRING(JSON \'{"b":[1,{"z":1,"y":[]}], "c":{}}\', true)',
      String.raw`"{\n  \"b\": [\n    1,\n    {\n      \"y\": [],\n      \"z\": 1\n    }\n  ],\n  \"c\": {}\n}"`,
    ],
    [
      'TO_JSON_STRING(STRUCT(JSON \'{"b":[1,{"z":1,"y":[]}], "c":{}}\' AS j, [1] AS k), true)',
      String.raw`"{\n  \"j\": {\n    \"b\": [\n      1,\n      {\n        \"y\": [],\n        \"z\": 1\n      }\n    ],\n    \"c\": {}\n  },\n  \"k\": [\n    1\n  ]\n}"`,
    ],
    ["JSON_TYPE(JSON '1e100')", '"number"'],
    ["INT64(JSON '1e2')", '100'],
    ["FLOAT64(JSON '9223372036854775807')", '9223372036854776000.0'],
    ["FLOAT64(JSON '9007199254740993', wide_number_mode=>'round')", '9007199254740992.0'],
    ['(JSON \'{"a":[1,{"b":2}]}\').a[1].b', '2'],
    ['(JSON \'{"a":[1,{"b":2}]}\').a[-1]', 'null'],
    ["(JSON '{\"a\":[1,{\"b\":2}]}')['a'][1]['b']", '2'],
    ['(JSON \'{"0":[1,{"b":2}]}\')[0]', 'null'],
    ["(JSON '[5]')['0']", 'null'],
    ["(SELECT j[k] FROM (SELECT JSON '{\"a\":5}' AS j, 'a' AS k))", '5'],
    ["(SELECT j[k] FROM (SELECT JSON '[1,2]' AS j, 1 AS k))", '2'],
    ['FORMAT(\'%p\', JSON \'{"b":1,"a":"x"}\')', String.raw`"{\"a\":\"x\",\"b\":1}"`],
    ['(SELECT JSON_KEYS(j, k) FROM (SELECT JSON \'{"a":1}\' AS j, 1 AS k))', '["a"]'],
    ["(SELECT REGEXP_EXTRACT(j, k) FROM (SELECT 'abc' AS j, 'b' AS k))", '"b"'],
    ["JSON_VALUE('{\"a\":5}', CONCAT('$', '.a'))", '"5"'],
    ["JSON_VALUE('{\"a\":5}', IF(TRUE, '$.a', '$.b'))", '"5"'],
    ["JSON_SET(JSON '{\"a\":5}', CONCAT('$', '.a'), 1)", '{"a":1}'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["JSON_SET(JSON '{}', '$.a[-1]', 1)", 'Invalid token in JSONPath at: [-1]'],
    ["JSON_SET(JSON '{}', '$.a[1000000]', 1)", 'Exceeded maximum array size of 1000000'],
    ["JSON_SET(JSON '{}', \"$['a']\", 1)", "Invalid token in JSONPath at: ['a']"],
    ["JSON_SET(JSON '{}', '$.', 1)", 'Invalid token in JSONPath at: .'],
    ["JSON_REMOVE(JSON '[1,2,3]', '$')", "The JSONPath cannot be '$'"],
    ["JSON_KEYS(JSON '{\"a\":1}', mode=>'foo')", 'Invalid JSON mode specified'],
    ['JSON_KEYS(JSON \'{"a":1}\', 0)', 'max_depth must be positive.'],
    ['JSON_KEYS(JSON \'{"a":1}\', -1)', 'max_depth must be positive.'],
    ["JSON '1e400'", 'Invalid JSON literal: "1e400"'],
    ["JSON '[1e400]'", 'Invalid JSON literal: "[1e400]"'],
    ["INT64(JSON '1e100')", 'The provided JSON value is not of type INT64: 1e+100'],
    ["INT64(JSON '9223372036854775808')", "Bad value for the conversion: '9223372036854775808'"],
    [
      "FLOAT64(JSON '9223372036854775807', wide_number_mode=>'exact')",
      'JSON number: 9223372036854775807 cannot be converted to FLOA',
    ],
    [
      "FLOAT64(JSON '9007199254740993', wide_number_mode=>'exact')",
      'JSON number: 9007199254740993 cannot be converted to FLOAT64',
    ],
    [
      "FLOAT64(JSON '9007199254740993', wide_number_mode=>'foo')",
      'Invalid `wide_number_mode` specified: foo',
    ],
    ['STRING_ARRAY(JSON \'["a",null]\')', 'The provided JSON array has elements that are not of the typ'],
    ["BOOL_ARRAY(JSON '[true,1]')", 'The provided JSON array has elements that are not of the typ'],
    [
      "(SELECT JSON_VALUE(j, k) FROM (SELECT JSON '[1,2]' AS j, '$[1]' AS k))",
      'Argument 2 to JSON_VALUE must be a constant expression',
    ],
    [
      "(SELECT JSON_QUERY(j, k) FROM (SELECT '{\"a\":[1, 2]}' AS j, '$.a' AS k))",
      'Argument 2 to JSON_QUERY must be a constant expression',
    ],
    [
      "(SELECT JSON_SET(j, k, 5) FROM (SELECT JSON '{\"a\":[1, 2]}' AS j, '$.a' AS k))",
      'Argument 2 to JSON_SET must be a constant expression',
    ],
    [
      "(SELECT JSON_REMOVE(j, k) FROM (SELECT JSON '[1,2]' AS j, '$[1]' AS k))",
      'Argument 2 to JSON_REMOVE must be a constant expression (lin',
    ],
    [
      "(SELECT JSON_STRIP_NULLS(j, k) FROM (SELECT JSON '[1,2]' AS j, '$[1]' AS k))",
      'Argument 2 to JSON_STRIP_NULLS must be a constant expression',
    ],
    [
      "(SELECT JSON_QUERY_ARRAY(j, k) FROM (SELECT JSON '[1,2]' AS j, '$[1]' AS k))",
      'Argument 2 to JSON_QUERY_ARRAY must be a constant expression',
    ],
    [
      "(SELECT JSON_EXTRACT(j, k) FROM (SELECT JSON '[1,2]' AS j, '$[1]' AS k))",
      'Argument 2 to JSON_EXTRACT must be a constant expression (li',
    ],
    [
      "(SELECT JSON_ARRAY_APPEND(j, k, 1) FROM (SELECT JSON '[1,2]' AS j, '$[1]' AS k))",
      'Argument 2 to JSON_ARRAY_APPEND must be a constant expressio',
    ],
    [
      "(SELECT JSON_VALUE(j, (SELECT '$')) FROM (SELECT JSON '{\"a\":1}' AS j, true AS k))",
      'Argument 2 to JSON_VALUE must be a constant expression',
    ],
    [
      "(SELECT JSON_SET(j, '$', 1, create_if_missing=>k) FROM (SELECT JSON '1' AS j, true AS k))",
      "Argument 'create_if_missing' to JSON_SET must be a literal or query parameter",
    ],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
