import * as z from 'zod';
import { parseWithSources } from '../../json/parse-with-sources.ts';
import type { ScalarTypeName } from '../../sql/types/sql-type.ts';
import type { Merge, MergePlan } from './merge-plan.ts';

/** A row's values by column, each as its own JSON text, so that what is not merged stays as the warehouse wrote it. */
export type RowTexts = Readonly<Record<string, string>>;

const rowTexts = z.record(z.string(), z.string());

/** Reads the text of a row whose values are scalars. Throws a MergeFailure for anything else. */
export function readRow(row: string): RowTexts {
  const { data } = rowTexts.safeParse(parseWithSources(row, (_, value, { source }) => source ?? value));
  if (data === undefined) throw new MergeFailure('a row of a part is no object of scalars');
  return data;
}

/** Two values cannot become one, such as a sum beyond INT64: the query over all entries has the answer, or the error. */
export class MergeFailure extends Error {
  override readonly name = 'MergeFailure';
}

/** Puts the rows of parts together to those that the query over all of them answers, in its order. */
export function mergeRows({ columns, order }: MergePlan, rows: Iterable<RowTexts>): string[] {
  const groups = new Map<string, string[]>();
  const keys = columns.flatMap(({ merge }, index) => (merge === 'key' ? [index] : []));
  for (const row of rows) {
    const texts = columns.map(({ name }) => {
      const text = Object.hasOwn(row, name) ? row[name] : undefined;
      if (text === undefined) throw new MergeFailure(`a row of a part lacks ${name}`);
      return text;
    });
    const key = keys.map((index) => texts[index]).join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, texts);
    else
      for (const [index, { merge, type }] of columns.entries())
        group[index] = merged(merge, type, group[index] ?? NULL, texts[index] ?? NULL);
  }
  const sorted = [...groups.values()].map((texts) => ({
    texts,
    values: texts.map((text, index) => comparableOf(text, columns[index]?.type ?? 'STRING')),
  }));
  // What the query leaves open is sorted by the groups themselves, so that the same entries give the same answer.
  const sortKeys = [...order, ...keys.map((index) => ({ index, descending: false, nullsFirst: true }))];
  sorted.sort((a, b) => {
    for (const { index, descending, nullsFirst } of sortKeys) {
      const [one = null, other = null] = [a.values[index], b.values[index]];
      if (one === null && other === null) continue;
      if (one === null || other === null) return (one === null) === nullsFirst ? -1 : 1;
      const compared = compare(one, other);
      if (compared !== 0) return descending ? -compared : compared;
    }
    return 0;
  });
  const heads = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  return sorted.map(({ texts }) => `{${texts.map((text, index) => `${heads[index]}${text}`).join(',')}}`);
}

const NULL = 'null';

function merged(merge: Merge, type: ScalarTypeName, one: string, other: string): string {
  if (merge === 'key' || merge === 'any' || other === NULL) return one;
  if (one === NULL) return other;
  if (merge === 'sum') return type === 'NUMERIC' ? numericSum(one, other) : integerSum(one, other);
  const [a, b] = [comparableOf(one, type), comparableOf(other, type)];
  if (Number.isNaN(a)) return one;
  if (Number.isNaN(b)) return other;
  if (a === null || b === null) return one;
  return compare(b, a) * (merge === 'min' ? 1 : -1) < 0 ? other : one;
}

const MAX_INT64 = 2n ** 63n - 1n;
const LARGEST_EXACT = 2n ** 53n;

/** INT64 is a number up to 2^53 on the wire, and a string beyond. */
function integerSum(one: string, other: string): string {
  const sum = BigInt(unquoted(one)) + BigInt(unquoted(other));
  if (sum > MAX_INT64 || sum < -MAX_INT64 - 1n) throw new MergeFailure('a sum is no INT64');
  return sum > LARGEST_EXACT || sum < -LARGEST_EXACT ? `"${sum}"` : String(sum);
}

const NUMERIC_DIGITS = 9;
const NUMERIC_END = 10n ** 38n;

function numericSum(one: string, other: string): string {
  const sum = scaled(unquoted(one), NUMERIC_DIGITS) + scaled(unquoted(other), NUMERIC_DIGITS);
  if (sum >= NUMERIC_END || sum <= -NUMERIC_END) throw new MergeFailure('a sum is no NUMERIC');
  const digits = String(sum < 0n ? -sum : sum).padStart(NUMERIC_DIGITS + 1, '0');
  const fraction = digits.slice(-NUMERIC_DIGITS).replace(/0+$/, '');
  const sign = sum < 0n ? '-' : '';
  return `"${sign}${digits.slice(0, -NUMERIC_DIGITS)}${fraction === '' ? '' : `.${fraction}`}"`;
}

/** A decimal as a whole number of its last place. */
function scaled(decimal: string, places: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(places, '0')}`);
}

const BIGNUMERIC_DIGITS = 38;

type Comparable = bigint | number | string | null;

/** A value of a type as something that compares as GoogleSQL compares the type. */
function comparableOf(text: string, type: ScalarTypeName): Comparable {
  if (text === NULL) return null;
  switch (type) {
    case 'BOOL':
      return text === 'true' ? 1 : 0;
    case 'INT64':
    case 'TIMESTAMP':
      return BigInt(unquoted(text));
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return scaled(unquoted(text), BIGNUMERIC_DIGITS);
    case 'FLOAT64':
      return Number(unquoted(text));
    default:
      // Dates and times are written so that their texts compare as they do.
      return String(JSON.parse(text));
  }
}

/** NaN comes before all other numbers; texts compare by their code points. */
function compare(one: NonNullable<Comparable>, other: NonNullable<Comparable>): number {
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  if (Number.isNaN(one) || Number.isNaN(other))
    return Number(Number.isNaN(other)) - Number(Number.isNaN(one));
  return one < other ? -1 : Number(one > other);
}

function unquoted(text: string): string {
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}
