import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expressionTree, syntaxError } from './support/syntax-trees.ts';

describe('operators', () => {
  test.each<[string, string]>([
    ['1 + 2 * 3', '(+ 1 (* 2 3))'],
    ['1 - 2 - 3', '(- (- 1 2) 3)'],
    ['1 / 2 * 3', '(* (/ 1 2) 3)'],
    ['(1 + 2) * 3', '(* (+ 1 2) 3)'],
    ['- a * b', '(* (- a) b)'],
    ['- - 1', '(- (- 1))'],
    ['~a & b', '(& (~ a) b)'],
    ['+a.b', '(+ a.b)'],
    ['-a[0]', '(- a[plain 0])'],
    ['a << 1 + 2', '(<< a (+ 1 2))'],
    ['a >> 1 & b', '(& (>> a 1) b)'],
    ['a & b ^ c | d', '(| (^ (& a b) c) d)'],
    ['a | b = c', '(= (| a b) c)'],
    ['a = b and c', '(AND (= a b) c)'],
    ['not a = b', '(NOT (= a b))'],
    ['not not a', '(NOT (NOT a))'],
    ['not a and b', '(AND (NOT a) b)'],
    ['a or b and c', '(OR a (AND b c))'],
    ['a and b or c and d', '(OR (AND a b) (AND c d))'],
    ['a or b or c', '(OR (OR a b) c)'],
    ['a <> b', '(!= a b)'],
    ['a != b', '(!= a b)'],
    ['a >= 1 or a <= 2', '(OR (>= a 1) (<= a 2))'],
    ['a between 1 and 2 and b', '(AND (BETWEEN a 1 2) b)'],
    ['a not between 1 + 2 and 3', '(NOT (BETWEEN a (+ 1 2) 3))'],
    ['a in (1, 2)', '(IN a 1 2)'],
    ['a not in (1) or b', '(OR (NOT (IN a 1)) b)'],
    ['a in unnest([1])', '(IN a UNNEST (ARRAY 1))'],
    ['a in (select 1)', '(IN a QUERY)'],
    ["a like 'x' || 'y'", "(LIKE a (|| 'x' 'y'))"],
    ["a not like 'x'", "(NOT (LIKE a 'x'))"],
    ["a like any ('x', 'y')", "(LIKE-ANY a 'x' 'y')"],
    ["a not like all ('x')", "(NOT (LIKE-ALL a 'x'))"],
    ["a like any unnest(['x'])", "(LIKE-ANY a UNNEST (ARRAY 'x'))"],
    ['a is null', '(IS-NULL a)'],
    ['a is not null and b', '(AND (NOT (IS-NULL a)) b)'],
    ['a + 1 is not true', '(NOT (IS-TRUE (+ a 1)))'],
    ['a is unknown', '(IS-NULL a)'],
    ['a is distinct from b', '(IS DISTINCT FROM a b)'],
    ['a is not distinct from b + 1', '(NOT (IS DISTINCT FROM a (+ b 1)))'],
  ])('%s is %s', (sql, tree) => {
    expect(expressionTree(sql)).toBe(tree);
  });

  test.each<[string, RegExp]>([
    ['select 1 = 2 = 3', /Comparisons do not chain/],
    ['select 1 < 2 < 3', /Comparisons do not chain/],
    ['select a in (1) in (2)', /Comparisons do not chain/],
    ['select a is null is null', /Comparisons do not chain/],
    ['select 1 +', /Unexpected end of statement \(line 1, column 11\)/],
    ['select * 2 from t', /but got|Unexpected/],
    ['select 7 % 2', /Expected end of input but got "%" \(line 1, column 10\)/],
    ['select a not b', /but got keyword NOT/],
    ['select a is 1', /Expected keyword NULL but got integer literal "1"/],
    ['select a between 1', /Expected keyword AND but got end of statement/],
    ['select a in 1', /Expected "\(" but got integer literal/],
    ['select a in ()', /Unexpected "\)"/],
    ['select a like any (select b)', /take no subquery as patterns; write UNNEST\(ARRAY\(SELECT …\)\)/],
    ['select a like all (with b as (select 1) select 2)', /take no subquery as patterns/],
  ])('%s is refused', (sql, message) => {
    expect(syntaxError(sql)).toMatch(message);
  });

  const levels = [['or'], ['and'], ['='], ['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['||'], ['*', '/']];
  test('group by precedence as parentheses would', () => {
    const operators = levels.flatMap((level, index) => level.map((text) => ({ text, index })));
    fc.assert(
      fc.property(fc.constantFrom(...operators), fc.constantFrom(...operators), (first, second) => {
        fc.pre(!(first.text === '=' && second.text === '='));
        const plain = `a ${first.text} b ${second.text} c`;
        const grouped =
          second.index > first.index
            ? `a ${first.text} (b ${second.text} c)`
            : `(a ${first.text} b) ${second.text} c`;
        expect(expressionTree(plain)).toBe(expressionTree(grouped));
      }),
    );
  });
});

describe('an expression', () => {
  test.each<[string, string]>([
    ["'a' 'b' \"c\"", "'abc'"],
    ["timestamp '2024-01-01'", '2024-01-01'],
    ['case when a then b else c end', '(CASE a b else:c)'],
    ['case a when 1 then 2 when 3 then 4 end', '(CASE of:a 1 2 3 4)'],
    ['cast(a + 1 as string)', '(CAST (+ a 1) STRING)'],
    ['safe_cast(a as array<struct<x int64, array<string>>>)', '(SAFE_CAST a array)'],
    ['extract(year from a)', '(EXTRACT YEAR a)'],
    ["extract(week(monday) from a at time zone 'UTC')", "(EXTRACT WEEK a 'UTC')"],
    ['interval 1 day', '(INTERVAL 1 DAY)'],
    ['interval a + 1 hour', '(INTERVAL (+ a 1) HOUR)'],
    ['[1, 2]', '(ARRAY 1 2)'],
    ['array<int64>[]', '(ARRAY)'],
    ['array(select 1)', '(ARRAY)'],
    ['(1, 2)', '(STRUCT 1 2)'],
    ["struct(1 as a, 'x')", "(STRUCT a:1 'x')"],
    ['struct<a int64, string>(1, null)', '(STRUCT 1 NULL)'],
    ['exists (select 1)', '(EXISTS)'],
    ['((select 1))', '(SCALAR)'],
    ['((select 1) union all (select 2))', '(SCALAR)'],
    ['a.b.c', 'a.b.c'],
    ['a.select', 'a.select'],
    ['a.b[offset(0)].c[safe_ordinal(1)]', 'a.b[offset 0].c[safe_ordinal 1]'],
    ['a[b[0]]', 'a[plain b[plain 0]]'],
    ['f(a, b)', '(F a b)'],
    ['count(*)', '(COUNT *)'],
    ['net.host(a)', '(NET.HOST a)'],
    ['safe.net.host(a)', '(SAFE.NET.HOST a)'],
    ['if(a, b, c)', '(IF a b c)'],
    ['left(a, 1)', '(LEFT a 1)'],
    ['current_timestamp', '(CURRENT_TIMESTAMP)'],
    ['current_date()', '(CURRENT_DATE)'],
    ["parse_json('1', wide_number_mode => 'round')", "(PARSE_JSON '1' wide_number_mode=>'round')"],
    ['f(e -> e + 1, (a, b) -> a)', '(F e->(+ e 1) a,b->a)'],
    ['(with(a as 1, a))', '(WITH a:1 a)'],
    ['with(a as 1, b as a + 1, a * b)', '(WITH a:1 b:(+ a 1) (* a b))'],
    ['@p + @`q r`', '(+ @p @q r)'],
    ['date', 'date'],
    ["date(a, 'UTC')", "(DATE a 'UTC')"],
    ['`select`', 'select'],
    ['null', 'NULL'],
    ['true', 'TRUE'],
  ])('%s is %s', (sql, tree) => {
    expect(expressionTree(sql)).toBe(tree);
  });

  test.each<[string, string]>([
    ['select case end', 'Unexpected keyword END'],
    ['select case when 1 end', 'Expected keyword THEN but got keyword END'],
    ['select case when 1 then 2', 'Expected keyword END but got end of statement'],
    ['select cast(1)', 'Expected keyword AS but got ")"'],
    ['select cast(1 as)', 'Expected identifier but got ")"'],
    ["select cast('a' as string(5))", 'Type parameters are not allowed in CAST'],
    ["select collate('a', 'und:ci')", 'COLLATE is not allowed; LOWER(…) compares'],
    ['select extract(from a)', 'Expected identifier but got keyword FROM'],
    ['select interval 1', 'Expected identifier but got end of statement'],
    ['select [1, ]', 'Unexpected "]"'],
    ['select f(1, )', 'Unexpected ")"'],
    ['select (1, )', 'Unexpected ")"'],
    ['select (1', 'Expected "," but got end of statement'],
    ['select ()', 'Unexpected ")"'],
    ['select a.', 'Expected identifier but got end of statement'],
    ['select a.1', 'Illegal input character "1"'],
    ['select @@time_zone', 'System variables (@@name) are not allowed'],
    ['select ?', 'Positional parameters are not allowed'],
    ['select @', 'Unexpected "@"'],
    ['select @{x=1} 1', 'Hints are not allowed'],
    ['select exists 1', 'Expected "(" but got integer literal "1"'],
    ['select from', 'Unexpected keyword FROM (line 1, column 8)'],
    ['select array<int64', 'Expected ">" but got end of statement'],
    ['select id::string from t', 'write CAST(id AS STRING)'],
    ['select count(*) filter (where true) from t', 'got "("'],
  ])('%s is refused', (sql, message) => {
    expect(syntaxError(sql)).toContain(message);
  });
});
