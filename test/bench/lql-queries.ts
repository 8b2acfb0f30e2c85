/** A query in LQL, and the same as a person would write it in GoogleSQL. The made entries end at the clock. */
export interface LqlQuery {
  readonly name: string;
  readonly lql: string;
  readonly sql: string;
}

const EVENTS = 'id, timestamp, event_message, metadata';
const NEWEST = 'order by timestamp desc, id desc limit 100';

export const LQL_QUERIES: readonly LqlQuery[] = [
  {
    name: 'a word',
    lql: 'f:edge_logs avatars',
    sql: `select ${EVENTS} from edge_logs where strpos(event_message, 'avatars') > 0 ${NEWEST}`,
  },
  {
    name: 'failed requests of the last day',
    lql: 'f:edge_logs t:last@1d m.response.status_code:>=500 s:id s:timestamp s:event_message',
    sql: `select id, timestamp, event_message from edge_logs
      where timestamp >= timestamp '2026-01-07 00:00:00+00' and timestamp <= timestamp '2026-01-08 00:00:00+00'
        and exists (select 1 from unnest(metadata) as m, unnest(m.response) as r where r.status_code >= 500)
      ${NEWEST}`,
  },
  {
    name: 'posts, not redirected, with columns',
    lql: 'f:edge_logs m.request.method:POST m.load_balancer_redirect_identifier:NULL s:id s:timestamp s:m.request.path@path',
    sql: `select edge_logs.id, edge_logs.timestamp, r.path as path
      from edge_logs left join unnest(metadata) as m left join unnest(m.request) as r
      where exists (select 1 from unnest(metadata) as m, unnest(m.request) as r where r.method = 'POST')
        and (ifnull(array_length(metadata), 0) = 0
          or exists (select 1 from unnest(metadata) as m where m.load_balancer_redirect_identifier is null))
      order by edge_logs.timestamp desc, edge_logs.id desc limit 100`,
  },
  {
    name: 'postgres errors by regular expression',
    lql: 'f:postgres_logs m.parsed.error_severity:~"ERROR|FATAL" -canceling',
    sql: `select ${EVENTS} from postgres_logs
      where exists (
          select 1 from unnest(metadata) as m, unnest(m.parsed) as p where regexp_contains(p.error_severity, 'ERROR|FATAL')
        )
        and not ifnull(strpos(event_message, 'canceling') > 0, false)
      ${NEWEST}`,
  },
  {
    name: 'chart by hour',
    lql: 'f:edge_logs c:count(*) c:group_by(t::hour) -m.response.status_code:200..399',
    sql: `select timestamp_trunc(timestamp, hour) as timestamp, count(*) as count from edge_logs
      where not exists (
        select 1 from unnest(metadata) as m, unnest(m.response) as r where r.status_code between 200 and 399
      )
      group by 1 order by 1`,
  },
];
