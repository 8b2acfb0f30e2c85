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
  const draftsOf = SOURCES.get(source);
  if (draftsOf === undefined) return;
  const now = momentOf(nowMicros);
  const drafts: Draft[] = [];
  for (const project of DEMO_PROJECTS) {
    for (const draft of draftsOf(project, now.second))
      if (compareMoments(draft.at, now) <= 0) drafts.push(draft);
  }
  drafts.sort((a, b) => compareMoments(a.at, b.at) || (a.id < b.id ? -1 : 1));
  for (const draft of drafts) yield lineOf(draft);
}

function lineOf({ id, at, message, project, metadata }: Draft): string {
  return JSON.stringify({ id, timestamp: isoOf(at), event_message: message, project, metadata });
}
