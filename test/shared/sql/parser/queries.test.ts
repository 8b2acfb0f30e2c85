import { describe, expect, test } from '@jest/globals';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import { bodyTree, fromTree, syntaxError } from './support/syntax-trees.ts';

describe('FROM', () => {
  test.each<[string, string]>([
    ['a', 'a'],
    ['a b', 'a b'],
    ['a as b', 'a b'],
    ['`a b` as `c d`', 'a b c d'],
    ['a, b, c', '((a COMMA b) COMMA c)'],
    ['a join b on x = y', '(a INNER b on (= x y))'],
    ['a inner join b using (x, y)', '(a INNER b using x,y)'],
    ['a left join b on true left outer join c on true', '((a LEFT b on TRUE) LEFT c on TRUE)'],
    ['a right outer join b using (x) full join c using (x)', '((a RIGHT b using x) FULL c using x)'],
    ['a, b join c on true', '((a COMMA b) INNER c on TRUE)'],
    ['a cross join b, c', '((a CROSS b) COMMA c)'],
    ['a join (b join c on true) on true', '(a INNER (b INNER c on TRUE) on TRUE)'],
    ['(a join b on true) join c on true', '((a INNER b on TRUE) INNER c on TRUE)'],
    ['unnest([1]) as x', 'unnest (ARRAY 1) x'],
    ['unnest(a.b) x with offset', 'unnest a.b x @offset'],
    ['unnest(a.b) x with offset as o', 'unnest a.b x @o'],
    ['a, a.b c, c.d', '((a COMMA a.b c) COMMA c.d)'],
    ['a, a.b with offset o', '(a COMMA a.b @o)'],
    ['(select 1) x', '{1} x'],
    ['((select 1)) x', '{{1}} x'],
    ['((select 1) union all (select 2)) x', '{({1} UNION-ALL {2})} x'],
    ['((select 1) order by 1 limit 2) x', '{{1} ORDER LIMIT} x'],
    ['((select 1) x join b on true)', '({1} x INNER b on TRUE)'],
    ['a pivot', 'a pivot'],
    ['a as unpivot', 'a unpivot'],
    ["a pivot (count(*) for x in ('a'))", '(a PIVOT x)'],
    ["a b pivot (count(*) for x + 1 in ('a')) as c, d", '((a b PIVOT (+ x 1)) c COMMA d)'],
    ['a unpivot include nulls ((v, w) for k in ((c, d))) u', '(a UNPIVOT v,w) u'],
  ])('%s is %s', (sql, tree) => {
    expect(fromTree(sql)).toBe(tree);
  });

  test.each<[string, string]>([
    ['a natural join b', 'NATURAL JOIN is not allowed'],
    ['a tablesample system (10 percent)', 'TABLESAMPLE is not allowed'],
    ['a for system_time as of current_timestamp()', 'FOR SYSTEM_TIME AS OF is not allowed'],
    ['f(1)', 'Table function f is not allowed'],
    ['a.f(1)', 'Table function a.f is not allowed'],
    ['a-b.c', 'but got "-"'],
    ['a*', 'but got "*"'],
    ['a@{x=1}', 'Hints are not allowed'],
    ['lateral (select 1)', 'LATERAL is not allowed'],
    ['unnest([1], [2])', 'UNNEST of several arrays is not allowed'],
    ['a,', 'Expected identifier but got end of statement'],
    ['a join', 'Expected identifier but got end of statement'],
    ['a cross b', 'Expected keyword JOIN but got identifier "b"'],
    ['a join b using ()', 'Expected identifier but got ")"'],
    ['a left b', 'Expected keyword JOIN'],
    ['@p', 'Expected identifier but got parameter "p"'],
    ['"a"', 'Expected identifier but got string literal'],
  ])('%s is refused', (sql, message) => {
    expect(syntaxError(`select 1 from ${sql}`)).toContain(message);
  });
});

