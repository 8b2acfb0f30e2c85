import type { Rows } from './refusal-rows.ts';

export const SHADOWING: Rows = [
  [
    'a CTE of a source’s name',
    'with edge_logs as (select 1 as id) select * from edge_logs',
    'WITH cannot define edge_logs',
  ],
  [
    'the same in capitals',
    'with EDGE_LOGS as (select 1 as id) select * from edge_logs',
    'WITH cannot define EDGE_LOGS',
  ],
  [
    'the same in backquotes',
    'with `edge_logs` as (select 1 as id) select * from edge_logs',
    'WITH cannot define',
  ],
  [
    'a second CTE of a source’s name',
    'with a as (select 1), auth_logs as (select 2) select 1',
    'WITH cannot define auth_logs',
  ],
  [
    'the same in a subquery',
    'select (with edge_logs as (select 1 as a) select a from edge_logs)',
    'WITH cannot define edge_logs',
  ],
  [
    'the same in FROM',
    'select * from (with edge_logs as (select 1) select * from edge_logs)',
    'WITH cannot define edge_logs',
  ],
  [
    'the same in a CTE',
    'with a as (with edge_logs as (select 1) select 1) select 1',
    'WITH cannot define edge_logs',
  ],
  ['two CTEs of one name', 'with a as (select 1 x), A as (select 2 x) select * from a', 'Duplicate alias A'],
  ['a CTE that reads itself', 'with a as (select * from a) select * from a', 'Table not found: a'],
  [
    'a CTE that reads a later one',
    'with a as (select * from b), b as (select 1 x) select * from a',
    'Table not found: b',
  ],
  [
    'a CTE behind its query',
    'select * from (with a as (select 1 x) select * from a), a',
    'Table not found: a',
  ],
  [
    'a CTE of a subquery outside',
    'select (with a as (select 1 x) select x from a) from a',
    'Table not found: a',
  ],
  [
    'recursion in a subquery',
    'select * from (with recursive a as (select 1 x union all select x + 1 from a) select * from a)',
    'WITH RECURSIVE may stand at the beginning of the whole query only',
  ],
  [
    'recursion in a pipe',
    'from edge_logs |> recursive union all (select 1)',
    'Pipe operator RECURSIVE is not allowed',
  ],
  [
    'a recursive CTE with the name of a source',
    'with recursive edge_logs as (select 1 x union all select x + 1 from edge_logs) select * from edge_logs',
    'WITH cannot define edge_logs, the name is taken',
  ],
  [
    'a later CTE with the name of a source that an earlier one reads',
    'with recursive a as (select id from edge_logs), edge_logs as (select 1 as id) select * from a',
    'WITH cannot define edge_logs, the name is taken',
  ],
  [
    'a table in a recursive term',
    'with recursive a as (select 1 as x union all select x from a join secret.t on true) select * from a',
    'Table not found: secret.t',
  ],
  [
    'a table in a CTE that is named before it is defined',
    'with recursive a as (select * from b), b as (select * from secret) select * from a',
    'Table not found: secret',
  ],
  [
    'CTEs that name each other',
    'with recursive a as (select 1 as x union all select x from b), b as (select x from a) select * from a',
    'CTEs of WITH RECURSIVE name each other in a circle: a => b => a',
  ],
  [
    'a name that a WITH inside a recursive one defines again',
    'with recursive a as (with b as (select 1 as x) select x from b), b as (select 2 as x) select * from a',
    'WITH inside a CTE of WITH RECURSIVE cannot define b again',
  ],
  [
    'a recursive CTE outside its query',
    'select * from a union all (with a as (select 1) select * from a)',
    'Table not found: a',
  ],
];

