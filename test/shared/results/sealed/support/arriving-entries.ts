import type { Endpoint } from '../../../../../shared/endpoints/endpoint.ts';
import { loadEndpoints } from '../../../../../shared/endpoints/load-endpoints.ts';
import type { QueryParameter } from '../../../../../shared/sql/types/query-parameter.ts';
import type { QueryResult, RunOptions, Warehouse } from '../../../../../shared/warehouse/warehouse.ts';

export const HOUR = 3_600_000_000n;
/** Twenty minutes past an hour. */
export const START = 1_767_226_800_000_000n;

const COUNT = 300;
const PATHS = ['/rest/v1/a', '/storage/v1/b', '/auth/v1/c', '/realtime/v1/d', '/', '/rest/v1/"é\\\n', null];

/** The instants of the entries: on full hours, a microsecond off, and anywhere, from eight days back to six hours ahead. */
const TIMES = Array.from({ length: COUNT }, (_, index) => {
  const scattered = BigInt((index * 2_654_435_761) % 4_294_967_296);
  const instant = START - 8n * 24n * HOUR + (scattered * (8n * 24n + 6n) * HOUR) / 4_294_967_296n;
  const hour = instant - (instant % HOUR);
  return [hour, hour - 1n, hour + 1n, instant][index % 4] ?? instant;
});

export interface ArrivingEntry {
  readonly id: string;
  readonly micros: bigint;
}
export const ENTRIES: readonly ArrivingEntry[] = TIMES.map((micros, index) => ({ id: `e${index}`, micros }));

/** The same as lines of a log file of edge_logs, in the order of time. */
export const LINES = ENTRIES.map(({ id, micros }, index) => {
  const request = { url: `https://demo.example.co/${index % 3}`, path: PATHS[index % PATHS.length] };
  return {
    micros,
    line: {
      id,
      timestamp: isoOf(micros),
      project: 'demo',
      event_message: `m${index % 11}`,
      metadata: [
        { request: [request], response: [{ status_code: 200 + (index % 5), origin_time: index % 9 }] },
      ],
    },
  };
})
  .sort((a, b) => (a.micros < b.micros ? -1 : 1))
  .map(({ line }) => JSON.stringify(line));

function isoOf(micros: bigint): string {
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, -1);
  return `${seconds}${String(micros % 1000n).padStart(3, '0')}Z`;
}

const visible = "SUBSTR(@arrived, CAST(SUBSTR(id, 2) AS INT64) + 1, 1) = '1'";

/** A warehouse over those entries that have arrived, which notes what it is asked to run. */
export function arrivingWarehouse(inner: Warehouse) {
  const world = { arrived: ENTRIES.map(() => true), asked: [] as ReadonlyMap<string, QueryParameter>[] };
  const run: Warehouse['run'] = (query, options): Promise<QueryResult> => {
    world.asked.push(query.parameters);
    const sql = query.sql
      .replace('FROM logs.edge_logs AS t', `FROM (SELECT * FROM logs.edge_logs WHERE ${visible}) AS t`)
      .replace(
        'FROM logs.edge_logs WHERE timestamp >= @lqe_first',
        `FROM logs.edge_logs WHERE ${visible} AND timestamp >= @lqe_first`,
      );
    const arrived: QueryParameter = {
      type: 'STRING',
      value: world.arrived.map((isThere) => (isThere ? '1' : '0')).join(''),
    };
    return inner.run(
      { ...query, sql, parameters: new Map([...query.parameters, ['arrived', arrived]]) },
      options,
    );
  };
  return Object.assign(world, { warehouse: { ...inner, run } });
}

export const COUNTS = (await loadEndpoints('queries')).find('usage.api-counts') as Endpoint;

/**
 * An endpoint with every way to merge, open bounds on both sides, a join with arrays and an order against the keys. Quotients
 * of NUMERIC are exact: the emulator does not round them before it adds.
 */
export const EVERYTHING: Endpoint = {
  ...COUNTS,
  name: 'everything',
  sealedBuckets: {
    grain: 'hour',
    graceSeconds: 900,
    merge: {
      path: 'key',
      day: 'key',
      entries: 'sum',
      quarters: 'sum',
      large: 'sum',
      first: 'min',
      last: 'max',
      message: 'max',
      slowest: 'max',
      any_rest: 'max',
      label: 'any',
      total: 'sum',
    },
  },
  sql: `WITH edge_logs AS (
    SELECT t.* FROM logs.edge_logs AS t
    WHERE CURRENT_TIMESTAMP() - INTERVAL 40 HOUR < t.timestamp AND t.timestamp < CURRENT_TIMESTAMP()
  ), requests AS (
    -- Each with its own time,
    SELECT e.timestamp, e.event_message, r.path, s.origin_time, s.status_code, -- as it is,
    FROM edge_logs AS e, e.metadata AS m, m.request AS r, UNNEST(m.response) AS s
    WHERE REGEXP_CONTAINS(r.url, @project) AND @interval = 'daily'
  )
  SELECT
    path, TIMESTAMP_TRUNC(timestamp, DAY) AS day, COUNT(*) AS entries,
    SUM(CAST(status_code AS NUMERIC) / 4) AS quarters,
    SUM(IF(status_code = 200, 4503599627370496, NULL)) AS large,
    MIN(timestamp) AS first, MAX(timestamp) AS last, MAX(event_message) AS message,
    MAX(origin_time / 7) AS slowest, LOGICAL_OR(path LIKE '/rest%') AS any_rest,
    CONCAT(path, '!') AS label, IFNULL(SUM(origin_time), 0) AS total
  FROM requests
  GROUP BY path, 2
  ORDER BY entries DESC, day, path`,
};

export const OPTIONS: Omit<RunOptions, 'nowMicros'> = { maxRows: 1000, deadlineMs: 600_000 };
