import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

/** The type of an expression without a FROM clause. */
const typeOf = (expression: string) => columnsOf(`select (${expression}) as x`).replace(/^x /, '');

describe('an operator', () => {
  test.each<[string, string]>([
    ['1 + 2', 'INT64'],
    ['1 + 2.5', 'FLOAT64'],
    ['1 / 2', 'FLOAT64'],
    ["1 * numeric '2'", 'NUMERIC'],
    ["1.5 * numeric '2'", 'NUMERIC'],
    ["numeric '1' + bignumeric '2'", 'BIGNUMERIC'],
    ["cast(1.5 as float64) + numeric '1'", 'FLOAT64'],
    ['-1', 'INT64'],
    ['-9223372036854775808', 'INT64'],
    ['-(1.5)', 'FLOAT64'],
    ["date '2024-01-01' + 1", 'DATE'],
    ["date '2024-01-01' + interval 1 day", 'DATETIME'],
    ["timestamp '2024-01-01' - interval 1 hour", 'TIMESTAMP'],
    ["'a' || 'b'", 'STRING'],
    ["'a' || 1 || true || date '2024-01-01'", 'STRING'],
    ["b'a' || b'b'", 'BYTES'],
    ['[1] || [2.5]', 'ARRAY<FLOAT64>'],
    ['~5 & 1 << 2', 'INT64'],
    ['1 = 1.5', 'BOOL'],
    ["1 in (1, 2.5, numeric '3')", 'BOOL'],
    ["'a' like any ('a', 'b')", 'BOOL'],
    ['(1, 2) = (1, 2)', 'BOOL'],
    ['(1, "a") in ((1, "a"), (2, "b"))', 'BOOL'],
    ['null in (1, 2)', 'BOOL'],
    ['1 between 0 and null', 'BOOL'],
    ['true and null or false', 'BOOL'],
    ['null is null', 'BOOL'],
    ['1 is distinct from null', 'BOOL'],
    ["timestamp '2024-01-01' > '2023-01-01'", 'BOOL'],
    ["date '2024-01-01' = '2024-01-01'", 'BOOL'],
    ["date '2024-01-01' < datetime '2024-01-01'", 'BOOL'],
    ["time '12:00:00' >= '11:00:00'", 'BOOL'],
    ['@n + 1', 'INT64'],
    ['@N + 1', 'INT64'],
    ['@project || "x"', 'STRING'],
    ["timestamp '2024-01-01' > @project", 'BOOL'],
  ])('%s is %s', (expression, type) => {
    expect(typeOf(expression)).toBe(type);
  });

  test.each<[string, string]>([
    ["1 + '1'", 'Could not cast literal "1" to type DATE'],
    ["1 - '1'", 'No matching signature for operator - for argument types: INT64, STRING'],
    ["1 = '1'", 'No matching signature for operator = for argument types: INT64, STRING'],
    ["1 in ('1')", 'No matching signature for operator IN for argument types: INT64, STRING'],
    ["'é' || b'a'", 'No matching signature for operator ||'],
    ["'a' || [1]", 'No matching signature for operator ||'],
    ['1 and true', 'No matching signature for operator AND'],
    ['not 1', 'No matching signature for operator NOT'],
    ["1 like 'a'", 'No matching signature for operator LIKE'],
    ['[1] = [1]', 'operator = is not defined for arguments of type ARRAY<INT64>, ARRAY<INT64>'],
    ['(1, 2) < (1, 2)', 'operator < is not defined for arguments of type STRUCT<INT64, INT64>'],
    ["json '1' = json '1'", 'operator = is not defined for arguments of type JSON'],
    ["timestamp '2024-01-01' > date '2024-01-01'", 'No matching signature for operator >'],
    ["timestamp '2024-01-01' > 1704067200", 'No matching signature for operator >'],
    ["timestamp '2024-01-01' > concat('2024', '-01-01')", 'No matching signature for operator >'],
    ["timestamp '2024-01-01' > 'yesterday'", 'Could not cast literal "yesterday" to type TIMESTAMP'],
    ["date '2024-01-01' = '2024-02-30'", 'Could not cast literal "2024-02-30" to type DATE'],
    ['1 = null', 'Operands of = cannot be literal NULL; use IS NULL or IS NOT NULL (line 1, column 13)'],
    ['null < 1', 'Operands of < cannot be literal NULL (line 1, column 9)'],
    ['not null', 'Operands of NOT cannot be literal NULL'],
    ['-null', 'Operands of - cannot be literal NULL'],
    ["'a' || null", 'Operands of || cannot be literal NULL'],
    ["null like 'a'", 'Operands of LIKE cannot be literal NULL'],
    ['9223372036854775808', 'Invalid integer literal: 9223372036854775808'],
    ['-9223372036854775809', 'Invalid integer literal: 9223372036854775809'],
    ["date '2024-02-30'", 'Invalid DATE literal: "2024-02-30"'],
    ["timestamp 'x'", 'Invalid TIMESTAMP literal: "x"'],
    ["numeric '1e40'", 'Invalid NUMERIC literal: "1e40"'],
    ["json '{x'", 'Invalid JSON literal: "{x"'],
    ['@nope', 'Query parameter @nope has no value; send nope with the request (line 1, column 9)'],
  ])('%s is refused', (expression, message) => {
    expect(refusalOf(`select (${expression})`)).toContain(message);
  });
});

