import { type AttackRow, Q } from './attack.ts';

export const SHADOWING: readonly AttackRow[] = [
  ['a CTE with a source’s name', 'with edge_logs as (select 1 as x) select * from edge_logs', 'refused'],
  [
    'a CTE with a source’s name in capitals',
    'with EDGE_LOGS as (select 1 as x) select * from edge_logs',
    'refused',
  ],
  [
    'a CTE with a source’s name by an escape',
    `with ${Q}\\x65dge_logs${Q} as (select 1 as x) select * from edge_logs`,
    'refused',
  ],
  [
    'a CTE with a source’s name that reads the table',
    'with edge_logs as (select * from logs.edge_logs) select * from edge_logs',
    'refused',
  ],
  [
    'a CTE with a source’s name that reads itself',
    'with edge_logs as (select * from edge_logs) select * from edge_logs',
    'refused',
  ],
  [
    'such a CTE in a subquery',
    'select * from (with edge_logs as (select 1 as x) select * from edge_logs)',
    'refused',
  ],
  [
    'such a CTE in an expression',
    'select (with edge_logs as (select 1 as x) select x from edge_logs)',
    'refused',
  ],
  [
    'such a CTE inside a CTE',
    'with a as (with edge_logs as (select 1 as x) select * from edge_logs) select * from a',
    'refused',
  ],
  ['such a CTE that is not read', 'with auth_logs as (select 1 as x) select id from edge_logs', 'refused'],
  [
    'two CTEs of one name',
    'with a as (select 1 as x), a as (select id from edge_logs) select * from a',
    'refused',
  ],
  [
    'two CTEs of one name but for case',
    'with a as (select 1 as x), A as (select id from edge_logs) select * from a',
    'refused',
  ],
  [
    'an inner CTE that shadows an outer',
    'with a as (select 1 as x) select * from (with a as (select id from edge_logs) select * from a)',
    ['edge_logs'],
  ],
  [
    'a CTE that shadows in its own body',
    'with a as (with a as (select id from edge_logs) select * from a) select * from a',
    ['edge_logs'],
  ],
  ['an alias with a source’s name', 'select edge_logs.id from auth_logs as edge_logs', ['auth_logs']],
  [
    'an alias with the name of a source that is read too',
    'select 1 as x from auth_logs as edge_logs, edge_logs',
    'refused',
  ],
  [
    'a query in parentheses under the name of a source',
    '(select id from auth_logs) as edge_logs |> select edge_logs.id',
    ['auth_logs'],
  ],
  [
    'a query under a name that a later join reads as a table',
    '(select id from auth_logs) as secret |> cross join secret.t',
    'refused',
  ],
  [
    'a table between conditions of nested joins',
    'select 1 as x from edge_logs join auth_logs join secret.t on true on true',
    'refused',
  ],
  [
    'sources of nested joins',
    'select 1 as x from edge_logs as a join auth_logs as b join edge_logs as c on true on true',
    ['edge_logs', 'auth_logs'],
  ],
  ['a column alias with a source’s name', 'select id as edge_logs from auth_logs', ['auth_logs']],
  [
    'a consumer’s CTE with the name of the table behind',
    'with logs as (select id from edge_logs) select * from logs',
    ['edge_logs'],
  ],
];

export const CTE_SCOPE: readonly AttackRow[] = [
  [
    'a CTE before it is defined',
    'with a as (select * from b), b as (select 1 as x) select * from a',
    'refused',
  ],
  ['a CTE that reads itself', 'with a as (select * from a) select * from a', 'refused'],
  [
    'a CTE of an inner WITH from outside',
    'select * from (with a as (select 1 as x) select * from a), a',
    'refused',
  ],
  [
    'a CTE of one branch from the other',
    '(with a as (select 1 as x) select * from a) union all select * from a',
    'refused',
  ],
  ['a CTE of a CTE', 'with a as (with b as (select 1 as x) select * from b) select * from b', 'refused'],
  ['a CTE of a scalar subquery', 'select (with a as (select 1 as x) select x from a), x from a', 'refused'],
  ['a CTE by a path', 'with a as (select 1 as x) select * from a.x', 'refused'],
  ['a CTE with a list of columns', 'with a(x) as (select id from edge_logs) select x from a', 'refused'],
  [
    'a CTE around another',
    'with a as (select id from edge_logs), b as (select * from a) select * from b',
    ['edge_logs'],
  ],
  [
    'a source inside a CTE inside a subquery',
    'select (with a as (select id from edge_logs) select count(*) from a) as n',
    ['edge_logs'],
  ],
  [
    'a CTE that is not read but reads a table',
    'with a as (select * from secret.t) select id from edge_logs',
    'refused',
  ],
  [
    'a CTE that is not read and reads a source',
    'with a as (select id from auth_logs) select id from edge_logs',
    ['edge_logs', 'auth_logs'],
  ],
];

