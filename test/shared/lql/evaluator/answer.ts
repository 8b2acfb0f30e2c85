import { checkQuery, columnName, hasChart } from './check.ts';
import { startOf } from './civil-time.ts';
import { meets } from './conditions.ts';
import { type EventRecord, elementsOf, type LogEvent, type Value, valuesAt } from './events.ts';
import type { AggregateName, Clause, Query } from './model.ts';
import { type Field, type Fields, fieldAt } from './schema.ts';

const MAX_ROWS = 100;

export interface Column {
  readonly name: string;
  readonly field: Field;
}

/** What a query answers. The rows of one event have no order among themselves; a group holds them. */
export interface LqlAnswer {
  readonly columns: readonly Column[];
  readonly groups: readonly (readonly (readonly Value[])[])[];
  /** How many rows the answer may have; a chart has as many as it has. */
  readonly limit: number;
}

/** The logs that queries run over. */
export interface Logs {
  readonly schemas: Readonly<Record<string, Fields>>;
  readonly events: Readonly<Record<string, readonly LogEvent[]>>;
}

/** Answers a query as the reference says; throws LqlFault where it has a fault. */
export function answerQuery(
  query: Query,
  logs: Logs,
  defaultSource: string | null,
  nowMicros: bigint,
): LqlAnswer {
  const source = checkQuery(query, logs.schemas, defaultSource);
  const fields = logs.schemas[source] ?? {};
  const events = (logs.events[source] ?? []).filter((event) =>
    query.every((clause) => isNoFilter(clause) || meets(event, clause, fields, nowMicros)),
  );
  if (hasChart(query)) return chart(query, events, fields);
  const newestFirst = events.toSorted((a, b) => {
    if (a.timestamp !== b.timestamp) return a.timestamp > b.timestamp ? -1 : 1;
    return Buffer.compare(Buffer.from(b.id), Buffer.from(a.id));
  });
  const paths = selectedPaths(query, fields);
  const columns = [...paths].map(([path, name]) => column(name, path, fields));
  const groups = newestFirst.map((event) => joinedRows(event, [...paths.keys()]));
  return { columns, groups, limit: MAX_ROWS };
}

function isNoFilter(
  clause: Clause,
): clause is Extract<Clause, { kind: 'from' | 'select' | 'aggregate' | 'group' }> {
  return ['from', 'select', 'aggregate', 'group'].includes(clause.kind);
}

function column(name: string, path: string, fields: Fields): Column {
  const field = fieldAt(fields, path);
  if (field === null) throw new TypeError(`no field ${path}`);
  return { name, field };
}

/** The columns' names by their paths. */
function selectedPaths(query: Query, fields: Fields): ReadonlyMap<string, string> {
  const selects = query.filter((clause) => clause.kind === 'select');
  if (selects.length === 0 || selects.some(({ path }) => path === null)) {
    return new Map(Object.keys(fields).map((name) => [name, name]));
  }
  const paths = new Map<string, string>();
  for (const { path, alias } of selects) {
    if (path !== null && !paths.has(path)) paths.set(path, columnName(path, alias));
  }
  return paths;
}

/** The rows of one event: each record on the way to a column is joined once. */
function joinedRows(event: LogEvent, paths: readonly string[]): readonly (readonly Value[])[] {
  const levels = new Set<string>();
  for (const path of paths) {
    const names = path.split('.');
    for (let depth = 1; depth < names.length; depth++) levels.add(names.slice(0, depth).join('.'));
  }
  let rows: ReadonlyMap<string, EventRecord | null>[] = [new Map([['', event]])];
  for (const level of [...levels].sort()) {
    const [parent, name] = splitPath(level);
    rows = rows.flatMap((row) =>
      elementsOf(row.get(parent) ?? null, name).map((element) => new Map([...row, [level, element]])),
    );
  }
  return rows.map((row) =>
    paths.map((path) => {
      const [parent, name] = splitPath(path);
      return row.get(parent)?.[name] ?? null;
    }),
  );
}

function splitPath(path: string): readonly [string, string] {
  const dot = path.lastIndexOf('.');
  return [path.slice(0, Math.max(dot, 0)), path.slice(dot + 1)];
}

const BUCKET: Column = { name: 'timestamp', field: { kind: 'scalar', type: 'TIMESTAMP' } };
const COUNT: Column = { name: 'count', field: { kind: 'scalar', type: 'INT64' } };

function chart(query: Query, events: readonly LogEvent[], fields: Fields): LqlAnswer {
  const { name, path } = query.find((clause) => clause.kind === 'aggregate') ?? { name: 'count', path: null };
  const { period } = query.find((clause) => clause.kind === 'group') ?? { period: 'minute' };
  const buckets = new Map<bigint, LogEvent[]>();
  for (const event of events) {
    const start = startOf(period, event.timestamp);
    buckets.set(start, [...(buckets.get(start) ?? []), event]);
  }
  const rows = [...buckets].sort(([a], [b]) => (a < b ? -1 : 1));
  const isFloat = path !== null && isFloatAt(fields, path) && name !== 'count' && name !== 'countd';
  const field: Field = { kind: 'scalar', type: isFloat || name === 'avg' ? 'FLOAT64' : 'INT64' };
  return {
    columns: [BUCKET, { ...COUNT, field }],
    groups: rows.map(([start, inside]) => [[start, aggregate(name as AggregateName, path, inside)]]),
    limit: Number.POSITIVE_INFINITY,
  };
}

function isFloatAt(fields: Fields, path: string): boolean {
  const field = fieldAt(fields, path);
  return field?.kind === 'scalar' && field.type === 'FLOAT64';
}

function aggregate(name: AggregateName, path: string | null, events: readonly LogEvent[]): Value {
  if (name === 'count' && path === null) return BigInt(events.length);
  const all = events.flatMap((event) => valuesAt(event, path ?? 'timestamp'));
  const values = all.filter((value) => value !== null);
  if (name === 'count') return BigInt(values.length);
  if (name === 'countd') return BigInt(new Set(values).size);
  const numbers = values as readonly (bigint | number)[];
  const [first] = numbers;
  if (first === undefined) return null;
  switch (name) {
    case 'avg':
      return numbers.reduce<number>((sum, value) => sum + Number(value), 0) / numbers.length;
    case 'sum':
      return numbers.every((value) => typeof value === 'bigint')
        ? numbers.reduce<bigint>((sum, value) => sum + BigInt(value), 0n)
        : numbers.reduce<number>((sum, value) => sum + Number(value), 0);
    case 'max':
      return numbers.reduce((max, value) => (value > max ? value : max), first);
    // Percentiles are approximate, so which of several values comes out is open; all of them stand for it.
    case 'p50':
    case 'p95':
    case 'p99':
      return new Set(numbers).size === 1 ? first : [...numbers];
    default: {
      const unreachable: never = name;
      throw new TypeError(`aggregate ${unreachable}`);
    }
  }
}
