import { escapeUnprintable } from '../../shared/runtime/printable.ts';
import { formatMicros } from '../../shared/time/iso-timestamp.ts';
import type { Colours } from '../terminal/colour.ts';

/** A log entry as it is followed. */
export interface Entry {
  /** What identifies it: its id, or all of it where it has none. */
  readonly key: string;
  /** Microseconds since the epoch. */
  readonly micros: number;
  /** As the service wrote it. */
  readonly json: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** An entry of a line of NDJSON; null where the row has no `timestamp` that is an instant, or no `id`. */
export function readEntry(json: string): Entry | null {
  const row: unknown = JSON.parse(json);
  if (typeof row !== 'object' || row === null || !('id' in row) || !('timestamp' in row)) return null;
  const { id, timestamp } = row;
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp)) return null;
  return { key: typeof id === 'string' ? id : json, micros: timestamp, json, row: { ...row } };
}

/** Oldest first; of one instant in the order of their keys, which is the reverse of the service's. */
export function inOrder(a: Entry, b: Entry): number {
  return a.micros - b.micros || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** An entry as a line for people: when, and its message. */
export function entryText({ micros, row }: Entry, { dim }: Colours): string {
  const { event_message: message } = row;
  const text = typeof message === 'string' ? message : JSON.stringify(message ?? null);
  return `${dim(formatMicros(BigInt(micros)))}  ${escapeUnprintable(text)}\n`;
}
