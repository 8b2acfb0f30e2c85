import { readFileSync } from 'node:fs';
import { microsOf } from './iso.ts';

/** A value as it lies in an event: whole numbers exact, others as doubles. */
export type Value = string | bigint | number | boolean | null | readonly Value[] | EventRecord;

export interface EventRecord {
  readonly [name: string]: Value | undefined;
}

/** An event; its timestamp is in microseconds. */
export interface LogEvent extends EventRecord {
  readonly id: string;
  readonly timestamp: bigint;
}

/** Reads events from lines of JSON; whole numbers keep all their digits. */
export function readEvents(lines: readonly string[]): LogEvent[] {
  return lines.map((line) => {
    const event = JSON.parse(line, exactNumber) as LogEvent & { readonly timestamp: unknown };
    return { ...event, timestamp: microsOf(String(event.timestamp)) };
  });
}

function exactNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value;
  return /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? '') : value;
}

const DATASET = '../shared/reference/lql-dataset.jsonl';

/** The data set's lines of each source, as its log files hold them. */
export function datasetLines(): Readonly<Record<string, readonly string[]>> {
  const bySource: Record<string, string[]> = {};
  for (const line of readFileSync(DATASET, 'utf8').trimEnd().split('\n')) {
    const [, name = '', rest = ''] = /^\{"source": "([a-z_]+)", (.*)$/.exec(line) ?? [];
    bySource[name] ??= [];
    bySource[name].push(`{${rest}`);
  }
  return bySource;
}

/**
 * The values at a path, level by level as LEFT JOIN UNNEST reads them: a missing or empty record gives one null.
 * A list counts as one value; a missing one is empty.
 */
export function valuesAt(event: LogEvent, path: string): readonly Value[] {
  const names = path.split('.');
  const leaf = names.pop() ?? '';
  let records: readonly (EventRecord | null)[] = [event];
  for (const name of names) records = records.flatMap((one) => elementsOf(one, name));
  return records.map((one) => one?.[leaf] ?? null);
}

/** The elements of a repeated record, or one null if there are none. */
export function elementsOf(within: EventRecord | null, name: string): readonly (EventRecord | null)[] {
  const elements = (within?.[name] ?? []) as readonly EventRecord[];
  return elements.length === 0 ? [null] : elements;
}
