import { PROJECTS } from '../data/made-time.ts';
import { EXPLORER_QUERIES } from '../explorer-queries.ts';

/** What is asked of the service, and of ClickHouse over a table with a column for each field. */
export interface Question {
  readonly name: string;
  /** The request's path. */
  readonly path: string;
  readonly clickHouse: string;
  /** Whether ClickHouse's table lacks rows, as it keeps the first one alone of records that an entry has twice. */
  readonly isOfFirst?: boolean;
}

const PROJECT = PROJECTS[0];
const MICROS = 'toUnixTimestamp64Micro(timestamp)';
const OF_PROJECT = `FROM edge_logs WHERE project = '${PROJECT}'`;

/** A consumer's query of the log-explorer benchmark. */
function explorer(name: string, clickHouse: string, isOfFirst = false): Question {
  const sql = EXPLORER_QUERIES.find((query) => query.name === name)?.sql;
  if (sql === undefined) throw new TypeError(`no query ${name}`);
  const path = `/api/endpoints/query/logs.all?project=${PROJECT}&sql=${encodeURIComponent(sql)}`;
  return { name, path, clickHouse, isOfFirst };
}

const AREAS = ['rest', 'storage', 'auth', 'realtime'];
const NOW = "toDateTime64('2026-01-08 00:00:00', 6, 'UTC')";

export const QUESTIONS: readonly Question[] = [
  {
    name: 'newest 100 with metadata',
    path: `/api/endpoints/query/logs.all?project=${PROJECT}`,
    clickHouse: `SELECT id, ${MICROS} AS timestamp, event_message, \`metadata$\` AS metadata FROM (
      SELECT id, timestamp, event_message, \`metadata$\` ${OF_PROJECT} ORDER BY timestamp DESC, id DESC LIMIT 100)`,
  },
  {
    name: 'usage.api-counts, daily',
    path: '/api/endpoints/query/usage.api-counts?interval=daily&project=example%5C.com',
    clickHouse: `SELECT formatDateTime(toStartOfDay(timestamp), '%Y-%m-%dT%H:%i:%S') AS timestamp,
        ${AREAS.map((area) => `countIf(position(\`metadata.request.path\`, '/${area}') > 0) AS total_${area}_requests`).join(', ')}
      FROM edge_logs AS e WHERE e.timestamp > ${NOW} - INTERVAL 7 DAY AND e.timestamp <= ${NOW}
        AND match(\`metadata.request.url\`, 'example\\\\.com')
      GROUP BY toStartOfDay(e.timestamp) AS day ORDER BY day`.replace(
      'toStartOfDay(timestamp)',
      'toStartOfDay(e.timestamp)',
    ),
  },
  explorer(
    'top paths',
    `SELECT \`metadata.request.path\` AS path, \`metadata.request.method\` AS method, count() AS count ${OF_PROJECT}
      AND path IS NOT NULL GROUP BY path, method ORDER BY count DESC, path, method LIMIT 10`,
  ),
  explorer(
    'requests by country',
    `SELECT \`metadata.request.cf.country\` AS country, count() AS count ${OF_PROJECT}
      AND country IS NOT NULL GROUP BY country ORDER BY count DESC, country`,
  ),
  explorer(
    'chart by hour',
    `SELECT toUnixTimestamp(toStartOfHour(timestamp)) * 1000000 AS hour, count() AS count,
        countIf(\`metadata.response.status_code\` >= 500) AS failed ${OF_PROJECT}
      AND \`metadata.response.status_code\` IS NOT NULL GROUP BY hour ORDER BY hour`,
    true,
  ),
  explorer(
    'list of failed requests',
    `SELECT id, ${MICROS} AS timestamp, event_message, status_code FROM (
      SELECT id, timestamp, event_message, \`metadata.response.status_code\` AS status_code ${OF_PROJECT}
      AND status_code >= 500 ORDER BY timestamp DESC LIMIT 100)`,
    true,
  ),
  explorer(
    'messages by regular expression',
    `SELECT id, ${MICROS} AS timestamp, event_message FROM (
      SELECT id, timestamp, event_message ${OF_PROJECT}
      AND match(event_message, '\\\\| 50[0-9] \\\\|.*avatars/49[0-9]{2}') ORDER BY timestamp DESC LIMIT 100)`,
  ),
];
