/** @import { Source } from '../editor/vocabulary.js' */
/** @import { Language } from '../state/location.js' */
/** @typedef {{ readonly source: string, readonly language: Language, readonly title: string, readonly query: string }} Example */

/** @type {readonly Example[]} */
const EXAMPLES = [
  {
    source: 'edge_logs',
    language: 'sql',
    title: 'Failed requests (5xx)',
    query: `select timestamp, r.method, r.path, s.status_code, event_message
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as r
cross join unnest(m.response) as s
where s.status_code >= 500
order by timestamp desc
limit 100`,
  },
  {
    source: 'edge_logs',
    language: 'sql',
    title: 'Requests by status, minute by minute',
    query: `select
  timestamp_trunc(timestamp, minute) as minute,
  countif(s.status_code < 400) as good,
  countif(s.status_code between 400 and 499) as refused,
  countif(s.status_code >= 500) as failed
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.response) as s
group by minute
order by minute`,
  },
  {
    source: 'edge_logs',
    language: 'sql',
    title: 'Slowest paths',
    query: `select
  r.path,
  count(*) as requests,
  approx_quantiles(s.origin_time, 100)[offset(95)] as p95_ms,
  max(s.origin_time) as slowest_ms
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as r
cross join unnest(m.response) as s
group by r.path
order by p95_ms desc
limit 50`,
  },
  {
    source: 'postgres_logs',
    language: 'sql',
    title: 'Database errors',
    query: `select t.timestamp, p.error_severity, p.sql_state_code, p.user_name, event_message
from postgres_logs as t
cross join unnest(metadata) as m
cross join unnest(m.parsed) as p
where p.error_severity in ('ERROR', 'FATAL', 'PANIC')
order by t.timestamp desc
limit 100`,
  },
  {
    source: 'auth_logs',
    language: 'sql',
    title: 'Refused sign-ins',
    query: `select t.timestamp, m.path, m.status, m.msg, m.error
from auth_logs as t
cross join unnest(metadata) as m
where m.status >= 400
order by t.timestamp desc
limit 100`,
  },
  {
    source: 'edge_logs',
    language: 'lql',
    title: 'Failed requests (5xx)',
    query: 'f:edge_logs m.response.status_code:>=500',
  },
  {
    source: 'edge_logs',
    language: 'lql',
    title: 'Failed requests, minute by minute',
    query: 'f:edge_logs m.response.status_code:>=500 c:count(*) c:group_by(t::minute)',
  },
  {
    source: 'postgres_logs',
    language: 'lql',
    title: 'Database errors',
    query: 'f:postgres_logs m.parsed.error_severity:~"ERROR|FATAL|PANIC"',
  },
  { source: 'auth_logs', language: 'lql', title: 'Refused sign-ins', query: 'f:auth_logs m.status:400..499' },
];

/** The examples in a language over sources that there are. @param {Language} language @param {readonly Source[]} sources */
export function examplesFor(language, sources) {
  return EXAMPLES.filter(
    (one) => one.language === language && sources.some(({ name }) => name === one.source),
  );
}
