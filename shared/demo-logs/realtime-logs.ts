import type { Draft } from './draft.ts';
import { fill } from './fill.ts';
import type { Random, Weighted } from './random.ts';
import { TABLES } from './resources.ts';
import type { Period } from './slots.ts';
import { momentIn, randomOf, type Stream, usedSlots } from './slots.ts';

interface Line {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  /** Whether the entry carries the numbers that were measured. */
  readonly measured?: true;
}

const STREAM: Stream = { name: 'realtime', slotSeconds: 30 };

const LINES: Weighted<Line> = [
  [{ level: 'info', message: 'Billing metrics: [:realtime, :connections]', measured: true }, 30],
  [
    {
      level: 'info',
      message: 'Billing metrics: [:realtime, :rate_counter, :channel, :joins]',
      measured: true,
    },
    10,
  ],
  [{ level: 'info', message: 'Tried to join channel realtime:public:{table}' }, 14],
  [
    {
      level: 'info',
      message: 'Subscribed to PostgreSQL changes on public.{table} (event *, filter owner=eq.{uuid})',
    },
    10,
  ],
  [{ level: 'info', message: 'Replication slot realtime_{project} confirmed up to 0/{hex}' }, 8],
  [{ level: 'info', message: 'Stop tenant {project} because of no connected users' }, 3],
  [{ level: 'info', message: 'Janitor removed {number} messages older than 72 hours' }, 2],
  [{ level: 'warning', message: 'InvalidJWTToken: Token has expired {number} seconds ago' }, 7],
  [{ level: 'warning', message: 'MessagePerSecondRateLimitReached: Too many messages per second' }, 3],
  [{ level: 'error', message: 'ClientJoinRateLimitReached: Too many joins per second' }, 3],
  [
    { level: 'error', message: 'Unauthorized: You do not have permissions to read from topic room:{number}' },
    3,
  ],
  [
    {
      level: 'error',
      message: 'UnableToConnectToProject: ** (DBConnection.ConnectionError) tcp recv (idle): timeout',
    },
    1,
  ],
];

/** The realtime server's log: connections, subscriptions and what it measures. */
export function* realtimeLogs(project: string, period: Period): Generator<Draft> {
  for (const slot of usedSlots(STREAM, project, period)) {
    const random = randomOf(slot, 'realtime_logs');
    const line = random.weighted(LINES);
    yield {
      id: random.uuid(),
      at: momentIn(slot, random),
      project,
      message: fill(line.message, {
        project,
        table: random.pick(TABLES[project] ?? ['items']),
        uuid: random.uuid(),
        hex: random.hex(8).toUpperCase(),
        number: random.int(1, 900),
      }),
      metadata: [
        {
          external_id: random.chance(0.05) ? undefined : project,
          level: line.level,
          measurements: line.measured ? measurements(random) : [],
          project,
        },
      ],
    };
  }
}

function measurements(random: Random): object[] {
  const connected = random.int(3, 180);
  const own = {
    connected,
    connected_cluster: connected + random.int(0, 40),
    limit: 200,
    sum: random.int(0, 5000),
  };
  // Now and then the reading that came late is reported together with the new one.
  return random.chance(0.1) ? [own, { connected: connected - 1, limit: 200 }] : [own];
}
