/** A consumer's query that must be accepted: what it shows, its text and the sources that it reads. */
export interface Accepted {
  readonly why: string;
  readonly sql: string;
  readonly sources: readonly string[];
}

const EDGE = ['edge_logs'];
const BOTH = ['edge_logs', 'auth_logs'];

const ROWS: readonly (readonly [why: string, sql: string, sources: readonly string[]])[] = [
  ['no source', 'select 1', []],
  [
    'recursion over a source',
    'with recursive a as (select id, 1 as n from edge_logs union all select id, n + 1 from a where n < 3) select * from a',
    EDGE,
  ],
  [
    'a recursive term that reads another source, and a CTE that is named before it is defined',
    'with recursive a as (select id, 1 as n from b union all select l.id, n + 1 from a join auth_logs l on l.id = a.id), b as (select id from edge_logs) select * from a',
    BOTH,
  ],
  ['a whole source', 'select * from edge_logs', EDGE],
  ['a source in capitals', 'SELECT ID FROM EDGE_LOGS', EDGE],
  ['a source in backquotes', 'select `id` from `edge_logs`', EDGE],
  [
    'a log explorer’s query',
    `-- newest
    select cast(edge_logs.timestamp as datetime) as timestamp, event_message, request.method, response.status_code,
    from edge_logs
      cross join unnest(metadata) as metadata
      cross join unnest(metadata.request) as request
      cross join unnest(metadata.response) as response
    where request.path like '%rest%' and response.status_code >= 500
    order by timestamp desc
    limit 100;`,
    EDGE,
  ],
  [
    'nested fields without their alias',
    'select method, path from edge_logs, unnest(metadata) m, unnest(m.request)',
    EDGE,
  ],
  ['a path as an array', 'select m.request from edge_logs e, e.metadata m', EDGE],
  ['a path from a source’s name', 'select 1 from edge_logs, edge_logs.metadata as m, m.request', EDGE],
  ['a path that is correlated', 'select (select count(*) from e.metadata) from edge_logs e', EDGE],
  ['a left join of an array', 'select 1 from edge_logs e left join e.metadata m on true', EDGE],
  ['WITH OFFSET', 'select o from edge_logs, unnest(metadata) m with offset o', EDGE],
  ['an alias that hides a column', 'select metadata from edge_logs, unnest(metadata) as metadata', EDGE],
  ['an alias that is the dataset of stored queries', 'select logs.id from edge_logs as logs', EDGE],
  ['a CTE of that name', 'with logs as (select id from edge_logs) select * from logs', EDGE],
  ['an alias that is another source', 'select auth_logs.id from edge_logs as auth_logs', EDGE],
  ['two sources', 'select 1 from edge_logs e join auth_logs a on e.id = a.id', BOTH],
  ['a join by name', 'select id from edge_logs join auth_logs using (id)', BOTH],
  ['a source twice', 'select a.id from edge_logs a join edge_logs b on a.id = b.id', EDGE],
  [
    'a set operation',
    'select id from auth_logs union all (select id from edge_logs) order by 1 limit 3',
    BOTH,
  ],
  ['CTEs of its own', 'with a as (select id from edge_logs), b as (select id from a) select * from b', EDGE],
  ['a CTE that is not used', 'with a as (select id from auth_logs) select id from edge_logs', BOTH],
  [
    'a CTE in a subquery',
    'select (with a as (select id from auth_logs) select count(*) from a) from edge_logs',
    BOTH,
  ],
  ['a CTE in FROM', 'select * from (with a as (select id from edge_logs) select * from a)', EDGE],
  [
    'a CTE inside that hides one outside',
    'with a as (select 1 x) select (with a as (select 2 x) select x from a) from a',
    [],
  ],
  ['a parenthesised query', '((select id from edge_logs)) order by id', EDGE],
  [
    'a correlated subquery',
    'select 1 from edge_logs e where exists (select 1 from auth_logs a where a.id = e.id)',
    BOTH,
  ],
  ['a window', 'select id, row_number() over w from edge_logs window w as (order by timestamp)', EDGE],
  ['QUALIFY', 'select id from edge_logs where true qualify row_number() over (order by id) = 1', EDGE],
  ['ROLLUP', 'select id, count(*) as n from edge_logs group by rollup (id)', EDGE],
  [
    'GROUP BY ALL',
    'select timestamp_trunc(timestamp, hour) as hour, count(*) as n from edge_logs group by all',
    EDGE,
  ],
  ['EXTRACT', 'select extract(hour from timestamp) from edge_logs', EDGE],
  ['IS DISTINCT FROM', 'select id is not distinct from event_message from edge_logs', EDGE],
  [
    'all forms of literals',
    String.raw`select r'\d', b'\xff', '''a'b''', "c", 0x1f, 1e3, date '2026-01-01', json '{"a": 1}', numeric '1.5'`,
    [],
  ],
  ['a comment at the end', 'select id from edge_logs -- where', EDGE],
  ['an array and a struct', 'select [1, 2] as a, struct(1 as x, "b" as y) as s', []],
  ['a typed array', 'select array<struct<a int64>>[struct(1), struct(2)] as a', []],
  ['a declared parameter', 'select @project as p, @iso_timestamp_start as s', []],
  ['a declared parameter in capitals', 'select @PROJECT as p', []],
  [
    'a parameter of the request',
    "select id from edge_logs where event_message like concat('%', @given, '%')",
    EDGE,
  ],
  ['SAFE', "select safe.parse_date('%F', 'x') as d", []],
  ['NET', "select net.host('https://a.example/x') as h", []],
  [
    'pipe syntax',
    'from edge_logs |> where id is not null |> join auth_logs using (id) |> select id |> limit 5',
    BOTH,
  ],
  [
    'a column called like a keyword in a path',
    'select e.timestamp, e.`timestamp` as t from edge_logs e',
    EDGE,
  ],
];

/** What analysts write. */
export const ACCEPTED: readonly Accepted[] = ROWS.map(([why, sql, sources]) => ({ why, sql, sources }));
