import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL JSON functions on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ["json_value_array('{\"a\":1}', '$.b')", '[]'],
    ['json_value(\'{"a":{"b":[1,"x",null,true]}}\', \'$.a.b[1]\')', '"x"'],
    ['json_value(\'{"a":{"b":[1,"x",null,true]}}\', \'$.a.b[0]\')', '"1"'],
    ['json_value(\'{"a":{"b":[1,"x",null,true]}}\', \'$.a.b[2]\')', 'null'],
    ['json_value(\'{"a":{"b":[1,"x",null,true]}}\', \'$.a.b[3]\')', '"true"'],
    ['json_value(\'{"a":{"b":[1,"x",null,true]}}\', \'$.a.b\')', 'null'],
    ['json_value(\'{"a":{"b":[1,"x",null,true]}}\', \'$.a.c\')', 'null'],
    ["json_value('{\"a\":1.50}', '$.a')", '"1.50"'],
    ["json_value('{\"a\":1e5}', '$.a')", '"1e5"'],
    ["json_value('{\"a\":-0}', '$.a')", '"-0"'],
    ["json_value('{\"a\":123456789012345678901234567890}', '$.a')", '"123456789012345678901234567890"'],
    ['json_value(\'{"v":"1.50", "a":"x 1.5"}\', \'$.a\')', '"x 1.5"'],
    ["json_value('{bad', '$.a')", 'null'],
    ["json_value('{\"a\":1,}', '$.a')", '"1"'],
    ["json_value('{\"a\":NaN}', '$.a')", 'null'],
    ['json_value(\'{"a":"NaN,]"}\', \'$.a\')', '"NaN,]"'],
    ["json_value('', '$.a')", 'null'],
    ['json_value(\'"abc"\')', '"abc"'],
    ['json_value(\'{"a b":1}\', \'$."a b"\')', '"1"'],
    ['json_extract_scalar(\'{"a b":1}\', "$[\'a b\']")', '"1"'],
    [
      'json_query(\'{"a":{"b": [1.50, "x", 2.0e1], "c":null}}\', \'$.a\')',
      String.raw`"{\"b\":[1.50,\"x\",2.0e1],\"c\":null}"`,
    ],
    ["json_query('{\"a\":null}', '$.a')", 'null'],
    ['json_query(\'{"a":"x"}\', \'$.a\')', String.raw`"\"x\""`],
    ["json_extract('{\"a\":[1,2]}', '$.a[0]')", '"1"'],
    ["json_extract_scalar('{\"a\":[1,2]}', '$.a[1]')", '"2"'],
    ['json_query_array(\'[1, 2.50, "x"]\')', String.raw`["1","2.50","\"x\""]`],
    ['json_extract_array(\'{"a":[1,{"b":2}]}\', \'$.a\')', String.raw`["1","{\"b\":2}"]`],
    ["json_query_array('{\"a\":1}', '$.a')", '[]'],
    ['json_value_array(\'["a", 1, true]\')', '["a","1","true"]'],
    ['json_value_array(\'["a", [1]]\')', '[]'],
    ['json_extract_string_array(\'{"a":["x"]}\', \'$.a\')', '["x"]'],
    ['json_value(json \'{"a":{"b":1}}\', \'$.a.b\')', '"1"'],
    ['json_query(json \'{"a":{"b":1}}\', \'$.a\')', '{"b":1}'],
    ['(json \'{"a":{"b":[1,2]}}\').a.b[1]', '2'],
    ['json_type(json \'{"a":1}\')', '"object"'],
    ["json_type(json '1')", '"number"'],
    ['json_type(parse_json(\'"x"\'))', '"string"'],
    ["json_type(json 'null')", '"null"'],
    ['parse_json(\'{"a":1}\')', '{"a":1}'],
    ["safe.parse_json('{bad')", 'null'],
    ["bool(json 'true')", 'true'],
    ["int64(json '10')", '10'],
    ["int64(json '10.0')", '10'],
    ["float64(json '9.8')", '9.8'],
    ['string(json \'"x"\')', '"x"'],
    ['lax_int64(json \'"10"\')', '10'],
    ["lax_int64(json 'true')", '1'],
    ['lax_int64(json \'"1.1"\')', '1'],
    ['lax_int64(json \'"foo"\')', 'null'],
    ["lax_string(json '1.5')", '"1.5"'],
    ['lax_bool(json \'"TRUE"\')', 'true'],
    ["lax_bool(json '0')", 'false'],
    ['lax_float64(json \'"1e3"\')', '1000.0'],
    [String.raw`to_json_string('a"b\n')`, String.raw`"\"a\\\"b\\n\""`],
    [
      "to_json_string(struct(1 as a, 'x' as b, [1.5, 2.0] as c, null as d))",
      String.raw`"{\"a\":1,\"b\":\"x\",\"c\":[1.5,2],\"d\":null}"`,
    ],
    ['to_json_string(9007199254740993)', String.raw`"\"9007199254740993\""`],
    ["to_json_string(timestamp '2024-05-06 07:00:00.5+00')", String.raw`"\"2024-05-06T07:00:00.500Z\""`],
    ["to_json_string(date '2024-05-06')", String.raw`"\"2024-05-06\""`],
    [
      'to_json_string(struct(cast(null as array<int64>) as a, cast([] as array<int64>) as b))',
      String.raw`"{\"a\":null,\"b\":[]}"`,
    ],
    ["to_json_string(cast('nan' as float64))", String.raw`"\"NaN\""`],
    ['to_json_string(cast(null as string))', '"null"'],
    ['to_json_string([struct(1 as a), struct(2)])', String.raw`"[{\"a\":1},{\"a\":2}]"`],
    ["to_json(struct(1 as a, 'x' as b))", '{"a":1,"b":"x"}'],
    ["json_value('{\"a b\":1}', '$.a b')", '"1"'],
    ['json_value(\'{"a-b":{"c:d":1}}\', \'$.a-b.c:d\')', '"1"'],
    ["json_value('{\"é\":1}', '$.é')", '"1"'],
    [String.raw`json_value('{"a":"\\u00e9\\n"}', '$.a')`, String.raw`"é\n"`],
    [String.raw`json_query('{"a":"\\u00e9"}', '$.a')`, String.raw`"\"é\""`],
    ['json_value(\'[{"a":1},{"a":2}]\', \'$[1].a\')', '"2"'],
    ['json_extract_scalar(\'{"a":{"b":"c"}}\', "$[\'a\'][\'b\']")', '"c"'],
    ['to_json_string([1,null,3])', '"[1,null,3]"'],
    ["to_json_string(b'abc')", String.raw`"\"YWJj\""`],
    ['to_json_string(1.5)', '"1.5"'],
    ['to_json_string(true)', '"true"'],
    ["to_json_string('é</')", String.raw`"\"é</\""`],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ['json_value(\'{"a b":1}\', "$.\'a b\'")', 'JSONPath'],
    ["json_value('{\"a\":1}', 'a')", 'JSONPath'],
    ["parse_json('{bad')", 'Invalid input to PARSE_JSON'],
    ['int64(json \'"10"\')', 'The provided JSON value is not of type INT64: "10"'],
    ["string(json '1')", 'The provided JSON value is not of type STRING: 1'],
    ["json_value('{\"é\":1}', '$.*')", 'JSONPath'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
