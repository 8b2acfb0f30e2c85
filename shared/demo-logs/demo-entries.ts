import { MICROS_PER_SECOND } from '../time/units.ts';
import { authLogs } from './auth-logs.ts';
import type { Draft, DraftSource } from './draft.ts';
import { edgeLogs } from './edge-logs.ts';
import { functionEdgeLogs } from './function-edge-logs.ts';
import { functionLogs } from './function-logs.ts';
import { compareMoments, isoOf, momentOf } from './moment.ts';
import { pgbouncerLogs } from './pgbouncer-logs.ts';
import { postgresLogs } from './postgres-logs.ts';
import { postgrestLogs } from './postgrest-logs.ts';
import { realtimeLogs } from './realtime-logs.ts';
import { type Period, REACH_SECONDS } from './slots.ts';
import { storageLogs } from './storage-logs.ts';

/** The projects that have demo logs: one to look at, and the one that a self-hosted Supabase Studio asks for. */
export const DEMO_PROJECTS = ['demo', 'default'] as const;

const SOURCES: ReadonlyMap<string, DraftSource> = new Map([
  ['auth_logs', authLogs],
  ['edge_logs', edgeLogs],
  ['function_edge_logs', functionEdgeLogs],
  ['function_logs', functionLogs],
  ['pgbouncer_logs', pgbouncerLogs],
  ['postgres_logs', postgresLogs],
  ['postgrest_logs', postgrestLogs],
  ['realtime_logs', realtimeLogs],
  ['storage_logs', storageLogs],
]);

/** The sources that have demo logs. */
export const DEMO_SOURCES: readonly string[] = [...SOURCES.keys()];

/**
 * Made log entries of one source over the 8 days up to `nowMicros` (microseconds since the epoch): a line of JSON
 * each (without a line break), ascending by timestamp, none after now. Dense in the last hour, thinner before.
 * The same arguments give the same lines; a later now adds entries at the end and thins out the ageing ones, and
 * changes none. A source that is not in DEMO_SOURCES has no entries.
 */
export function* demoEntries(source: string, nowMicros: bigint): Generator<string> {
  const now = momentOf(nowMicros);
  const period = { nowSecond: now.second, reachSeconds: REACH_SECONDS };
  for (const draft of draftsIn(source, period)) if (compareMoments(draft.at, now) <= 0) yield lineOf(draft);
}

/** An entry with its time, in microseconds since the epoch. */
export interface TimedEntry {
  readonly micros: bigint;
  readonly line: string;
}

/** Longer than any request takes from its arrival to its last entry. */
const LONGEST_SECONDS = 600;

/** The entries that `demoEntries` has after one instant up to a later one, of the last hour at most. */
export function* newDemoEntries(source: string, after: bigint, upTo: bigint): Generator<TimedEntry> {
  const [from, to] = [momentOf(after), momentOf(upTo)];
  const period = { nowSecond: to.second, reachSeconds: to.second - from.second + LONGEST_SECONDS };
  for (const draft of draftsIn(source, period)) {
    if (compareMoments(draft.at, from) <= 0 || compareMoments(draft.at, to) > 0) continue;
    const { second, micro } = draft.at;
    yield { micros: BigInt(second) * MICROS_PER_SECOND + BigInt(micro), line: lineOf(draft) };
  }
}

/** What all projects have in a source, ascending by time; some may lie after the period. */
function draftsIn(source: string, period: Period): readonly Draft[] {
  const draftsOf = SOURCES.get(source);
  const drafts =
    draftsOf === undefined ? [] : DEMO_PROJECTS.flatMap((project) => [...draftsOf(project, period)]);
  return drafts.sort((a, b) => compareMoments(a.at, b.at) || (a.id < b.id ? -1 : 1));
}

function lineOf({ id, at, message, project, metadata }: Draft): string {
  return JSON.stringify({ id, timestamp: isoOf(at), event_message: message, project, metadata });
}
