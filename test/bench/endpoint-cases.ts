import { PROJECTS } from './data/made-time.ts';

/** A request, and the fastest query for the same rows that we know how to write over tables made flat by hand. */
export interface EndpointCase {
  readonly name: string;
  readonly path: string;
  /** DuckDB SQL whose one column is each row as JSON in wire types. */
  readonly sql: string;
  readonly values: readonly string[];
  readonly goal: 'flat' | 'ratio' | null;
}

const PROJECT = PROJECTS[0];
const ENTRY = `'{"id":' || to_json(id) || ',"timestamp":' || epoch_us("timestamp") || ',"event_message":'
  || coalesce(CAST(to_json(event_message) AS VARCHAR), 'null') || ',"metadata":' || "metadata$" || '}'`;

function logsAll(bounds: string): string {
  return `SELECT ${ENTRY} FROM (SELECT id, "timestamp", event_message, "metadata$" FROM edge_logs
    WHERE project = $1${bounds} ORDER BY "timestamp" DESC, id DESC LIMIT 100)`;
}

const AREAS = ['rest', 'storage', 'auth', 'realtime'];
const NOW = "TIMESTAMP '2026-01-08 00:00:00'";

function usage(window: string, unit: string): string {
  const counts = AREAS.map(
    (area) => `count(*) FILTER (contains("metadata.request.path", '/${area}')) AS ${area}`,
  );
  const fields = AREAS.map((area) => `total_${area}_requests := ${area}`);
  return `SELECT to_json(struct_pack("timestamp" := strftime(bucket, '%Y-%m-%dT%H:%M:%S'), ${fields.join(', ')}))::VARCHAR
    FROM (SELECT date_trunc('${unit}', "timestamp") AS bucket, ${counts.join(', ')} FROM edge_logs
      WHERE "timestamp" > ${NOW} - INTERVAL '${window}' AND "timestamp" <= ${NOW}
        AND regexp_matches("metadata.request.url", $1)
      GROUP BY bucket ORDER BY bucket)`;
}

/** What is asked of the endpoints. */
export const ENDPOINT_CASES: readonly EndpointCase[] = [
  {
    name: 'logs.all, newest 100',
    path: `/api/endpoints/query/logs.all?project=${PROJECT}`,
    sql: logsAll(''),
    values: [PROJECT],
    goal: 'flat',
  },
  {
    name: 'logs.all, a day of the week',
    path: `/api/endpoints/query/logs.all?project=${PROJECT}&iso_timestamp_start=2026-01-03&iso_timestamp_end=2026-01-04`,
    sql: logsAll(` AND "timestamp" > TIMESTAMP '2026-01-03' AND "timestamp" <= TIMESTAMP '2026-01-04'`),
    values: [PROJECT],
    goal: 'flat',
  },
  {
    name: 'usage.api-counts, minutely (1/168)',
    path: `/api/endpoints/query/usage.api-counts?interval=minutely&project=${PROJECT}`,
    sql: usage('60 minutes', 'minute'),
    values: [PROJECT],
    goal: null,
  },
  {
    name: 'usage.api-counts, daily (all)',
    path: '/api/endpoints/query/usage.api-counts?interval=daily&project=example%5C.com',
    sql: usage('7 days', 'day'),
    values: ['example\\.com'],
    goal: 'ratio',
  },
];