describe('a conditional expression', () => {
  test.each<[string, string]>([
    ['case when true then 1 when false then 2.5 end', 'FLOAT64'],
    ['case 1 when 1.5 then "a" end', 'STRING'],
    ["case when true then timestamp '2024-01-01' else '2024-01-02' end", 'TIMESTAMP'],
    ["case when true then '2024-01-01' else date '2024-01-02' end", 'DATE'],
    ["case when true then date '2024-01-01' else datetime '2024-01-02' end", 'DATETIME'],
    ['case when true then null end', 'INT64'],
    ['if(null, 1, 2)', 'INT64'],
    ["if(true, null, 'a')", 'STRING'],
    ['coalesce(null, 1, 2.5)', 'FLOAT64'],
    ['coalesce(null, null)', 'INT64'],
    ["ifnull(null, 'a')", 'STRING'],
    ["nullif('a', 'b')", 'STRING'],
    ['greatest(1, 2.5, null)', 'FLOAT64'],
    ['with(a as 1, b as a + 0.5, a * b)', 'FLOAT64'],
  ])('%s is %s', (expression, type) => {
    expect(typeOf(expression)).toBe(type);
  });

  test.each<[string, string]>([
    [
      'case when 1 then 2 end',
      'CASE condition should return type BOOL, but returns INT64 (line 1, column 19)',
    ],
    ["case when true then 1 else 'a' end", 'CASE branches have no common type: INT64, STRING'],
    ["case 1 when 'a' then 2 end", 'No matching signature for operator ='],
    [
      "case when true then date '2024-01-01' else timestamp '2024-01-01' end",
      'CASE branches have no common type: DATE, TIMESTAMP',
    ],
    ['if(1, 2, 3)', 'No matching signature for function IF'],
    ["if(true, 1, 'a')", 'No matching signature for function IF'],
    ['if(true, 1)', 'No matching signature for function IF'],
    ['coalesce()', 'No matching signature for function COALESCE for argument types: none'],
    ["coalesce(1, 'a')", 'No matching signature for function COALESCE'],
    ['greatest([1], [2])', 'GREATEST is not defined for arguments of type ARRAY<INT64>'],
    ["least(json '1')", 'LEAST is not defined for arguments of type JSON'],
  ])('%s is refused', (expression, message) => {
    expect(refusalOf(`select (${expression})`)).toContain(message);
  });
});