export const EVERYWHERE: Rows = [
  ['a join', 'select 1 from edge_logs e join secret.t s on true', 'Table not found: secret.t'],
  ['a left join', 'select 1 from edge_logs e left join t on true', 'Table not found: t'],
  ['a cross join', 'select 1 from edge_logs cross join secret.t', 'Table not found: secret.t'],
  ['a comma', 'select 1 from edge_logs, secret.t', 'Table not found: secret.t'],
  [
    'a join in parentheses',
    'select 1 from (edge_logs e join secret.t s on true)',
    'Table not found: secret.t',
  ],
  [
    'the condition of a join',
    'select 1 from edge_logs e join auth_logs a on exists (select 1 from secret.t)',
    'Table not found',
  ],
  ['the select list', 'select (select x from secret.t) from edge_logs', 'Table not found: secret.t'],
  ['an array of a query', 'select array(select x from secret.t)', 'Table not found: secret.t'],
  ['WHERE', 'select 1 from edge_logs where id in (select id from secret.t)', 'Table not found: secret.t'],
  ['EXISTS', 'select 1 from edge_logs where exists (select 1 from secret.t)', 'Table not found: secret.t'],
  ['GROUP BY', 'select 1 from edge_logs group by (select x from secret.t)', 'Table not found: secret.t'],
  [
    'HAVING',
    'select count(*) from edge_logs having count(*) > (select 1 from secret.t)',
    'Table not found: secret.t',
  ],
  [
    'QUALIFY',
    'select id from edge_logs qualify row_number() over (order by (select 1 from secret.t)) = 1',
    'Table not found',
  ],
  ['ORDER BY', 'select id from edge_logs order by (select 1 from secret.t)', 'Table not found: secret.t'],
  [
    'a window',
    'select count(*) over (partition by (select 1 from secret.t)) from edge_logs',
    'Table not found: secret.t',
  ],
  ['LIMIT', 'select id from edge_logs limit (select 1 from secret.t)', 'Table not found: secret.t'],
  [
    'an aggregate’s order',
    'select array_agg(id order by (select 1 from secret.t)) from edge_logs',
    'Table not found',
  ],
  ['a function’s argument', "select concat('a', (select x from secret.t))", 'Table not found: secret.t'],
  ['CASE', 'select case when true then (select x from secret.t) end', 'Table not found: secret.t'],
  ['a struct', 'select struct((select x from secret.t) as a)', 'Table not found: secret.t'],
  ['UNNEST', 'select 1 from unnest(array(select x from secret.t))', 'Table not found: secret.t'],
  ['a table in UNNEST', 'select 1 from unnest(secret.t)', 'Unrecognized name: secret'],
  ['a source in UNNEST', 'select 1 from unnest(edge_logs)', 'Unrecognized name: edge_logs'],
  ['a CTE', 'with a as (select * from secret.t) select 1', 'Table not found: secret.t'],
  [
    'a CTE that is not read',
    'with a as (select * from secret.t), b as (select 1 x) select * from b',
    'Table not found: secret.t',
  ],
  [
    'a CTE of a subquery',
    'select (with a as (select x from secret.t) select x from a)',
    'Table not found: secret.t',
  ],
  ['UNION', 'select id from edge_logs union all select id from secret.t', 'Table not found: secret.t'],
  [
    'EXCEPT',
    'select id from edge_logs except distinct (select id from secret.t)',
    'Table not found: secret.t',
  ],
  [
    'INTERSECT',
    '(select id from edge_logs) intersect distinct select id from secret.t',
    'Table not found: secret.t',
  ],
  [
    'REPLACE',
    'select * replace ((select x from secret.t) as id) from edge_logs',
    'Table not found: secret.t',
  ],
  ['WITH in an expression', 'select with(a as (select x from secret.t), a)', 'Table not found: secret.t'],
  ['EXTRACT', 'select extract(day from (select x from secret.t))', 'Table not found: secret.t'],
  ['IS DISTINCT FROM', 'select 1 is distinct from (select x from secret.t)', 'Table not found: secret.t'],
  ['a pipe', 'from secret.t |> select x', 'Table not found: secret.t'],
  ['a pipe’s join', 'from edge_logs |> join secret.t on true', 'Table not found: secret.t'],
  [
    'a pipe’s condition',
    'from edge_logs |> where exists (select 1 from secret.t)',
    'Table not found: secret.t',
  ],
  [
    'a pipe’s union',
    'from edge_logs |> select id |> union all (select id from secret.t)',
    'Table not found: secret.t',
  ],
  ['a pipe’s call', 'from edge_logs |> call secret.f()', 'Pipe operator CALL is not allowed'],
  [
    'a pipe’s export',
    "from edge_logs |> export data options (uri = 'gs://a')",
    'Pipe operator EXPORT is not allowed',
  ],
  ['a pipe’s sample', 'from edge_logs |> tablesample system (1 percent)', 'not allowed'],
  ['a pivot', "select * from secret.t pivot (count(*) for id in ('a'))", 'Table not found: secret.t'],
  [
    'what a pivot aggregates',
    "select 1 from edge_logs pivot (max((select x from secret.t)) for id in ('a'))",
    'Table not found: secret.t',
  ],
  [
    'what comes after a pivot',
    "select 1 from edge_logs pivot (count(*) for id in ('a')) as p, secret.t",
    'Table not found: secret.t',
  ],
  ['an unpivot', 'select * from secret.t unpivot (v for n in (id))', 'Table not found: secret.t'],
  ['LATERAL', 'select 1 from edge_logs, lateral (select 1 from secret.t)', 'LATERAL is not allowed'],
];