export const RECURSION: readonly AttackRow[] = [
  [
    'WITH RECURSIVE',
    'with recursive a as (select 1 as x union all select x + 1 from a where x < 9) select * from a',
    [],
  ],
  ['WITH RECURSIVE that does not recur', 'with recursive a as (select 1 as x) select * from a', []],
  [
    'recursion over a source',
    'with recursive a as (select id from edge_logs union all select id from a where false) select * from a',
    ['edge_logs'],
  ],
  [
    'recursion under the name of a source',
    'with recursive edge_logs as (select 1 as x union all select x from edge_logs) select * from edge_logs',
    'refused',
  ],
  [
    'a source that a later CTE would take the place of',
    'with recursive a as (select id from edge_logs), edge_logs as (select 1 as id) select * from a',
    'refused',
  ],
  [
    'a table before its definition',
    'with recursive a as (select * from t), t as (select * from secret.t) select * from a',
    'refused',
  ],
  ['a circle', 'with recursive a as (select * from b), b as (select * from a) select * from a', 'refused'],
  [
    'a name that a WITH inside defines again',
    'with recursive a as (with b as (select 1 as x) select x from b), b as (select id as x from edge_logs) select * from a',
    'refused',
  ],
  [
    'WITH RECURSIVE in a subquery',
    'select * from (with recursive a as (select 1 as x) select * from a)',
    'refused',
  ],
  [
    'a depth modifier',
    'with recursive a as (select 1 as x union all select x from a) with depth as d select * from a',
    'refused',
  ],
  ['a pipe’s recursion', 'from edge_logs |> select 1 as x |> recursive union all (select 2)', 'refused'],
  ['a CTE called recursive', `with ${Q}recursive${Q} as (select 1 as x) select * from ${Q}recursive${Q}`, []],
];

export const PATHS: readonly AttackRow[] = [
  ['a path from a source that is not in FROM', 'select 1 from edge_logs e, auth_logs.metadata', 'refused'],
  ['a path from a source after its alias', 'select 1 from edge_logs e, edge_logs.metadata', 'refused'],
  ['a path to the left of its start', 'select 1 from e.metadata, edge_logs e', 'refused'],
  ['a path across a subquery', 'select 1 from edge_logs e, (select 1 from e.metadata)', 'refused'],
  [
    'a path into a subquery that is right',
    'select (select count(*) from e.metadata) as n from edge_logs e',
    ['edge_logs'],
  ],
  ['a path in EXISTS', 'select id from edge_logs e where exists (select 1 from e.metadata)', ['edge_logs']],
  [
    'a path in a CTE of a subquery',
    'select (with a as (select 1 as x from e.metadata) select count(*) from a) as n from edge_logs e',
    'refused',
  ],
  [
    'a path from an alias of another branch',
    'select 1 from edge_logs e union all select 1 from e.metadata',
    'refused',
  ],
  ['a path to no array', 'select 1 from edge_logs e, e.id', 'refused'],
  ['a path to no field', 'select 1 from edge_logs e, e.secret', 'refused'],
  ['a path whose start is a column', 'select 1 from edge_logs, metadata.request', 'refused'],
  ['a path of three parts', 'select 1 as x from edge_logs e, unnest(e.metadata) m, m.request', ['edge_logs']],
  ['UNNEST of a table', 'select * from unnest(secret.t)', 'refused'],
  ['UNNEST of a source', 'select * from unnest(edge_logs)', 'refused'],
  ['UNNEST of a query of a table', 'select * from unnest(array(select x from secret.t))', 'refused'],
  [
    'UNNEST of a query of a source',
    'select * from unnest(array(select id from edge_logs)) as id',
    ['edge_logs'],
  ],
  ['UNNEST of a quoted path', `select * from edge_logs, unnest(${Q}secret.t${Q})`, 'refused'],
  ['UNNEST of several arrays', 'select * from unnest([1], [2])', 'refused'],
  ['a function called unnest', `select * from ${Q}unnest${Q}([1])`, 'refused'],
  ['IN UNNEST of a table', 'select 1 from edge_logs where id in unnest(secret.t)', 'refused'],
  ['IN a table', 'select 1 from edge_logs where id in secret.t', 'refused'],
  ['WITH OFFSET on a table', 'select * from secret.t with offset', 'refused'],
  ['a path through a field of a struct', 'select s.t from (select struct(1 as t) as s)', []],
];