describe('a query', () => {
  test.each<[string, string]>([
    ['select 1', '1'],
    ['select 1;', '1'],
    ['(select 1) limit 2', '{1} LIMIT'],
    ['select 1 union all select 2 union all select 3', '(1 UNION-ALL 2 UNION-ALL 3)'],
    [
      'select 1 union distinct (select 2 limit 1) order by 1 limit 3',
      '(1 UNION-DISTINCT {2 LIMIT}) ORDER LIMIT',
    ],
    ['(select 1 union all select 2) intersect distinct select 3', '({(1 UNION-ALL 2)} INTERSECT-DISTINCT 3)'],
    ['select 1 except distinct select 2', '(1 EXCEPT-DISTINCT 2)'],
    ['from t |> where x |> select y |> limit 1', '(((from t |> where) |> select) |> limit)'],
    ['select 1 |> where true', '(1 |> where)'],
    [
      'from t |> join u using (x) |> aggregate count(*) group by y |> order by y',
      '(((from t |> join) |> aggregate) |> order)',
    ],
    ['from t |> union all (select 1), (select 2) |> distinct', '((from t |> set-operation) |> distinct)'],
    [
      'from t |> extend 1 as x |> set x = 2 |> drop y |> rename z as w |> as u',
      '(((((from t |> extend) |> set) |> drop) |> rename) |> as)',
    ],
  ])('%s is %s', (sql, tree) => {
    expect(bodyTree(parseStatement(sql))).toBe(tree);
  });

  test('holds all clauses in their order', () => {
    const { ctes, body, orderBy, limit, offset } = parseStatement(
      `with a as (select 1), b as (select 2)
       select distinct a.*, * except (x) replace (1 as y), f(z) over w as q,
       from a, b where c group by 1, rollup(d, e) having g qualify h window w as (partition by i order by j desc nulls last)
       order by k asc nulls first, l limit 1 offset 2`,
    );
    expect(ctes.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(body).toMatchObject({
      kind: 'select',
      distinct: true,
      items: [
        { kind: 'dot-star' },
        { kind: 'star', except: [{ name: 'x' }], replace: [{ name: 'y' }] },
        { alias: 'q' },
      ],
      where: { name: 'c' },
      groupBy: {
        kind: 'items',
        items: [{ kind: 'expression' }, { kind: 'rollup', sets: [[{ name: 'd' }], [{ name: 'e' }]] }],
      },
      having: { name: 'g' },
      qualify: { name: 'h' },
      windows: [
        {
          name: 'w',
          spec: { partitionBy: [{ name: 'i' }], orderBy: [{ descending: true, nullsFirst: false }] },
        },
      ],
    });
    expect(orderBy).toMatchObject([
      { descending: false, nullsFirst: true },
      { descending: false, nullsFirst: null },
    ]);
    expect([limit, offset]).toMatchObject([{ value: '1' }, { value: '2' }]);
  });

  test.each<[string, object]>([
    ['rows 1 preceding', { unit: 'ROWS', start: { kind: 'preceding' }, end: { kind: 'current-row' } }],
    [
      'range between unbounded preceding and unbounded following',
      { unit: 'RANGE', start: { kind: 'unbounded-preceding' }, end: { kind: 'unbounded-following' } },
    ],
    [
      'rows between current row and 2 following',
      { unit: 'ROWS', start: { kind: 'current-row' }, end: { kind: 'following' } },
    ],
  ])('takes the frame %s', (frame, expected) => {
    const { body } = parseStatement(`select sum(x) over (w partition by a order by b ${frame}) from t`);
    expect(body).toMatchObject({ items: [{ expression: { over: { base: 'w', frame: expected } } }] });
  });

  test.each<[string, object]>([
    ['as struct', { as: 'STRUCT' }],
    ['as value', { as: 'VALUE' }],
    ['distinct as struct', { distinct: true, as: 'STRUCT' }],
    ['all', { distinct: false, as: null }],
  ])('takes SELECT %s', (words, expected) => {
    expect(parseStatement(`select ${words} 1 as x`).body).toMatchObject(expected);
  });

  test.each([
    'group by all',
    'group by ()',
    'group by cube(a, (b, c))',
    'group by grouping sets ((a, b), a, ())',
    'group by grouping sets (rollup(a, (b, c)), cube(a), (), a)',
  ])('takes %s', (clause) => {
    expect(parseStatement(`select 1 from t ${clause}`).body).toMatchObject({ groupBy: {} });
  });

  test.each<[string, string]>([
    ['', 'Unexpected end of statement (line 1, column 1)'],
    [';', 'Unexpected ";" (line 1, column 1)'],
    ['select', 'Unexpected end of statement'],
    ['selec 1', 'Unexpected identifier "selec" (line 1, column 1)'],
    ['insert into t values (1)', 'Unexpected identifier "insert"'],
    ['select 1; select 2', 'Expected end of input but got keyword SELECT (line 1, column 11)'],
    ['select 1;;', 'Expected end of input but got ";"'],
    ['select 1 2', 'Expected end of input but got integer literal "2"'],
    ['select 1 a b', 'Expected end of input but got identifier "b"'],
    ['select a,, b', 'Unexpected ","'],
    ['select ,a', 'Unexpected ","'],
    ['select 1 from t where', 'Unexpected end of statement (line 1, column 22)'],
    ['select 1 from t group by', 'Unexpected end of statement'],
    ['select 1 from t group by a,', 'Unexpected end of statement'],
    ['select 1 from t order a', 'Expected keyword BY but got identifier "a"'],
    ['select 1 from t limit 5, 10', 'Expected end of input but got ","'],
    ['select 1 from t offset 5', 'got integer literal "5"'],
    ['select 1 from t window w as (order by a) qualify b', 'Expected end of input but got keyword QUALIFY'],
    ['select 1 from t having a group by b', 'Expected end of input but got keyword GROUP'],
    ['select 1 union select 2', 'Expected keyword ALL or keyword DISTINCT but got keyword SELECT'],
    [
      'select 1 union all select 2 union distinct select 3',
      'Different set operations need parentheses around them (line 1, column 29)',
    ],
    ['select 1 union all select 2 intersect distinct select 3', 'Different set operations need parentheses'],
    ['select 1 order by 1 union all select 2', 'Expected end of input but got keyword UNION'],
    ['select 1 union all by select 2', 'Expected keyword NAME but got keyword SELECT'],
    ['select 1 full union all select 2', 'FULL in a set operation needs BY NAME or CORRESPONDING'],
    ['select 1 inner union all select 2', 'INNER in a set operation needs BY NAME or CORRESPONDING'],
    ['select 1 union all strict by name select 2', 'Expected keyword CORRESPONDING but got keyword BY'],
    ['select 1 left union all strict corresponding select 2', 'cannot have both LEFT and STRICT'],
    ['select 1 union all by name select 2 union all select 3', 'Different set operations need parentheses'],
    ['select 1 full union all by name select 2 left union all by name select 3', 'need parentheses'],
    ['select 1 union all by name on (a) select 2 union all by name on (b) select 3', 'need parentheses'],
    ['select 1 from a inner outer union all by name select 2', 'Expected keyword JOIN but got keyword OUTER'],
    [
      'select (with recursive a as (select 1) select 1)',
      'may stand at the beginning of the whole query only',
    ],
    ['(with recursive a as (select 1) select 1)', 'may stand at the beginning of the whole query only'],
    ['with b as (with recursive a as (select 1) select 1) select 1', 'may stand at the beginning of the'],
    ['from a |> with recursive a as (select 1)', 'Pipe WITH RECURSIVE is not allowed'],
    ['from a |> recursive union all (select 1)', 'Pipe operator RECURSIVE is not allowed'],
    ['with recursive as (select 1) select 1', 'Expected identifier but got keyword AS'],
    ['with a as select 1 select 1', 'Expected "(" but got keyword SELECT'],
    ['with a (x) as (select 1) select 1', 'Expected keyword AS but got "("'],
    ['with a as (select 1), select 1', 'Expected identifier but got keyword SELECT'],
    ['with a as (select 1)', 'Unexpected end of statement'],
    ['select with differential_privacy 1', 'SELECT WITH is not allowed'],
    ['select as x 1', 'Expected keyword STRUCT or keyword VALUE'],
    ['select 1 as from', 'Expected identifier but got keyword FROM'],
    ['(select 1', 'Expected ")" but got end of statement'],
    ['select 1)', 'Expected end of input but got ")"'],
    ['from t |> pivot (x)', 'Expected keyword FOR but got ")"'],
    ['from t |> unpivot (x for y)', 'Expected keyword IN but got ")"'],
    ['from t |>', 'Expected a pipe operator but got end of statement'],
    ['select\n  1,\n  2 3', 'Expected end of input but got integer literal "3" (line 3, column 5)'],
  ])('%j is refused', (sql, message) => {
    expect(syntaxError(sql)).toContain(message);
  });
});
