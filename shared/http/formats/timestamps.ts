import { stringEnd } from '../../json/scan-json.ts';
import type { Column, SqlType } from '../../sql/types/sql-type.ts';
import { formatMicros } from '../../time/iso-timestamp.ts';
import { MICROS_PER_MS } from '../../time/units.ts';
import { valueEnd } from './member-texts.ts';

/** How TIMESTAMPs are written: microseconds or whole milliseconds since the epoch, or ISO 8601 in UTC. */
export const TIMESTAMP_STYLES = ['us', 'ms', 'iso'] as const;
/** How one answer writes its TIMESTAMPs. */
export type TimestampStyle = (typeof TIMESTAMP_STYLES)[number];

/**
 * Rows whose TIMESTAMPs, those in arrays and structs too, are written in a style; everything else stays as it is, digit
 * for digit. Milliseconds are rounded down. Takes time linear in the text.
 */
export function withTimestamps(
  columns: readonly Column[],
  rows: readonly string[],
  style: TimestampStyle,
): readonly string[] {
  const types = columns.map(({ type }) => type);
  if (style === 'us' || !types.some(holdsTimestamp)) return rows;
  return rows.map((row) => {
    const writer = new RowWriter(row, style);
    writer.members(0, types);
    return writer.text();
  });
}

function holdsTimestamp(type: SqlType): boolean {
  if (type.kind === 'ARRAY') return holdsTimestamp(type.element);
  if (type.kind === 'STRUCT') return type.fields.some((field) => holdsTimestamp(field.type));
  return type.kind === 'TIMESTAMP';
}

const NUMBER = /^-?[0-9]+$/;

/** Copies a row as the warehouse writes it (no white space outside strings) and replaces its TIMESTAMPs. */
class RowWriter {
  readonly #row: string;
  readonly #style: 'ms' | 'iso';
  #written = '';
  /** Up to here the row is copied. */
  #copied = 0;

  constructor(row: string, style: 'ms' | 'iso') {
    this.#row = row;
    this.#style = style;
  }

  text(): string {
    return this.#written + this.#row.slice(this.#copied);
  }

  /** The object at a place, with members of these types in order; answers the place after it. */
  members(at: number, types: readonly SqlType[]): number {
    let next = at + 1;
    for (const type of types) {
      if (this.#row[next] === '}') break;
      next = this.#value(stringEnd(this.#row, next) + 1, type);
      if (this.#row[next] === ',') next += 1;
    }
    return next + 1;
  }

  #value(at: number, type: SqlType): number {
    const first = this.#row[at];
    // NULL, or a text that redaction has put in the value's place.
    if (!holdsTimestamp(type) || first === 'n' || first === '"') return valueEnd(this.#row, at);
    if (type.kind === 'ARRAY') return this.#elements(at, type.element);
    if (type.kind === 'STRUCT')
      return this.members(
        at,
        type.fields.map((field) => field.type),
      );
    const end = valueEnd(this.#row, at);
    const text = this.#row.slice(at, end);
    if (NUMBER.test(text)) {
      this.#written += this.#row.slice(this.#copied, at) + this.#timestamp(BigInt(text));
      this.#copied = end;
    }
    return end;
  }

  #elements(at: number, type: SqlType): number {
    let next = at + 1;
    while (this.#row[next] !== ']') {
      next = this.#value(next, type);
      if (this.#row[next] === ',') next += 1;
    }
    return next + 1;
  }

  #timestamp(micros: bigint): string {
    if (this.#style === 'iso') return `"${formatMicros(micros)}"`;
    const rest = ((micros % MICROS_PER_MS) + MICROS_PER_MS) % MICROS_PER_MS;
    return String((micros - rest) / MICROS_PER_MS);
  }
}
