import type { LqlAnswer } from './answer.ts';
import type { EventRecord, Value } from './events.ts';
import type { Field } from './schema.ts';
import type { WireRow } from './service.ts';

/** Rows in groups whose inner order is open, as both sides should have them. */
export interface Compared {
  readonly names: readonly string[];
  readonly count: number;
  readonly groups: readonly unknown[];
}

/** What an answer promises of the rows on the wire. An event whose rows the limit would cut is left out. */
export function expectedOf(answer: LqlAnswer): Compared {
  const { columns, limit } = answer;
  const groups = wholeGroups(answer).map((group) =>
    inOneOrder(
      group.map((row) => columns.map(({ field }, index) => expectedCell(row[index] ?? null, field))),
    ),
  );
  const count = Math.min(limit, answer.groups.flat().length);
  return { names: count === 0 ? [] : columns.map(({ name }) => name), count, groups };
}

/** The rows that came, grouped as the answer's are. */
export function receivedOf(answer: LqlAnswer, rows: readonly WireRow[]): Compared {
  const { columns } = answer;
  let start = 0;
  const groups = wholeGroups(answer).map((group) => {
    const some = rows.slice(start, start + group.length);
    start += group.length;
    const cells = some.map((row, index) =>
      columns.map(({ name, field }, cell) => receivedCell(row[name], field, group[index]?.[cell] ?? null)),
    );
    return inOneOrder(cells);
  });
  return { names: Object.keys(rows[0] ?? {}), count: rows.length, groups };
}

function wholeGroups({ groups, limit }: LqlAnswer): LqlAnswer['groups'] {
  let count = 0;
  return groups.filter((group) => {
    count += group.length;
    return count <= limit;
  });
}

function inOneOrder(rows: readonly (readonly unknown[])[]): unknown {
  const keyed = rows.map((row) => ({ row, key: JSON.stringify(row) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
}

const BETWEEN = 'between the least and the greatest value';

function expectedCell(value: Value, field: Field): unknown {
  if (field.kind === 'record') return compact(value);
  if (field.kind === 'list') return ((value ?? []) as readonly Value[]).map((one) => compact(one));
  if (Array.isArray(value)) return BETWEEN;
  return field.type === 'FLOAT64' && value !== null ? nineDigits(Number(value)) : compact(value);
}

function receivedCell(value: unknown, field: Field, expected: Value): unknown {
  if (field.kind === 'record') return compact(value as Value);
  if (field.kind === 'scalar' && Array.isArray(expected)) {
    const numbers = expected.map(Number);
    const isBetween = Number(value) >= Math.min(...numbers) && Number(value) <= Math.max(...numbers);
    return value !== null && isBetween ? BETWEEN : value;
  }
  return field.kind === 'scalar' && field.type === 'FLOAT64' && typeof value === 'number'
    ? nineDigits(value)
    : value;
}

/** Sums of doubles depend on their order in the last digits. */
function nineDigits(value: number): number {
  return Number(value.toPrecision(9));
}

/** Beyond it whole numbers are text on the wire. */
const EXACT = 2n ** 53n;

/** Without fields that are null or empty: whether they were written down makes no difference. */
function compact(value: Value): unknown {
  if (typeof value === 'bigint') {
    return value >= -EXACT && value <= EXACT ? Number(value) : String(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Value) => compact(one));
  const fields = Object.entries(value as EventRecord).filter(
    ([, field]) => field !== null && field !== undefined && !(Array.isArray(field) && field.length === 0),
  );
  return Object.fromEntries(
    fields
      .map(([name, field]) => [name, compact(field ?? null)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
