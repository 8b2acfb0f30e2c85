import { type Client, pickClient, pickUser, type User } from './clients.ts';
import { type EdgeFunction, FUNCTIONS } from './functions.ts';
import { isIncident } from './incident.ts';
import type { Moment } from './moment.ts';
import type { Random, Weighted } from './random.ts';
import type { Period } from './slots.ts';
import { momentIn, randomOf, type Slot, type Stream, usedSlots } from './slots.ts';

/** One call of an edge function, which both sources about functions log. */
export interface Invocation {
  readonly slot: Slot;
  readonly project: string;
  readonly called: EdgeFunction;
  /** These two join the two sources. */
  readonly executionId: string;
  readonly requestId: string;
  readonly deploymentId: string;
  /** When it was called. */
  readonly at: Moment;
  readonly durationMs: number;
  readonly status: number;
  readonly isColdStart: boolean;
  readonly client: Client;
  readonly user: User;
  readonly region: string;
}

const STREAM: Stream = { name: 'functions', slotSeconds: 45 };

const STATUSES: Weighted<number> = [
  [200, 86],
  [204, 3],
  [400, 4],
  [401, 2],
  [500, 3],
  [503, 1],
  [504, 1],
];

/** During the incident most calls that need the database fail. */
const INCIDENT_STATUSES: Weighted<number> = [
  [200, 3],
  [500, 4],
  [504, 3],
];

/** All calls of the project's functions. */
export function* invocations(project: string, period: Period): Generator<Invocation> {
  for (const slot of usedSlots(STREAM, project, period)) yield invocationIn(slot);
}

function invocationIn(slot: Slot): Invocation {
  const random = randomOf(slot, 'invocation');
  const { project } = slot;
  const called = random.pick(FUNCTIONS[project] ?? []);
  return {
    slot,
    project,
    called,
    executionId: random.uuid(),
    requestId: randomOf(slot, 'invocation/request').uuid(),
    deploymentId: `${project}_${called.id}_${called.version}`,
    at: momentIn(slot, random),
    durationMs: durationOf(called, random),
    status: random.weighted(isIncident(project, slot.second) ? INCIDENT_STATUSES : STATUSES),
    isColdStart: random.chance(0.4),
    client: pickClient(project, random),
    user: pickUser(project, randomOf(slot, 'invocation/user')),
    region: random.pick(['eu-central-1', 'us-east-1', 'ap-southeast-1']),
  };
}

/** To the microsecond, as the log has it. */
function durationOf(called: EdgeFunction, random: Random): number {
  const [fastest, slowest] = called.ms;
  return Math.round((fastest + (slowest - fastest) * random.unit() ** 3) * 1000) / 1000;
}
