import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL JSON values on DuckDB: made, changed and read as a whole', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['to_json_string(json \'{"b":1,"a":2}\')', String.raw`"{\"a\":2,\"b\":1}"`],
    ['to_json_string(json \'{"b": 1, "a": [1, 2 ]}\')', String.raw`"{\"a\":[1,2],\"b\":1}"`],
    ['to_json_string(json \'{"a":1,"a":2}\')', String.raw`"{\"a\":1}"`],
    ['to_json_string(to_json(struct(2 as b, 1 as a)))', String.raw`"{\"a\":1,\"b\":2}"`],
    ["to_json_string(json_object('b', 1, 'a', 2))", String.raw`"{\"a\":2,\"b\":1}"`],
    ['to_json_string(json \'{"b":{"z":1,"y":2},"a":2}\'.b)', String.raw`"{\"y\":2,\"z\":1}"`],
    [
      'to_json_string(json_query(json \'{"b":{"z":1,"y":2},"a":2}\', \'$.b\'))',
      String.raw`"{\"y\":2,\"z\":1}"`,
    ],
    ['json_query(\'{"b":{"z":1,"y":2},"a":2}\', \'$.b\')', String.raw`"{\"z\":1,\"y\":2}"`],
    [String.raw`to_json_string(json '"\\u00e9\\/"')`, String.raw`"\"é/\""`],
    ["to_json_string(parse_json('1.0'))", '"1.0"'],
    ["to_json_string(parse_json('-0'))", '"0"'],
    ["to_json_string(json '1.10')", '"1.1"'],
    ['format(\'%t\', json \'{"b":1, "a":2}\')', String.raw`"{\"a\":2,\"b\":1}"`],
    ['format(\'%p\', json \'{"b":1, "a":2}\')', String.raw`"{\"a\":2,\"b\":1}"`],
    ["string(json '\"x\"') || 'y'", '"xy"'],
    ["json_type(json '1.0')", '"number"'],
    ["int64(json '1.0')", '1'],
    ['json_object(\'a\', json \'{"z":1,"y":2}\')', '{"a":{"y":2,"z":1}}'],
    [
      "to_json_string(json_object('a', date '2024-01-01', 'b', timestamp '2024-01-01 00:00:00+00', 'c', 1.0, 'd', numeric '1.5', 'e', b'ab', 'f', 9007199254740993, 'g', cast('nan' as float64)))",
      String.raw`"{\"a\":\"2024-01-01\",\"b\":\"2024-01-01T00:00:00Z\",\"c\":1.0,\"d\":1.5,\"e\":\"YWI=\",\"f\":9007199254740993,\"g\":\"NaN\"}"`,
    ],
    ["to_json_string(json_object('a', 1, 'a', 2))", String.raw`"{\"a\":1}"`],
    ["json_object('a', struct(1 as x, 2 as y), 'b', [1, null])", '{"a":{"x":1,"y":2},"b":[1,null]}'],
    ["json_object(['a','b'], [1, null])", '{"a":1,"b":null}'],
    ["to_json_string(json_object(['b','a','b'], ['x','y','z']))", String.raw`"{\"a\":\"y\",\"b\":\"x\"}"`],
    ["json_array([1,2], null, 'x', 1.5, true, date '2024-01-01')", '[[1,2],null,"x",1.5,true,"2024-01-01"]'],
    ['json_array(9007199254740993)', '[9007199254740993]'],
    ["to_json_string(json_array(1.0, numeric '1.5'))", '"[1.0,1.5]"'],
    [
      "to_json_string(json_set(json '{\"a\":1}', '$.b', 2, '$.c.d', 3))",
      String.raw`"{\"a\":1,\"b\":2,\"c\":{\"d\":3}}"`,
    ],
    ["to_json_string(json_set(json '{\"a\":1}', '$.a', null))", String.raw`"{\"a\":null}"`],
    ["to_json_string(json_set(json '{\"a\":[1,2]}', '$.a[4]', 9))", String.raw`"{\"a\":[1,2,null,null,9]}"`],
    ["to_json_string(json_set(json '{\"a\":1}', '$.a.b', 9))", String.raw`"{\"a\":1}"`],
    [
      "to_json_string(json_set(json '{\"a\":1}', '$.b', 9, create_if_missing => false))",
      String.raw`"{\"a\":1}"`,
    ],
    ["to_json_string(json_set(json '{\"a\":1}', '$', 9))", '"9"'],
    ["to_json_string(json_set(json 'null', '$.a', 9))", String.raw`"{\"a\":9}"`],
    ["to_json_string(json_set(json '{\"a\":null}', '$.a.b', 9))", String.raw`"{\"a\":{\"b\":9}}"`],
    ['to_json_string(json_set(json \'{"a":1}\', null, 9))', String.raw`"{\"a\":1}"`],
    ["to_json_string(json_set(null, '$.a', 9))", '"null"'],
    ["to_json_string(json_set(json '{}', '$[0]', 9))", '"{}"'],
    [
      "to_json_string(json_remove(json '{\"a\":1,\"b\":[1,2,3]}', '$.b[1]', '$.a', '$.zz'))",
      String.raw`"{\"b\":[1,3]}"`,
    ],
    ["to_json_string(json_remove(json '[1,2,3]', '$[0]', '$[0]'))", '"[3]"'],
    ["to_json_string(json_remove(json '[1,2,3]', '$[9]'))", '"[1,2,3]"'],
    [
      'to_json_string(json_strip_nulls(json \'{"a":null,"b":[null,1,{"c":null}],"d":{"e":null}}\'))',
      String.raw`"{\"b\":[1,{}],\"d\":{}}"`,
    ],
    [
      'to_json_string(json_strip_nulls(json \'{"a":null,"b":[null,1,{"c":null}],"d":{"e":null}}\', include_arrays => false))',
      String.raw`"{\"b\":[null,1,{}],\"d\":{}}"`,
    ],
    [
      'to_json_string(json_strip_nulls(json \'{"a":{"b":null},"c":null}\', \'$.a\'))',
      String.raw`"{\"a\":{},\"c\":null}"`,
    ],
    [
      'to_json_string(json_strip_nulls(json \'{"a":{"b":null},"c":null}\', \'$.zz\'))',
      String.raw`"{\"a\":{\"b\":null},\"c\":null}"`,
    ],
    ["to_json_string(json_strip_nulls(json 'null'))", '"null"'],
    ["to_json_string(json_strip_nulls(json '[null]'))", '"[]"'],
    [
      "to_json_string(json_array_append(json '{\"a\":[1]}', '$.a', 2, '$.b', 3))",
      String.raw`"{\"a\":[1,2]}"`,
    ],
    ["to_json_string(json_array_append(json '{\"a\":[1]}', '$.a', [2,3]))", String.raw`"{\"a\":[1,2,3]}"`],
    [
      "to_json_string(json_array_append(json '{\"a\":[1]}', '$.a', [2,3], append_each_element => false))",
      String.raw`"{\"a\":[1,[2,3]]}"`,
    ],
    ["to_json_string(json_array_append(json '{\"a\":null}', '$.a', 2))", String.raw`"{\"a\":[2]}"`],
    ["to_json_string(json_array_append(json '{\"a\":1}', '$.a', 2))", String.raw`"{\"a\":1}"`],
    ["to_json_string(json_array_insert(json '[1,2]', '$[1]', 9))", '"[1,9,2]"'],
    ["to_json_string(json_array_insert(json '[1,2]', '$[5]', 9))", '"[1,2,null,null,null,9]"'],
    ["to_json_string(json_array_insert(json '[1,2]', '$[0]', [8,9]))", '"[8,9,1,2]"'],
    [
      "to_json_string(json_array_insert(json '[1,2]', '$[0]', [8,9], insert_each_element => false))",
      '"[[8,9],1,2]"',
    ],
    [
      "to_json_string(json_array_insert(json '{\"a\":null}', '$.a[2]', 9))",
      String.raw`"{\"a\":[null,null,9]}"`,
    ],
    ['json_keys(json \'{"b":{"z":1,"y":[{"q":1}]},"a":2}\', 1)', '["a","b"]'],
    ["int64_array(json '[1,2.0]')", '[1,2]'],
    ['lax_int64_array(json \'[1,"2",true,null,{}]\')', '[1,2,1,null,null]'],
    ['lax_string_array(json \'[1,"2",true,null,{}]\')', '["1","2","true",null,null]'],
    ['lax_float64_array(json \'[1,"2",true]\')', '[1.0,2.0,null]'],
    ['lax_bool_array(json \'[1,"true",true,0]\')', '[true,true,true,false]'],
    ['to_json(1.5, stringify_wide_numbers => true)', '1.5'],
    [
      'to_json_string(to_json(9007199254740993, stringify_wide_numbers => true))',
      String.raw`"\"9007199254740993\""`,
    ],
    ['to_json_string(to_json(9007199254740993))', '"9007199254740993"'],
    ["float64(json '1e5')", '100000.0'],
    ['to_json_string([json \'1\', json \'{"b":1,"a":2}\'])', String.raw`"[1,{\"a\":2,\"b\":1}]"`],
    ["json_value(json '{\"b\":1.50}', '$.b')", '"1.5"'],
    ["json_value(parse_json('{\"b\":1.50}'), '$.b')", '"1.5"'],
    [
      'to_json_string(json_set(json \'{"x/y":1,"~":2}\', \'$."a b"\', \'v"w\'))',
      String.raw`"{\"a b\":\"v\\\"w\",\"x/y\":1,\"~\":2}"`,
    ],
    [
      'to_json_string(json_set(json \'{"a":[{"b":1}]}\', \'$.a[0].c\', struct(1 as z)))',
      String.raw`"{\"a\":[{\"b\":1,\"c\":{\"z\":1}}]}"`,
    ],
    [
      'to_json_string(json_remove(json \'{"a":{"b":[1,{"c":1,"d":2}]}}\', \'$.a.b[1].c\'))',
      String.raw`"{\"a\":{\"b\":[1,{\"d\":2}]}}"`,
    ],
    [
      String.raw`to_json_string(json_strip_nulls(json '{"a":"x\\":null,y","null":null,"b":[["null",null]],"c":"null"}'))`,
      String.raw`"{\"a\":\"x\\\":null,y\",\"b\":[[\"null\"]],\"c\":\"null\"}"`,
    ],
    [
      'to_json_string(json_strip_nulls(json \'{"a":"null,","b":[null,null,1,null]}\'))',
      String.raw`"{\"a\":\"null,\",\"b\":[1]}"`,
    ],
    ["to_json_string(json_array_insert(json '{\"a\":1}', '$.a[0]', 9))", String.raw`"{\"a\":1}"`],
    ["to_json_string(json_array_insert(json '[1,[2]]', '$[1][0]', 'x'))", String.raw`"[1,[\"x\",2]]"`],
    ["to_json_string(json_array_append(json '[[1]]', '$[0]', null))", '"[[1,null]]"'],
    ["to_json_string(json_array_append(json '[]', '$', 'a', '$', 'b'))", String.raw`"[\"a\",\"b\"]"`],
    [
      'to_json_string(parse_json(\'{"id":"8e5a1234567890123456789","n":1714978884000000000}\'))',
      String.raw`"{\"id\":\"8e5a1234567890123456789\",\"n\":1714978884000000000}"`,
    ],
    [
      'to_json_string(parse_json(\'{"z":{"y":[{"b":1,"a":2}],"x":1}}\'))',
      String.raw`"{\"z\":{\"x\":1,\"y\":[{\"a\":2,\"b\":1}]}}"`,
    ],
    ['json_value(to_json(1.0))', '"1.0"'],
    ['json_array()', '[]'],
    ['json_object()', '{}'],
    ["to_json_string(json_object('k', [1.5, 2.0]))", String.raw`"{\"k\":[1.5,2.0]}"`],
    ['to_json_string(struct(json \'{"b":1,"a":2}\' as j))', String.raw`"{\"j\":{\"a\":2,\"b\":1}}"`],
    ['lax_string_array(json \'["a"]\')[0]', '"a"'],
    ['string_array(json \'["a","b"]\')', '["a","b"]'],
    ["bool_array(json '[true,false]')", '[true,false]'],
    ["float64_array(json '[1,1.5]')", '[1.0,1.5]'],
    ['json_keys(json \'{"b":1,"a.x":{"c":1}}\', 1)', String.raw`["\"a.x\"","b"]`],
    ["json_keys(json '[1]', 1)", '[]'],
    ["json_query_array('[1,null]')", '["1","null"]'],
    ["json_query_array(json '[1,null]')", '[1,null]'],
    ["to_json(numeric '1.5')", '1.5'],
    [String.raw`format('%p', json '[1,null,{"a":"\\u00e9"}]')`, String.raw`"[1,null,{\"a\":\"é\"}]"`],
    [
      "to_json_string(struct(1 as a, [1,2] as b, [] as c, struct('x' as d) as e, cast(null as array<int64>) as f), true)",
      String.raw`"{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": [],\n  \"e\": {\n    \"d\": \"x\"\n  },\n  \"f\": null\n}"`,
    ],
    ['to_json_string([struct(1 as a)], true)', String.raw`"[\n  {\n    \"a\": 1\n  }\n]"`],
    ['to_json_string(1, true)', '"1"'],
    ["json_object(concat('a', 'b'), 1, 'ab', 2, 'a', 3)", '{"a":3,"ab":1}'],
    ["json_object(['a', 'b', 'a'], [1, 2, 3])", '{"a":1,"b":2}'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["json_object('a')", 'JSON_OBJECT takes pairs of a STRING and a value'],
    ['json_object(1, 2)', 'JSON_OBJECT takes pairs of a STRING and a value'],
    ['json_object(null, 1)', 'A key cannot be NULL'],
    ["json_object(if(true, null, 'a'), 1)", 'A key cannot be NULL'],
    ["safe.json_set(json '[]', '$[10001]', 1)", 'not supported by the embedded engine: SAFE.JSON_SET'],
    ["json_object(['a','b'], [1])", 'The number of keys and values must match'],
    ['json_object(cast(null as array<string>), [1])', 'The keys array cannot be NULL'],
    ["json_set(json '{}', '$.a', 1, '$.b')", 'JSON_SET takes pairs of a STRING and a value'],
    ["json_set(json '[]', '$[10001]', 1)", 'not supported by the embedded engine: an index of JSON'],
    ["json_set(json '{}', 'a', 1)", 'JSONPath must start with'],
    ["json_remove(json '{}', '$')", "The JSONPath cannot be '$'"],
    [
      "json_strip_nulls(json '{}', removeempty => true)",
      'JSON_STRIP_NULLS has no argument named removeempty',
    ],
    ['int64_array(json \'[1,"2"]\')', 'elements that are not of the type of INT64_ARRAY'],
    ['string_array(json \'["a",null]\')', 'elements that are not of the type of STRING_ARRAY'],
    ["int64_array(json 'null')", 'The provided JSON value is not an array: null'],
    ["parse_json('1.5', 'round')", 'No matching signature for function PARSE_JSON'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
