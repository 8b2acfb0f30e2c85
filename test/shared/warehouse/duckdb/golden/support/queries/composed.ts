import { type GoldenQuery, sqlQueries } from '../golden-query.ts';

/** CTEs, joins, pipes, set operations, JSON and other expressions. */
export const COMPOSED_QUERIES: readonly GoldenQuery[] = [
  ...sqlQueries({
    'cte that is read twice': `
with failed as (
  select t.id, t.timestamp, s.status_code
  from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.response) as s
  where s.status_code >= 500
  limit 500
)
select a.id, (select count(*) from failed) as failures from failed as a order by a.timestamp desc limit 10`,
    'cte of groups joined with itself': `
with hours as (
  select timestamp_trunc(timestamp, hour) as hour, count(*) as count from edge_logs group by hour
)
select a.hour, a.count, b.count as before
from hours as a left join hours as b on b.hour = timestamp_sub(a.hour, interval 1 hour)
order by a.hour`,
    'join of two sources': `
select e.timestamp, e.event_message, f.event_message as line
from function_edge_logs as e
cross join unnest(e.metadata) as em
join (
  select t.event_message, m.execution_id from function_logs as t cross join unnest(t.metadata) as m
) as f on f.execution_id = em.execution_id
order by e.timestamp desc
limit 100`,
    'subquery that counts other entries': `
select a.id, (select count(*) from auth_logs as b where b.timestamp < a.timestamp) as before
from auth_logs as a
order by a.timestamp
limit 5`,
    'pipes from source to chart': `
from edge_logs as t
|> cross join unnest(t.metadata) as m
|> cross join unnest(m.request) as r
|> where r.method = 'GET'
|> extend timestamp_trunc(t.timestamp, hour) as hour
|> aggregate count(*) as count group by hour, r.path
|> where count > 5
|> order by count desc
|> limit 20`,
    'set operation that leaves out': `
select r.path from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r
except distinct
select m.path from auth_logs cross join unnest(metadata) as m`,
    'json in messages': `
select
  json_value(event_message, '$.path') as path,
  cast(json_value(event_message, '$.status') as int64) as status,
  json_query(event_message, '$.auth_event') as event
from auth_logs
where json_value(event_message, '$.error_code') is not null
order by timestamp desc
limit 100`,
    'json of whole records': `
select id, to_json_string(metadata) as metadata from auth_logs where to_json_string(metadata) like '%token%'
order by timestamp desc
limit 10`,
    'offsets of elements': `
select t.id, position, r.path
from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r with offset as position
order by t.timestamp desc, position
limit 20`,
    'parts of a text': `
select
  regexp_extract(r.path, r'^/rest/v1/([^/?]+)') as resource,
  split(r.path, '/')[safe_offset(1)] as area,
  upper(substr(r.method, 1, 3)) || '…' as method,
  format_timestamp('%F %H:00', t.timestamp, 'Europe/Berlin') as hour
from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r
order by t.timestamp desc
limit 10`,
    'classes of a status': `
select
  case when s.status_code < 400 then 'good' when s.status_code < 500 then 'refused' else 'failed' end as class,
  count(*) as count
from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as s
group by class
order by count desc`,
    'last hour of the clock': `
select count(*) as count
from edge_logs
where timestamp > timestamp_sub(current_timestamp(), interval 1 hour) and timestamp <= current_timestamp()`,
    'what may fail, tried safely': `
select safe_cast(m.status as int64) as status, safe.parse_timestamp('%F', m.msg) as day, count(*) as count
from auth_logs as t cross join unnest(t.metadata) as m
group by status, day
order by count desc`,
  }),
  {
    name: 'lql filter over records',
    language: 'lql',
    text: 'f:edge_logs -m.request.method:GET m.response.status_code:400..499 ~"/rest/v[0-9]"',
  },
  {
    name: 'lql selected fields',
    language: 'lql',
    text: 'f:edge_logs s:m.request.path s:m.response.status_code m.request.path:~"^/auth"',
  },
  {
    name: 'lql percentiles by hour',
    language: 'lql',
    text: 'f:edge_logs c:p95(m.response.origin_time) c:group_by(t::hour)',
  },
];
