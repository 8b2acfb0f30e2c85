import { escapeUnprintable } from '../../shared/runtime/printable.ts';
import { formatMicros } from '../../shared/time/iso-timestamp.ts';
import { NumberText } from '../../shared/warehouse/duckdb/loading/number-text.ts';
import type { Colours } from './colour.ts';

/** A row as `parseExactly` reads it. */
export type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';
/** Columns up to that are cut last: an id has 36 characters, an instant 27. */
const WHOLE_WIDTH = 36;
const MIN_LONG_WIDTH = 16;
const MIN_WIDTH = 6;

/** The instants that numbers in a column called `timestamp` may stand for: years 1990 to 2200. */
const FIRST_MICROS = 631_152_000_000_000;
const LAST_MICROS = 7_258_118_400_000_000;

export interface TableOptions {
  /** Columns of characters that a line may have; null for no limit. */
  readonly width: number | null;
  readonly colours: Colours;
}

/**
 * Rows as a table: nested values as JSON, instants of the column `timestamp` in ISO 8601, numbers to the right. Where
 * lines would be too long the widest columns are cut, which `…` shows. Columns that all rows lack do not show.
 */
export function rowsTable(rows: readonly Row[], { width, colours }: TableOptions): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length === 0) return '';
  const cells = rows.map((row) => names.map((name) => cellText(name, row[name])));
  const headings = names.map(escapeUnprintable);
  const natural = headings.map((heading, column) =>
    Math.max(lengthOf(heading), ...cells.map((row) => lengthOf(row[column] ?? ''))),
  );
  const widths = width === null ? natural : fitWidths(natural, width - GAP.length * (names.length - 1));
  const isNumber = names.map(
    (name) => name !== 'timestamp' && rows.every((row) => isNumeric(row[name] ?? 0)),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => aligned(text, widths[column] ?? 0, isNumber[column] === true))
      .join(GAP)
      .trimEnd();
  return [colours.bold(line(headings)), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || value instanceof NumberText;
}

function cellText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (name === 'timestamp' && typeof value === 'number' && value >= FIRST_MICROS && value < LAST_MICROS) {
    return formatMicros(BigInt(value));
  }
  return escapeUnprintable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Cuts long columns first, so that ids and instants stay whole where they can, then all. */
function fitWidths(natural: readonly number[], total: number): number[] {
  const cut = (widths: readonly number[], min: number, isCut: (width: number) => boolean): number[] => {
    const over = widths.reduce((sum, one) => sum + one, 0) - total;
    const wide = widths.filter(isCut);
    if (over <= 0 || wide.length === 0) return [...widths];
    const room = wide.reduce((sum, one) => sum + one, 0) - over;
    const most = Math.max(min, largestCap(wide, room));
    return widths.map((width) => (isCut(width) ? Math.min(width, most) : width));
  };
  return cut(
    cut(natural, MIN_LONG_WIDTH, (width) => width > WHOLE_WIDTH),
    MIN_WIDTH,
    () => true,
  );
}

/** The largest width that all may have so that they take no more than `room` together. */
function largestCap(widths: readonly number[], room: number): number {
  let left = room;
  const rising = [...widths].sort((a, b) => a - b);
  for (const [index, width] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (width > share) return share;
    left -= width;
  }
  return Math.max(...widths);
}

function aligned(text: string, width: number, isRight: boolean): string {
  const characters = [...text];
  if (characters.length > width) return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
  const space = ' '.repeat(width - characters.length);
  return isRight ? space + text : text + space;
}

function lengthOf(text: string): number {
  return [...text].length;
}
