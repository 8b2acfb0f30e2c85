import { pickClient } from './clients.ts';
import type { Draft } from './draft.ts';
import { fill } from './fill.ts';
import { isIncident } from './incident.ts';
import type { Random, Weighted } from './random.ts';
import type { Period } from './slots.ts';
import { momentIn, randomOf, type Stream, usedSlots } from './slots.ts';

const STREAM: Stream = { name: 'pgbouncer', slotSeconds: 45 };
const BURST: Stream = { name: 'pgbouncer/burst', slotSeconds: 10, isActive: isIncident };

const LINES: Weighted<string> = [
  [
    'stats: {few} xacts/s, {few} queries/s, {bytes} B/s in, {bytes} B/s out, xact {us} us, query {us} us, wait {few} us',
    34,
  ],
  [
    'C-0x{hex}: postgres/postgres@{address}:{port} login attempt: db=postgres user=postgres tls=TLSv1.3/TLS_AES_256_GCM_SHA384',
    14,
  ],
  ['C-0x{hex}: postgres/postgres@{address}:{port} closing because: client close request (age={few}s)', 14],
  ['S-0x{hex}: postgres/authenticator@127.0.0.1:5432 new connection to server (from 127.0.0.1:{port})', 10],
  ['S-0x{hex}: postgres/authenticator@127.0.0.1:5432 closing because: server idle timeout (age={us}s)', 10],
  ['C-0x{hex}: (nodb)/(nouser)@{address}:{port} closing because: client unexpected eof (age=0s)', 6],
  ['C-0x{hex}: postgres/postgres@{address}:{port} pooler error: password authentication failed', 3],
];

const INCIDENT_LINES: Weighted<string> = [
  ['C-0x{hex}: postgres/authenticator@{address}:{port} closing because: query_wait_timeout (age=120s)', 6],
  ['C-0x{hex}: postgres/authenticator@{address}:{port} pooler error: query_wait_timeout', 6],
  [
    'C-0x{hex}: postgres/authenticator@{address}:{port} pooler error: no more connections allowed (max_client_conn)',
    3,
  ],
];

/** The connection pooler's log. */
export function* pgbouncerLogs(project: string, period: Period): Generator<Draft> {
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
    const random = randomOf(slot, 'pgbouncer_logs');
    yield {
      id: random.uuid(),
      at: momentIn(slot, random),
      project,
      message: fill(random.weighted(lines), { ...values(random), address: address(project, random) }),
      metadata: random.chance(0.02) ? [] : [{ host: random.chance(0.05) ? undefined : `${project}-db` }],
    };
  }
}

function values(random: Random): Record<string, string | number> {
  return {
    hex: `55d1${random.hex(8)}`,
    port: random.int(30_000, 60_999),
    few: random.int(1, 60),
    bytes: random.int(400, 90_000),
    us: random.int(80, 9000),
  };
}

/** PgBouncer puts IPv6 addresses in brackets. */
function address(project: string, random: Random): string {
  const { ip } = pickClient(project, random);
  return ip.includes(':') ? `[${ip}]` : ip;
}