describe('a constructor', () => {
  test.each<[string, string]>([
    ['[1, 2.5]', 'ARRAY<FLOAT64>'],
    ["['a', null]", 'ARRAY<STRING>'],
    ['[]', 'ARRAY<INT64>'],
    ['[null]', 'ARRAY<INT64>'],
    ['array<date>["2024-01-01"]', 'ARRAY<DATE>'],
    ['array<struct<int64, string>>[(1, "a")]', 'ARRAY<STRUCT<INT64, STRING>>'],
    ["[numeric '1', 1.5]", 'ARRAY<NUMERIC>'],
    ['[struct(1 as a), struct(2 as a)]', 'ARRAY<STRUCT<a INT64>>'],
    ["[struct(1.5 as a), struct(numeric '1' as b)]", 'ARRAY<STRUCT<a NUMERIC>>'],
    ['[struct(1), struct(2.5 as a)]', 'ARRAY<STRUCT<FLOAT64>>'],
    ["[struct(1.5 as b), struct(cast('1' as float64) as a)]", 'ARRAY<STRUCT<b FLOAT64>>'],
    ['[struct(1, []), struct(1, [2])]', 'ARRAY<STRUCT<INT64, ARRAY<INT64>>>'],
    ['[struct(1, []), struct(1, [2.5])]', 'ARRAY<STRUCT<INT64, ARRAY<FLOAT64>>>'],
    ["[struct(cast('1' as int64), []), struct(1, ['a'])]", 'ARRAY<STRUCT<INT64, ARRAY<STRING>>>'],
    ["[struct(1, null), struct(1, ['a'])]", 'ARRAY<STRUCT<INT64, ARRAY<STRING>>>'],
    ['struct<a int64, array<string>>(1, [])', 'STRUCT<a INT64, ARRAY<STRING>>'],
    ["if(true, [], ['a'])", 'ARRAY<STRING>'],
    ["if(true, ['2024-01-01', null], [date '2024-01-01'])", 'ARRAY<DATE>'],
    ["struct(1 as a, 'x' as b)", 'STRUCT<a INT64, b STRING>'],
    ["(1, 'x')", 'STRUCT<INT64, STRING>'],
    ["struct<a float64, date>(1, '2024-01-01')", 'STRUCT<a FLOAT64, DATE>'],
    ['[10, 20][offset(1)]', 'INT64'],
    ['["a"][0]', 'STRING'],
    ["json '{}'.a['b'][0]", 'JSON'],
  ])('%s is %s', (expression, type) => {
    expect(typeOf(expression)).toBe(type);
  });

  test.each<[string, string]>([
    ["[1, 'a']", 'Array elements have no common type: INT64, STRING'],
    ['[[1]]', 'arrays of arrays are not supported'],
    ['array<array<int64>>[]', 'Arrays of arrays are not supported'],
    ['array<int64>[1.5]', 'Array element type FLOAT64 does not coerce to INT64'],
    ["[struct(1, []), struct(1, ['a'])]", 'Array elements have no common type'],
    ['[struct(1, []), struct(1, [struct(1 as a)])]', 'Array elements have no common type'],
    ['array<struct<int64, array<string>>>[(1, [])]', 'does not coerce to STRUCT<INT64, ARRAY<STRING>>'],
    ["if(true, [null], ['a'])", 'No matching signature for function IF'],
    ["if(true, array<int64>[], ['a'])", 'No matching signature for function IF'],
    ["struct<a int64>('x')", 'Struct field 1 has type STRING which does not coerce to INT64'],
    ['struct<a int64>(1, 2)', 'STRUCT type has 1 field but the call has 2 values'],
    [
      'struct<a int64>(1 as a)',
      'STRUCT constructors cannot specify both an explicit type and field names with AS',
    ],
    ['struct(1 as a, 2 as a).a', 'Struct field name a is ambiguous'],
    ['struct(1 as a).xyz', 'Field name xyz does not exist in the record. It has: a'],
    ["'abc'[0]", 'Subscript access is not supported for a value of type STRING'],
    ["[1]['a']", 'No matching signature'],
    ['cast(1 as nope)', 'Type not found: NOPE'],
  ])('%s is refused', (expression, message) => {
    expect(refusalOf(`select (${expression})`)).toContain(message);
  });
});

describe('a cast', () => {
  test.each<[string, string]>([
    ['cast(null as string)', 'STRING'],
    ["safe_cast('x' as int64)", 'INT64'],
    ["cast('2024-01-01' as timestamp)", 'TIMESTAMP'],
    ['cast([1] as array<string>)', 'ARRAY<STRING>'],
    ['cast((1, "a") as struct<a string, b string>)', 'STRUCT<a STRING, b STRING>'],
    ['cast([] as array<date>)', 'ARRAY<DATE>'],
    ['cast(1 as decimal)', 'NUMERIC'],
    ['cast(1 as integer)', 'INT64'],
  ])('%s is %s', (expression, type) => {
    expect(typeOf(expression)).toBe(type);
  });

  test.each<[string, string]>([
    ["cast(timestamp '2024-01-01' as int64)", 'Invalid cast from TIMESTAMP to INT64 (line 1, column 9)'],
    ['cast(1 as timestamp)', 'Invalid cast from INT64 to TIMESTAMP'],
    ['cast(1.5 as bool)', 'Invalid cast from FLOAT64 to BOOL'],
    ['cast([1] as string)', 'Invalid cast from ARRAY<INT64> to STRING'],
    ["cast('{}' as json)", 'Invalid cast from STRING to JSON'],
    ["cast(json '1' as int64)", 'Invalid cast from JSON to INT64'],
  ])('%s is refused', (expression, message) => {
    expect(refusalOf(`select (${expression})`)).toContain(message);
  });
});

