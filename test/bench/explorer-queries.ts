/** What log explorers ask, and the fastest form of the same that we know how to write by hand for DuckDB. */
export interface ExplorerQuery {
  readonly name: string;
  /** GoogleSQL over the CTEs of logs.all. */
  readonly sql: string;
  /** DuckDB SQL over the tables; `$1` is the project. Its columns are those of `sql`, in wire types. */
  readonly byHand: string;
  /** The same over tables with a column for each field, which someone has made by hand. */
  readonly flat: string;
  /** Whether `flat` lacks rows, as those tables keep the first one alone of records that an entry has twice. */
  readonly isOfFirst?: boolean;
}

const EDGE = 'logs.main.edge_logs';
const POSTGRES = 'logs.main.postgres_logs';
const AUTH = 'logs.main.auth_logs';
const OF_PROJECT = 'WHERE project = $1';

/** DuckDB unnests in the select list in one pass; in FROM it would join. */
const elements = (columns: string) => `SELECT ${columns}, unnest(metadata) AS m FROM ${EDGE} ${OF_PROJECT}`;

export const EXPLORER_QUERIES: readonly ExplorerQuery[] = [
  {
    name: 'list of requests',
    sql: `select id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code
      from edge_logs
      cross join unnest(metadata) as m
      cross join unnest(m.request) as request
      cross join unnest(m.response) as response
      order by timestamp desc limit 100`,
    byHand: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message, request.method, request.path, request.search,
        response.status_code
      FROM (SELECT id, "timestamp", event_message, request, unnest(m.response) AS response FROM (
        SELECT id, "timestamp", event_message, m, unnest(m.request) AS request FROM (${elements('id, "timestamp", event_message')})))
      ORDER BY "timestamp" DESC LIMIT 100)`,
    flat: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message,
        "metadata.request.method" AS method, "metadata.request.path" AS path, "metadata.request.search" AS search,
        "metadata.response.status_code" AS status_code
      FROM edge_logs ${OF_PROJECT} AND "metadata.request.method" IS NOT NULL ORDER BY "timestamp" DESC LIMIT 100)`,
    isOfFirst: true,
  },
  {
    name: 'list of failed requests',
    sql: `select id, timestamp, event_message, r.status_code
      from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as r
      where r.status_code >= 500
      order by timestamp desc limit 100`,
    byHand: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message, r.status_code
      FROM (SELECT id, "timestamp", event_message, unnest(m.response) AS r FROM (${elements('id, "timestamp", event_message')}))
      WHERE r.status_code >= 500 ORDER BY "timestamp" DESC LIMIT 100)`,
    flat: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message,
        "metadata.response.status_code" AS status_code
      FROM edge_logs ${OF_PROJECT} AND "metadata.response.status_code" >= 500 ORDER BY "timestamp" DESC LIMIT 100)`,
    isOfFirst: true,
  },
  {
    name: 'left joins',
    sql: `select id, timestamp, h.user_agent, cf.country
      from edge_logs
      left join unnest(metadata) as m
      left join unnest(m.request) as r
      left join unnest(r.headers) as h
      left join unnest(r.cf) as cf
      order by timestamp desc limit 100`,
    byHand: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", h.user_agent, cf.country FROM (
        SELECT id, "timestamp", h, unnest(CASE WHEN len(r.cf) > 0 THEN r.cf ELSE [NULL] END) AS cf FROM (
          SELECT id, "timestamp", r, unnest(CASE WHEN len(r.headers) > 0 THEN r.headers ELSE [NULL] END) AS h FROM (
            SELECT id, "timestamp", unnest(CASE WHEN len(m.request) > 0 THEN m.request ELSE [NULL] END) AS r FROM (
              SELECT id, "timestamp", unnest(CASE WHEN len(metadata) > 0 THEN metadata ELSE [NULL] END) AS m
              FROM ${EDGE} ${OF_PROJECT}))))
      ORDER BY "timestamp" DESC LIMIT 100)`,
    flat: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp",
        "metadata.request.headers.user_agent" AS user_agent, "metadata.request.cf.country" AS country
      FROM edge_logs ${OF_PROJECT} ORDER BY "timestamp" DESC LIMIT 100)`,
  },
  {
    name: 'requests by country',
    sql: `select cf.country, count(*) as count
      from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r cross join unnest(r.cf) as cf
      group by cf.country order by count desc, country`,
    byHand: `SELECT cf.country AS country, count(*) AS count FROM (SELECT unnest(r.cf) AS cf FROM (
        SELECT unnest(m.request) AS r FROM (SELECT unnest(metadata) AS m FROM ${EDGE} ${OF_PROJECT})))
      GROUP BY ALL ORDER BY count DESC, country`,
    flat: `SELECT "metadata.request.cf.country" AS country, count(*) AS count FROM edge_logs
      ${OF_PROJECT} AND "metadata.request.cf.country" IS NOT NULL GROUP BY ALL ORDER BY count DESC, country`,
  },
  {
    name: 'count',
    sql: 'select count(*) as count from edge_logs',
    byHand: `SELECT count(*) AS count FROM ${EDGE} ${OF_PROJECT}`,
    flat: `SELECT count(*) AS count FROM edge_logs ${OF_PROJECT}`,
  },
  {
    name: 'top paths',
    sql: `select r.path, r.method, count(*) as count
      from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r
      group by r.path, r.method order by count desc, path, method limit 10`,
    byHand: `SELECT r.path AS path, r.method AS method, count(*) AS count FROM (SELECT unnest(m.request) AS r FROM (
        SELECT unnest(metadata) AS m FROM ${EDGE} ${OF_PROJECT}))
      GROUP BY ALL ORDER BY count DESC, path, method LIMIT 10`,
    flat: `SELECT "metadata.request.path" AS path, "metadata.request.method" AS method, count(*) AS count FROM edge_logs
      ${OF_PROJECT} AND "metadata.request.path" IS NOT NULL GROUP BY ALL ORDER BY count DESC, path, method LIMIT 10`,
  },
  {
    name: 'messages by regular expression',
    sql: String.raw`select id, timestamp, event_message from edge_logs
      where regexp_contains(event_message, r'\| 50[0-9] \|.*avatars/49[0-9]{2}')
      order by timestamp desc limit 100`,
    byHand: String.raw`SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message FROM ${EDGE}
      ${OF_PROJECT} AND regexp_matches(event_message, '\| 50[0-9] \|.*avatars/49[0-9]{2}')
      ORDER BY "timestamp" DESC LIMIT 100)`,
    flat: String.raw`SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message FROM edge_logs
      ${OF_PROJECT} AND regexp_matches(event_message, '\| 50[0-9] \|.*avatars/49[0-9]{2}')
      ORDER BY "timestamp" DESC LIMIT 100)`,
  },
  {
    name: 'chart by hour',
    sql: `select timestamp_trunc(timestamp, hour) as hour, count(*) as count, countif(r.status_code >= 500) as failed
      from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as r
      group by hour order by hour`,
    byHand: `SELECT epoch_us(hour) AS hour, count, failed FROM (
        SELECT date_trunc('hour', "timestamp") AS hour, count(*) AS count, count(*) FILTER (r.status_code >= 500) AS failed
        FROM (SELECT "timestamp", unnest(m.response) AS r FROM (${elements('"timestamp"')}))
        GROUP BY ALL ORDER BY hour)`,
    flat: `SELECT epoch_us(date_trunc('hour', "timestamp")) AS hour, count(*) AS count,
        count(*) FILTER ("metadata.response.status_code" >= 500) AS failed
      FROM edge_logs ${OF_PROJECT} AND "metadata.response.status_code" IS NOT NULL GROUP BY hour ORDER BY hour`,
    isOfFirst: true,
  },
  {
    name: 'newest Postgres errors',
    sql: `select id, postgres_logs.timestamp, event_message, parsed.error_severity, parsed.detail
      from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed
      where parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')
      order by timestamp desc limit 100`,
    byHand: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message, parsed.error_severity, parsed.detail
      FROM (SELECT id, "timestamp", event_message, unnest(m.parsed) AS parsed FROM (
        SELECT id, "timestamp", event_message, unnest(metadata) AS m FROM ${POSTGRES} ${OF_PROJECT}))
      WHERE parsed.error_severity IN ('ERROR', 'FATAL', 'PANIC') ORDER BY "timestamp" DESC LIMIT 100)`,
    flat: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message,
        "metadata.parsed.error_severity" AS error_severity, "metadata.parsed.detail" AS detail
      FROM postgres_logs ${OF_PROJECT} AND "metadata.parsed.error_severity" IN ('ERROR', 'FATAL', 'PANIC')
      ORDER BY "timestamp" DESC LIMIT 100)`,
  },
  {
    name: 'union of three sources',
    sql: `select * from (
        select id, timestamp, event_message, 'edge' as source from edge_logs
        union all select id, timestamp, event_message, 'postgres' as source from postgres_logs
        union all select id, timestamp, event_message, 'auth' as source from auth_logs
      ) order by timestamp desc, source limit 100`,
    byHand: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message, source FROM (
        SELECT id, "timestamp", event_message, 'edge' AS source FROM ${EDGE} ${OF_PROJECT}
        UNION ALL SELECT id, "timestamp", event_message, 'postgres' AS source FROM ${POSTGRES} ${OF_PROJECT}
        UNION ALL SELECT id, "timestamp", event_message, 'auth' AS source FROM ${AUTH} ${OF_PROJECT}
      ) ORDER BY "timestamp" DESC, source LIMIT 100)`,
    flat: `SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM (SELECT id, "timestamp", event_message, source FROM (
        SELECT id, "timestamp", event_message, 'edge' AS source FROM edge_logs ${OF_PROJECT}
        UNION ALL SELECT id, "timestamp", event_message, 'postgres' AS source FROM postgres_logs ${OF_PROJECT}
        UNION ALL SELECT id, "timestamp", event_message, 'auth' AS source FROM auth_logs ${OF_PROJECT}
      ) ORDER BY "timestamp" DESC, source LIMIT 100)`,
  },
];
