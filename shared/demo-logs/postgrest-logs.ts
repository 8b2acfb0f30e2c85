import type { Draft } from './draft.ts';
import { fill } from './fill.ts';
import { isIncident } from './incident.ts';
import type { Weighted } from './random.ts';
import type { Period } from './slots.ts';
import { momentIn, randomOf, type Stream, usedSlots } from './slots.ts';

const STREAM: Stream = { name: 'postgrest', slotSeconds: 60 };
const BURST: Stream = { name: 'postgrest/burst', slotSeconds: 12, isActive: isIncident };

const LINES: Weighted<string> = [
  ['Schema cache queried in {ms} milliseconds', 14],
  [
    'Schema cache loaded {tables} Relations, {few} Relationships, {few} Functions, 0 Domain Representations, 4 Media Type Handlers, 1194 Timezones',
    14,
  ],
  ['Schema cache loaded in {ms} milliseconds', 10],
  ['Config reloaded', 8],
  [
    'Successfully connected to PostgreSQL 17.4 on aarch64-unknown-linux-gnu, compiled by gcc (GCC) 13.2.0, 64-bit',
    8,
  ],
  ['Listener connected to PostgreSQL and listening for database notifications on the "pgrst" channel', 6],
  ['Attempting to connect to the database...', 6],
  ['Connection Pool initialized with a maximum size of {pool} connections', 4],
  ['API server listening on port 3000', 2],
  ['Thread killed by timeout manager', 3],
  ['{"code":"PGRST301","details":null,"hint":null,"message":"JWT expired"}', 6],
  [
    'Failed to load the schema cache using db-schemas=public,graphql_public. {"code":"PGRST002","message":"Could not query the database for the schema cache. Retrying."}',
    1,
  ],
];

const INCIDENT_LINES: Weighted<string> = [
  [
    '{"code":"PGRST003","details":null,"hint":null,"message":"Timed out acquiring connection from connection pool."}',
    6,
  ],
  ['{"code":"57014","details":null,"hint":null,"message":"canceling statement due to statement timeout"}', 5],
  ['Thread killed by timeout manager', 2],
];

/** The log of the server behind /rest/v1. */
export function* postgrestLogs(project: string, period: Period): Generator<Draft> {
  yield* entries(STREAM, LINES, project, period);
  yield* entries(BURST, INCIDENT_LINES, project, period);
}

function* entries(
  stream: Stream,
  lines: Weighted<string>,
  project: string,
  period: Period,
): Generator<Draft> {
  for (const slot of usedSlots(stream, project, period)) {
    const random = randomOf(slot, 'postgrest_logs');
    yield {
      id: random.uuid(),
      at: momentIn(slot, random),
      project,
      message: fill(random.weighted(lines), {
        ms: (random.int(200, 9000) / 100).toFixed(1),
        tables: random.int(38, 42),
        few: random.int(5, 30),
        pool: 40,
      }),
      metadata: random.chance(0.02) ? [] : [{ host: `${project}-db` }],
    };
  }
}
