import { demoEntries } from '../../../shared/demo-logs/demo-entries.ts';

export interface Entry {
  readonly id: string;
  readonly timestamp: string;
  readonly event_message: string;
  readonly project: string;
  readonly metadata: readonly Record<string, unknown>[];
}

export const microsOf = (iso: string): bigint =>
  BigInt(Date.parse(`${iso.slice(0, 19)}Z`)) * 1000n + BigInt(iso.slice(20, 26));

const alreadyRead = new Map<string, readonly Entry[]>();

/** Kept for each instant, since most tests ask about the same one. */
export function readEntries(source: string, now: string): readonly Entry[] {
  const key = `${source} ${now}`;
  const entries =
    alreadyRead.get(key) ??
    Array.from(demoEntries(source, microsOf(now)), (line) => JSON.parse(line) as Entry);
  alreadyRead.set(key, entries);
  return entries;
}

/** The records below a path of field names, one array level a step. */
export function recordsAt(entry: Entry, ...path: readonly string[]): Record<string, unknown>[] {
  return path.reduce<Record<string, unknown>[]>(
    (records, name) => records.flatMap((record) => (record[name] ?? []) as Record<string, unknown>[]),
    [...entry.metadata],
  );
}
