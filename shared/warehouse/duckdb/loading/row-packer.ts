import { type PackedRows, SEPARATOR, type WrittenRow } from './packed-columns.ts';

/** The pieces of one column so far, each row's after a separator for every row before it. */
export interface ColumnBytes {
  readonly slot: number;
  bytes: Buffer;
  length: number;
  /** The separators that are in `bytes`. */
  separators: number;
  /** Both as they were before the row that is being written. */
  lengthBefore: number;
  separatorsBefore: number;
}

/** Between batches no more than this is kept, in bytes. */
const MOST_KEPT = 16 * 1024 * 1024;
const FIRST_BYTES = 1024;

/** Packs rows by column while they are written, one row after the other, in the plain form of packed rows. */
export class RowPacker {
  readonly #columns = new Map<number, ColumnBytes>();
  /** The columns that the row so far has. */
  readonly #touched: ColumnBytes[] = [];
  #count = 0;

  /** How many rows there are. */
  get count(): number {
    return this.#count;
  }

  /** The column of a slot, the same one in every batch. */
  column(slot: number): ColumnBytes {
    const known = this.#columns.get(slot);
    if (known !== undefined) return known;
    const bytes = Buffer.alloc(0);
    const made = { slot, bytes, length: 0, separators: 0, lengthBefore: 0, separatorsBefore: 0 };
    this.#columns.set(slot, made);
    return made;
  }

  /**
   * Begins the piece of a column that the row does not have yet, of so many bytes at most, and answers where they go. Whoever writes
   * them sets the column's `length` to their end.
   */
  open(column: ColumnBytes, most: number): number {
    column.lengthBefore = column.length;
    column.separatorsBefore = column.separators;
    this.#touched.push(column);
    const missing = this.#count - column.separators;
    const needed = column.length + missing + most;
    if (needed > column.bytes.length) grow(column, needed);
    const start = column.length + missing;
    if (missing === 1) column.bytes[column.length] = SEPARATOR;
    else if (missing > 0) column.bytes.fill(SEPARATOR, column.length, start);
    column.separators = this.#count;
    column.length = start;
    return start;
  }

  /** Writes the piece of a column that the row does not have yet. It is not empty. */
  put(column: ColumnBytes, piece: string): void {
    const start = this.open(column, 3 * piece.length);
    column.length = start + column.bytes.write(piece, start);
  }

  /** Writes a whole row, and ends it. */
  add({ slots, pieces }: WrittenRow): void {
    for (const [place, slot] of slots.entries()) this.put(this.column(slot), pieces[place] ?? '');
    this.endRow();
  }

  endRow(): void {
    this.#count += 1;
    this.#touched.length = 0;
  }

  /** Takes back what was written of a row that has not ended. */
  undoRow(): void {
    for (const column of this.#touched) {
      column.length = column.lengthBefore;
      column.separators = column.separatorsBefore;
    }
    this.#touched.length = 0;
  }

  /** The rows, in memory of their own; the next one is the first of another batch. */
  finish(): PackedRows {
    const count = this.#count;
    const used = [...this.#columns.values()].filter(({ length }) => length > 0);
    const all = Buffer.allocUnsafeSlow(
      used.reduce((sum, { length, separators }) => sum + length + (count - 1 - separators), 0),
    );
    const columns = new Map<number, Uint8Array>();
    let at = 0;
    for (const { slot, bytes, length, separators } of used) {
      const end = at + length + (count - 1 - separators);
      bytes.copy(all, at, 0, length);
      all.fill(SEPARATOR, at + length, end);
      columns.set(slot, all.subarray(at, end));
      at = end;
    }
    this.clear();
    return { form: 'plain', count, columns };
  }

  /** Forgets all rows. */
  clear(): void {
    this.#count = 0;
    this.#touched.length = 0;
    const columns = [...this.#columns.values()];
    const kept = columns.reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (const column of columns) {
      column.length = 0;
      column.separators = 0;
      if (kept > MOST_KEPT) column.bytes = Buffer.alloc(0);
    }
  }
}

function grow(column: ColumnBytes, needed: number): void {
  const bytes = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * needed));
  column.bytes.copy(bytes, 0, 0, column.length);
  column.bytes = bytes;
}
