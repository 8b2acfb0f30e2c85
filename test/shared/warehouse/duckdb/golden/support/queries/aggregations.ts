import { type GoldenQuery, sqlQueries } from '../golden-query.ts';

/** Charts, tables of groups, and window functions. */
export const AGGREGATION_QUERIES: readonly GoldenQuery[] = sqlQueries({
  'count of all entries': 'select count(*) as count from edge_logs',
  'chart of failures by hour': `
select timestamp_trunc(timestamp, hour) as hour, count(*) as count, countif(s.status_code >= 500) as failed
from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as s
group by hour
order by hour`,
  'chart of areas by several exists': `
select
  timestamp_trunc(timestamp, day) as day,
  countif(exists (select 1 from unnest(t.metadata) as m cross join unnest(m.request) as r where starts_with(r.path, '/rest'))) as rest,
  countif(exists (select 1 from unnest(t.metadata) as m cross join unnest(m.request) as r where starts_with(r.path, '/auth'))) as auth
from edge_logs as t
group by day
order by day`,
  'flags by several exists': `
select
  t.id,
  exists (select 1 from unnest(t.metadata) as m cross join unnest(m.request) as r where r.method = 'GET') as reads,
  exists (select 1 from unnest(t.metadata) as m cross join unnest(m.request) as r where r.method = 'POST') as writes,
  exists (select 1 from unnest(t.metadata) as m cross join unnest(m.response) as s where s.status_code >= 400) as fails
from edge_logs as t
order by t.timestamp desc
limit 100`,
  'groups with having': `
select r.path, count(*) as count, avg(s.origin_time) as mean_ms
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as r
cross join unnest(m.response) as s
group by r.path
having count(*) > 10 and mean_ms > 100
order by mean_ms desc, path
limit 20`,
  'groups with subtotals': `
select r.method, s.status_code, count(*) as count
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as r
cross join unnest(m.response) as s
group by rollup (r.method, s.status_code)
order by count desc`,
  'distinct values of a field': `
select distinct r.method
from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r
order by method`,
  'distinct callers by day': `
select timestamp_trunc(timestamp, day) as day, count(distinct h.x_real_ip) as callers, approx_count_distinct(h.user_agent) as agents
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as r
cross join unnest(r.headers) as h
group by day
order by day desc`,
  'first and last entries of groups': `
select m.level, min(t.timestamp) as first, max(t.timestamp) as last, array_agg(t.event_message order by t.timestamp desc limit 3) as newest
from function_logs as t cross join unnest(t.metadata) as m
group by m.level
order by level`,
  'share of the whole': `
select r.method, count(*) as count, safe_divide(count(*), sum(count(*)) over ()) as share
from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r
group by r.method
order by share desc`,
  'newest entry of each path': `
select r.path, t.timestamp, t.event_message
from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r
where true
qualify row_number() over (partition by r.path order by t.timestamp desc) = 1
order by t.timestamp desc
limit 50`,
  'moving average over an hour': `
select minute, count, avg(count) over (order by minute rows between 59 preceding and current row) as mean
from (select timestamp_trunc(timestamp, minute) as minute, count(*) as count from edge_logs group by minute)
order by minute`,
  'gap to the entry before': `
select id, timestamp_diff(timestamp, lag(timestamp) over (order by timestamp), second) as gap
from postgres_logs
order by gap desc
limit 10`,
});