export const SUBQUERIES: readonly AttackRow[] = [
  ['a table in a scalar subquery', 'select (select x from secret.t) from edge_logs', 'refused'],
  ['a table in IN', 'select id from edge_logs where id in (select x from secret.t)', 'refused'],
  [
    'a table in IN with more parentheses',
    'select id from edge_logs where id in ((select x from secret.t))',
    'refused',
  ],
  ['a table in LIKE ANY', 'select id from edge_logs where id like any (select x from secret.t)', 'refused'],
  [
    'a table in a comparison with ANY',
    'select id from edge_logs where id = any (select x from secret.t)',
    'refused',
  ],
  [
    'a table in CASE',
    'select case when exists (select 1 from secret.t) then 1 end from edge_logs',
    'refused',
  ],
  ['a table in an aggregate', 'select sum((select x from secret.t)) from edge_logs', 'refused'],
  [
    'a table in ORDER BY of an aggregate',
    'select array_agg(id order by (select x from secret.t)) from edge_logs',
    'refused',
  ],
  ['a table in a window', 'select sum(1) over (order by (select x from secret.t)) from edge_logs', 'refused'],
  [
    'a table in a named window',
    'select sum(1) over w from edge_logs window w as (partition by (select x from secret.t))',
    'refused',
  ],
  [
    'a table in a frame',
    'select sum(1) over (order by id rows (select x from secret.t) preceding) from edge_logs',
    'refused',
  ],
  ['a table in LIMIT', 'select id from edge_logs limit (select x from secret.t)', 'refused'],
  ['a table in OFFSET', 'select id from edge_logs limit 1 offset (select x from secret.t)', 'refused'],
  ['a table in a subscript', 'select [1][offset((select x from secret.t))] from edge_logs', 'refused'],
  ['a table in REPLACE', 'select * replace ((select x from secret.t) as id) from edge_logs', 'refused'],
  [
    'a table in GROUPING SETS',
    'select 1 from edge_logs group by grouping sets ((select x from secret.t), ())',
    'refused',
  ],
  [
    'a table in QUALIFY',
    'select id from edge_logs qualify rank() over (order by id) = (select x from secret.t)',
    'refused',
  ],
  [
    'a table in a lambda',
    'select array_filter([1], e -> e in (select x from secret.t)) from edge_logs',
    'refused',
  ],
  ['a table in an interval', 'select interval (select x from secret.t) day from edge_logs', 'refused'],
  [
    'a table in a time zone',
    'select extract(day from timestamp at time zone (select x from secret.t)) from edge_logs',
    'refused',
  ],
  [
    'a table in the format of a cast',
    'select cast(id as bytes format (select x from secret.t)) from edge_logs',
    'refused',
  ],
  [
    'a table in a named argument',
    "select parse_json('1', wide_number_mode => (select x from secret.t)) from edge_logs",
    'refused',
  ],
  [
    'a table in HAVING MAX',
    'select any_value(id having max (select x from secret.t)) from edge_logs',
    'refused',
  ],
  [
    'a table in ON',
    'select 1 from edge_logs a join auth_logs b on a.id = (select x from secret.t)',
    'refused',
  ],
];
