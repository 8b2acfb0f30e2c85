/** A row of a table as it is written: pieces of text by the slots of columns. A column that is absent is NULL, or has nothing. */
export interface WrittenRow {
  readonly slots: readonly number[];
  readonly pieces: readonly string[];
}

/**
 * How the pieces of a column are joined. `plain`: by a character that no piece has, which DuckDB splits fastest. `json`: as an
 * array of strings.
 */
export type PackedForm = 'plain' | 'json';

/** Rows by column, in UTF-8; `columns` are by slot, and one that no row has is absent. */
export interface PackedRows {
  readonly form: PackedForm;
  readonly count: number;
  readonly columns: ReadonlyMap<number, Uint8Array>;
}

/** Between the pieces of a plain column (ASCII's unit separator). */
export const SEPARATOR = 0x1f;
/** Before a piece that is text and would otherwise look like NULL, or like such a mark. */
export const MARK = 0x1e;

const SEPARATOR_TEXT = String.fromCharCode(SEPARATOR);
const MARK_TEXT = String.fromCharCode(MARK);

/** The piece that is a text: one without characters is not NULL. */
export function textPiece(text: string): string {
  return text === '' || text.charCodeAt(0) === MARK ? MARK_TEXT + text : text;
}

/**
 * Whether values of this JSON text may have the separator, or another control character that JSON has no short escape for: DuckDB
 * writes those in a way of its own.
 */
export function mayHaveSeparator(json: string): boolean {
  return json.includes('\\u00') && /\\u00[01]/.test(json);
}

/** Packs rows, one or more. `json` is needed where a piece may have the separator. */
export function packRows(rows: readonly WrittenRow[], form: PackedForm): PackedRows {
  const pieces = new Map<number, string[]>();
  for (const [index, row] of rows.entries()) {
    for (const [place, slot] of row.slots.entries()) {
      let column = pieces.get(slot);
      if (column === undefined) {
        column = new Array<string>(rows.length).fill('');
        pieces.set(slot, column);
      }
      column[index] = row.pieces[place] ?? '';
    }
  }
  const columns = new Map<number, Uint8Array>();
  for (const [slot, column] of pieces) {
    columns.set(slot, Buffer.from(form === 'plain' ? column.join(SEPARATOR_TEXT) : JSON.stringify(column)));
  }
  return { form, count: rows.length, columns };
}

/** Plain rows one after the other, with the columns of these slots only where they are given. */
export function joinPlainRows(all: readonly PackedRows[], wanted?: ReadonlySet<number>): PackedRows {
  const [first] = all;
  if (first !== undefined && all.length === 1) return first;
  const known = new Set(all.flatMap(({ columns }) => [...columns.keys()]));
  const slots = wanted === undefined ? known : [...known].filter((slot) => wanted.has(slot));
  const between = Buffer.of(SEPARATOR);
  const columns = new Map<number, Uint8Array>();
  for (const slot of slots) {
    const parts = all.flatMap((packed, index) => {
      const column = packed.columns.get(slot) ?? Buffer.alloc(packed.count - 1, SEPARATOR);
      return index === 0 ? [column] : [between, column];
    });
    columns.set(slot, Buffer.concat(parts));
  }
  return { form: 'plain', count: all.reduce((sum, { count }) => sum + count, 0), columns };
}
