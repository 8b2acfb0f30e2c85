import { type GoldenQuery, sqlQueries } from '../golden-query.ts';

/** Lists of entries: newest pages, pages by position, and results without a LIMIT. */
export const ENTRY_QUERIES: readonly GoldenQuery[] = [
  ...sqlQueries({
    'entries all, newest first': `
select id, timestamp, event_message from edge_logs order by timestamp desc`,
    'entries all, in slices with records': `
select t.id, t.timestamp, r.method, r.path
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as r
where r.method = 'POST'
order by t.timestamp`,
    'entries with whole metadata, newest': `
select * from edge_logs order by timestamp desc limit 100`,
    'entries by position': `
select id, timestamp, metadata from edge_logs order by timestamp desc, id limit 50 offset 150`,
    'entries left joined with their records, newest': `
select t.id, t.timestamp, h.user_agent, cf.country
from edge_logs as t
left join unnest(t.metadata) as m
left join unnest(m.request) as r
left join unnest(r.headers) as h
left join unnest(r.cf) as cf
order by t.timestamp desc
limit 100`,
    'entries whose records meet conditions': `
select id, timestamp, event_message
from edge_logs as t
where exists (
  select 1 from unnest(t.metadata) as m cross join unnest(m.response) as s where s.status_code between 500 and 599
) and not exists (
  select 1 from unnest(t.metadata) as m cross join unnest(m.request) as r where starts_with(r.path, '/health')
)
order by timestamp desc
limit 100`,
    'entries by a value of their records': `
select id, timestamp, event_message
from edge_logs as t
where 'DE' in (
  select cf.country from unnest(t.metadata) as m cross join unnest(m.request) as r cross join unnest(r.cf) as cf
)
order by timestamp desc
limit 20`,
    'entries by regular expression': String.raw`
select id, timestamp, event_message
from edge_logs
where regexp_contains(event_message, r'(?i)\| 50[0-9] \|') and event_message not like '%/health%'
order by timestamp desc
limit 100`,
    'entries by regular expression with words': String.raw`
select id, timestamp, event_message
from edge_logs
where regexp_contains(event_message, r'\| 50[0-9] \|.*avatars/49[0-9]{2}')
order by timestamp desc
limit 100`,
    'entries of three sources in one order': `
select * from (
  select id, timestamp, event_message, 'edge' as source from edge_logs
  union all select id, timestamp, event_message, 'postgres' as source from postgres_logs
  union all select id, timestamp, event_message, 'auth' as source from auth_logs
) order by timestamp desc, source limit 100`,
    'entries in the order of their source': 'select id, event_message from edge_logs',
    'entries whose record is found again': `
select t.id, (select any_value(s.status_code) from unnest(t.metadata) as m cross join unnest(m.response) as s) as status
from edge_logs as t
order by timestamp desc
limit 10`,
    'entries with an array of their records': `
select t.id, array(
  select as struct r.method, r.path from unnest(t.metadata) as m cross join unnest(m.request) as r where r.path is not null
) as requests
from edge_logs as t
order by timestamp desc
limit 10`,
  }),
  {
    name: 'entries newest of all time',
    language: 'sql',
    text: 'select id, timestamp, event_message, metadata from edge_logs order by timestamp desc limit 100',
    nullParameters: ['iso_timestamp_start', 'iso_timestamp_end'],
  },
];