describe('a call', () => {
  const ts = "timestamp '2024-01-01'";

  test.each<[string, string]>([
    ["concat('a', 1, true)", 'STRING'],
    [`timestamp_trunc(${ts}, week(monday))`, 'TIMESTAMP'],
    [`timestamp_diff(${ts}, '2023-01-01', day)`, 'INT64'],
    [`timestamp_add(${ts}, interval @n minute)`, 'TIMESTAMP'],
    [`date_trunc(${ts}, hour)`, 'TIMESTAMP'],
    [`extract(date from ${ts} at time zone 'UTC')`, 'DATE'],
    ["date_diff('2024-01-01', '2023-01-01', month)", 'INT64'],
    ["safe.parse_date('%F', 'x')", 'DATE'],
    ["net.host('https://x')", 'STRING'],
    ["split('a b', ' ')", 'ARRAY<STRING>'],
    ['generate_array(1, 2.5)', 'ARRAY<FLOAT64>'],
    ["json_value('{}', '$.a')", 'STRING'],
    ["json_query(json '{}', '$.a')", 'JSON'],
    ["regexp_extract_all('a', 'b')", 'ARRAY<STRING>'],
    ['mod(7, 2)', 'INT64'],
    ["mod(numeric '7.5', 2)", 'NUMERIC'],
    ['round(1)', 'FLOAT64'],
    ['upper(null)', 'STRING'],
    ['`upper`("a")', 'STRING'],
    ['current_timestamp', 'TIMESTAMP'],
  ])('%s is %s', (expression, type) => {
    expect(typeOf(expression)).toBe(type);
  });

  test.each<[string, string]>([
    ['now()', 'Function not found: now; did you mean pow? (line 1, column 9)'],
    ['regexp_contain("a", "b")', 'Function not found: regexp_contain; did you mean regexp_contains?'],
    [
      "substr('a')",
      'No matching signature for function SUBSTR for argument types: STRING. Accepted: SUBSTR(STRING, INT64[, INT64])',
    ],
    ['upper(1)', 'No matching signature for function UPPER for argument types: INT64'],
    ["upper('a', 'b')", 'No matching signature for function UPPER'],
    [
      "regexp_contains(cast('a' as string), b'b')",
      'No matching signature for function REGEXP_CONTAINS for argument types: STRING, BYTES',
    ],
    ['mod(7.5, 2)', 'No matching signature for function MOD for argument types: FLOAT64, INT64'],
    [
      `timestamp_add(${ts}, interval 1 month)`,
      'TIMESTAMP_ADD does not support the MONTH date part when the argument is TIMESTAMP type; accepted:',
    ],
    [`timestamp_diff(${ts}, ${ts}, year)`, 'TIMESTAMP_DIFF does not support the YEAR date part'],
    [`timestamp_trunc(${ts}, nope)`, 'TIMESTAMP_TRUNC does not support the NOPE date part'],
    [`timestamp_trunc(${ts}, 'day')`, 'No matching signature for function TIMESTAMP_TRUNC'],
    [`timestamp_add(${ts}, 1)`, 'No matching signature for function TIMESTAMP_ADD'],
    ["extract(year from '2024-01-01')", 'EXTRACT does not support literal STRING arguments'],
    [
      "extract(hour from date '2024-01-01')",
      'EXTRACT does not support the HOUR date part when the argument is DATE type',
    ],
    ["extract(time from date '2024-01-01')", 'EXTRACT from DATE does not support the TIME date part'],
    [
      "date_add(date '2024-01-01', interval 1 hour)",
      'DATE_ADD does not support the HOUR date part when the argument is DATE type',
    ],
    ["date_trunc(date '2024-01-01', hour)", 'DATE_TRUNC does not support the HOUR date part'],
    [
      "date_diff(date '2024-01-01', date '2024-01-01', hour)",
      'DATE_DIFF does not support the HOUR date part',
    ],
    ["parse_json('1', nope => 'x')", 'PARSE_JSON has no argument named nope'],
    ['upper(*)', '* as an argument is not allowed in a call of UPPER'],
    ['upper(e -> e)', 'A lambda is not allowed in a call of UPPER'],
    ['session_user()', 'Function SESSION_USER is not supported: callers have access tokens'],
    ['rand() < 0.1', 'Function RAND is not supported: answers are cached'],
    ['safe.generate_uuid()', 'Function GENERATE_UUID is not supported: answers are cached'],
    ['st_geogpoint(1, 2)', 'Function ST_GEOGPOINT is not supported: there is no type GEOGRAPHY'],
    ['kll_quantiles.init_int64(1)', 'Function KLL_QUANTILES.INIT_INT64 is not supported'],
    ['strand()', 'Function not found: strand'],
    ['`$add`(1, 2)', 'Function not found: $add'],
    ['safe.safe.upper("a")', 'Function not found: safe.upper'],
  ])('%s is refused', (expression, message) => {
    expect(refusalOf(`select (${expression})`)).toContain(message);
  });
});

describe('ERROR', () => {
  test.each<[string, string]>([
    ["select error('x') as v", 'v INT64'],
    ["select if(id = 'a', error('x'), [timestamp]) as v from auth_logs", 'v ARRAY<TIMESTAMP>'],
    ["select case when id = 'a' then error(id) else 'b' end as v from auth_logs", 'v STRING'],
    ["select coalesce(error('x'), struct(1.5 as a)) as v", 'v STRUCT<a FLOAT64>'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test('takes one text', () => {
    expect(refusalOf('select error(1)')).toContain('No matching signature for function ERROR');
  });
});
