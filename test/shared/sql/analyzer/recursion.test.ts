import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

const STEP = 'select n + 1 from a where n < 3';
const recursive = (body: string) => `with recursive a as (${body}) select * from a`;

describe('a recursive CTE', () => {
  test.each<[string, string]>([
    [recursive(`select 1 as n union all ${STEP}`), 'n INT64'],
    [recursive(`select 1.5 as n union all select 2 from a where n < 2`), 'n FLOAT64'],
    [
      recursive(`select 1 as n, cast(null as string) as s union all select n + 1, 'x' from a`),
      'n INT64, s STRING',
    ],
    [recursive(`select 1 as n union distinct ${STEP}`), 'n INT64'],
    [recursive(`(select 1 as n union all select 2) union all ${STEP}`), 'n INT64'],
    [recursive(`select 1 as n |> union all (${STEP})`), 'n INT64'],
    [recursive(`with b as (select 1 as n) select n from b union all ${STEP}`), 'n INT64'],
    [recursive('select 1 as n union all select n + 1 from (select * from a) where n < 3'), 'n INT64'],
    [recursive('select 1 as n union all select n + 1 from a left join (select 1 as m) on true'), 'n INT64'],
    [
      recursive(
        'select id, 0 as n from edge_logs union all select a.id, n + 1 from auth_logs join a using (id)',
      ),
      'id STRING, n INT64',
    ],
    ['with recursive a as (select * from b), b as (select 1 as x) select * from a', 'x INT64'],
    ['with recursive a as (select 1 as x) select * from a', 'x INT64'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      recursive('select * from a'),
      'must be <non-recursive term> UNION ALL <recursive term>, or UNION DISTINCT (line 1, column 16)',
    ],
    [recursive('select 1 as n except distinct select n from a'), 'must be <non-recursive term> UNION ALL'],
    [recursive('select n from a union all select 1 as n'), 'a may not be read in its non-recursive term'],
    [
      recursive(`select 1 as n union all (${STEP}) union all select 7`),
      'a may not be read in its non-recursive term',
    ],
    [
      recursive('select 1 as n union all select x.n from a x join a y on true'),
      'Multiple recursive references to a',
    ],
    [
      recursive('select 1 as n union all select (select max(n) from a) from unnest([1])'),
      'in a subquery of an expression',
    ],
    [
      recursive('select 1 as n union all select n + 1 from a where n < (select max(n) from a)'),
      'in a subquery of an expression',
    ],
    [
      recursive(
        'select 1 as n union all select b.n from (select 1 as n) b join a on b.n in (select n from a)',
      ),
      'in a subquery of an expression',
    ],
    [
      recursive('select 1 as n union all (with b as (select * from a) select n from b)'),
      'nor in a WITH inside it',
    ],
    [
      recursive('with b as (select n from a) select 1 as n union all select n from b'),
      'a may not be read in a WITH inside it',
    ],
    [
      recursive('select 1 as n union all select count(*) from a'),
      'may not use DISTINCT, GROUP BY or an aggregate function: a',
    ],
    [
      recursive('select 1 as n union all select distinct n from a'),
      'may not use DISTINCT, GROUP BY or an aggregate function: a',
    ],
    [
      recursive('select 1 as n union all select n from a group by n'),
      'may not use DISTINCT, GROUP BY or an aggregate function: a',
    ],
    [
      recursive('select 1 as n union all select row_number() over () from a'),
      'may not use a window function: a',
    ],
    [
      recursive('select 1 as n union all select n from a qualify row_number() over (order by n) = 1'),
      'may not use a window function: a',
    ],
    [recursive('select 1 as n union all (select n from a limit 1)'), 'may not use LIMIT: a'],
    [recursive('select 1 as n union all (select n from a order by n)'), 'may not use ORDER BY: a'],
    [
      recursive('select 1 as n union all select n from a order by n'),
      'A recursive query may not use ORDER BY or LIMIT: a',
    ],
    [
      recursive('select 1 as n union all select n from a limit 1'),
      'A recursive query may not use ORDER BY or LIMIT: a',
    ],
    [
      recursive('select 1 as n union all (select n from a union distinct select 1)'),
      'may not use UNION DISTINCT, INTERSECT or EXCEPT: a',
    ],
    [
      recursive('select 1 as n union all (select 1 except distinct select n from a)'),
      'may not use UNION DISTINCT, INTERSECT or EXCEPT: a',
    ],
    [
      recursive('select 1 as n union all select n from (select 1 as m) left join a on true'),
      'where LEFT JOIN adds rows of NULLs: a',
    ],
    [
      recursive('select 1 as n union all select n from a right join (select 1 as m) on true'),
      'where RIGHT JOIN adds rows of NULLs: a',
    ],
    [
      recursive('select 1 as n union all select n from a full join (select 1 as m) on true'),
      'where FULL JOIN adds rows of NULLs: a',
    ],
    [
      recursive('select 1 as n union all by name select n from a'),
      'BY NAME cannot be used in the UNION of a recursive CTE',
    ],
    [
      recursive('select 1 as n union all select n, 2 from a'),
      'The recursive term has 2 columns, the non-recursive term 1',
    ],
    [
      recursive('select 1 as n union all select n + 0.5 from a'),
      "Cannot coerce column 1 of the recursive term (FLOAT64) to the column's type in the non-recursive term (INT64)",
    ],
    [
      recursive("select json '1' as n union distinct select n from a"),
      'has type JSON that cannot be compared',
    ],
    [
      'with recursive a as (select * from b), b as (select * from a) select * from a',
      'name each other in a circle: a => b => a',
    ],
    [
      'with recursive a as (select * from b), b as (select * from c), c as (select 1 union all select * from b) select * from a',
      'name each other in a circle: b => c => b',
    ],
    [
      'with recursive a as (select 1), a as (select 2) select * from a',
      'Duplicate alias a for WITH subquery',
    ],
    [
      'with recursive a as (with b as (select 1) select * from b), b as (select 2) select * from a',
      'cannot define b again',
    ],
    ['with a as (select 1 as n union all select n from a) select * from a', 'Table not found: a'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
