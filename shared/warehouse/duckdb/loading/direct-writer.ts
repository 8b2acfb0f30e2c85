import type { ColumnTree } from './column-tree.ts';
import { type DirectColumn, type DirectRecord, directColumns } from './direct-columns.ts';
import { entryKey } from './entry-key.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  copyBytes,
  matchBytes,
  OPEN_ARRAY,
  OPEN_OBJECT,
  plainEnd,
  plainWholeEnd,
  QUOTE,
  skipSpaces,
  stringBytesEnd,
  wordEnd,
} from './json-bytes.ts';
import type { JsonValue } from './json-value.ts';
import { MARK, mayHaveSeparator } from './packed-columns.ts';
import { scalarPiece } from './record-writer.ts';
import type { ColumnBytes, RowPacker } from './row-packer.ts';
import { scalarText } from './scalar-text.ts';
import { ShownText } from './shown-text.ts';
import { timestampMicros } from './timestamp-value.ts';
import { wireText } from './wire-text.ts';

/** What a place is where an entry has something that only `RecordWriter` takes, or refuses. */
const MISS = -1;

const [NULL, TRUE, FALSE] = [Buffer.from('null'), Buffer.from('true'), Buffer.from('false')];
const [NO_ELEMENTS, LETTER_N] = [Buffer.from('[]'), 0x6e];

/** So many fields that the last object had may be absent before one that it had. */
const MOST_ABSENT = 4;

const FIRST_BYTES = 16 * 1024;

/**
 * Writes entries into packed rows straight from their bytes, several times faster than by way of objects and texts. It knows the
 * forms that nearly all entries have, and writes those as `entryWriter` and `packRows` do, byte for byte. Anything else, all that is
 * malformed included, it leaves to them.
 */
export class DirectWriter {
  readonly #root: DirectRecord;
  readonly #time: DirectColumn | null;
  readonly #rows: RowPacker;
  readonly #shown = new ShownText();
  /** The entry, with a zero after its last byte. */
  #bytes = Buffer.alloc(FIRST_BYTES);
  /** Where the value of the field begins that was found last. */
  #valueAt = 0;
  #objectCount = 0;
  #id: string | null = null;
  #project: string | null = null;

  /** The reading of the tree has started. Another version of it needs another writer. */
  constructor(tree: ColumnTree, rows: RowPacker) {
    this.#rows = rows;
    this.#root = directColumns(tree, rows);
    this.#time = [...this.#root.byName.values()].find(({ kind }) => kind === 'time') ?? null;
  }

  /** What tells the entry that was written last from others (`entryKey`); null where it has no id. */
  get key(): string | null {
    return entryKey(this.#id, this.#project);
  }

  /** Writes the row of an entry. False leaves the rows as they were. */
  write(text: string): boolean {
    if (!text.isWellFormed()) return false;
    if (3 * text.length >= this.#bytes.length) this.#bytes = Buffer.alloc(6 * text.length);
    const bytes = this.#bytes;
    const length = bytes.write(text);
    bytes[length] = 0;
    this.#id = null;
    this.#project = null;
    this.#shown.length = 0;
    const start = skipSpaces(bytes, 0);
    const end = bytes[start] === OPEN_OBJECT ? this.#object(this.#root, start, false) : MISS;
    if (end === MISS || skipSpaces(bytes, end) !== length) {
      this.#rows.undoRow();
      return false;
    }
    this.#rows.endRow();
    return true;
  }

  /** This method and those below answer the place after what they read, or MISS. */
  #object(record: DirectRecord, start: number, isShown: boolean): number {
    const bytes = this.#bytes;
    const shown = this.#shown;
    const shownStart = shown.length;
    this.#objectCount += 1;
    const own = this.#objectCount;
    let previous: DirectColumn | null = null;
    let last = -1;
    let isOrdered = true;
    let at = skipSpaces(bytes, start + 1);
    if (bytes[at] === CLOSE_OBJECT) at += 1;
    else {
      for (;;) {
        const column = this.#columnAt(record, previous, at);
        if (column === null || column.seenIn === own) return MISS;
        column.seenIn = own;
        previous = column;
        const { place } = column.column;
        if (place === -1) return MISS;
        if (isShown) shown.beginField(record, column, last);
        at = this.#value(column, skipSpaces(bytes, this.#valueAt), isShown);
        if (at === MISS) return MISS;
        if (isShown) shown.endField(record, column);
        if (place > last) last = place;
        else isOrdered = false;
        at = skipSpaces(bytes, at);
        const next = bytes[at];
        at += 1;
        if (next === CLOSE_OBJECT) break;
        if (next !== COMMA) return MISS;
        at = skipSpaces(bytes, at);
      }
    }
    for (const column of record.expected) {
      if (column.seenIn === own) continue;
      if (column.column.required) return MISS;
      if (column.record === null) this.#put(column.bytes, NO_ELEMENTS);
    }
    if (record === this.#root && this.#time !== null && this.#time.seenIn !== own) return MISS;
    if (isShown) shown.endObject(record, shownStart, last, isOrdered);
    return at;
  }

  /** The column of the field whose name begins at `at`; null for none. */
  #columnAt(record: DirectRecord, previous: DirectColumn | null, at: number): DirectColumn | null {
    const bytes = this.#bytes;
    let expected = previous === null ? record.first : previous.next;
    for (let absent = 0; expected !== null && absent <= MOST_ABSENT; absent += 1) {
      const end = matchBytes(bytes, at, expected.key);
      if (end !== -1) {
        this.#valueAt = end;
        return expected;
      }
      expected = expected.next;
    }
    if (bytes[at] !== QUOTE) return null;
    const end = plainEnd(bytes, at + 1);
    const colon = skipSpaces(bytes, end + 1);
    if (bytes[end] !== QUOTE || bytes[colon] !== COLON) return null;
    const name = bytes.toString('utf8', at + 1, end);
    const column = record.byName.get(name) ?? record.byName.get(name.toLowerCase()) ?? null;
    this.#valueAt = colon + 1;
    if (previous === null) record.first = column;
    else previous.next = column;
    return column;
  }

  #value(column: DirectColumn, at: number, isShown: boolean): number {
    const bytes = this.#bytes;
    if (bytes[at] === LETTER_N) return this.#null(column, at, isShown);
    switch (column.kind) {
      case 'id':
      case 'project':
      case 'text': {
        if (bytes[at] !== QUOTE) return MISS;
        const end = plainEnd(bytes, at + 1);
        if (bytes[end] !== QUOTE) return this.#scalar(column, at, isShown);
        if (column.kind !== 'text') this.#noteKey(column, bytes.toString('utf8', at + 1, end));
        this.#putRange(column.bytes, bytes, at + 1, end);
        if (isShown) this.#shown.copy(bytes, at, end + 1);
        return end + 1;
      }
      case 'whole':
      case 'truth': {
        const end = this.#simpleEnd(column, at);
        if (end === MISS) return this.#scalar(column, at, isShown);
        this.#putRange(column.bytes, bytes, at, end);
        if (isShown) this.#shown.copy(bytes, at, end);
        return end;
      }
      case 'scalar':
        return this.#scalar(column, at, isShown);
      case 'time':
        return this.#timestamp(column, at);
      case 'list':
        return this.#list(column, at, isShown);
      case 'record':
        return this.#record(column, at, isShown);
      case 'absence':
        return this.#noElements(column, at, isShown);
    }
  }

  #noElements(column: DirectColumn, at: number, isShown: boolean): number {
    const bytes = this.#bytes;
    if (!column.column.repeated || bytes[at] !== OPEN_ARRAY) return MISS;
    const close = skipSpaces(bytes, at + 1);
    if (bytes[close] !== CLOSE_ARRAY) return MISS;
    this.#put(column.bytes, NO_ELEMENTS);
    if (isShown) this.#shown.copy(NO_ELEMENTS, 0, NO_ELEMENTS.length);
    return close + 1;
  }

  #null(column: DirectColumn, at: number, isShown: boolean): number {
    const { required, repeated } = column.column;
    // A record of the table itself that is null has a text, and one that is absent has none.
    if (required || column.kind === 'time' || (column.record !== null && !isShown)) return MISS;
    if (repeated && column.record === null) this.#put(column.bytes, NO_ELEMENTS);
    if (isShown) this.#shown.copy(column.blank, column.key.length, column.blank.length);
    return matchBytes(this.#bytes, at, NULL);
  }

  /** A value that is no array and no object, by way of its text. */
  #scalar(column: DirectColumn, at: number, isShown: boolean): number {
    const bytes = this.#bytes;
    const { type, declared } = column.column;
    const end = bytes[at] === QUOTE ? stringBytesEnd(bytes, at) : wordEnd(bytes, at);
    if (type === 'STRUCT' || end === MISS) return MISS;
    try {
      const text = bytes.toString('utf8', at, end);
      if (mayHaveSeparator(text)) return MISS;
      const value = JSON.parse(text) as JsonValue;
      this.#noteKey(column, String(value));
      // A value of another type would widen the column.
      if (!declared && !isOfType(type, value)) return MISS;
      const stored = scalarText(type, value);
      const piece = scalarPiece(type, stored, value);
      this.#rows.put(column.bytes, piece);
      if (isShown) this.#shown.text(wireText(type, stored, column.isExact));
      return end;
    } catch {
      // What is wrong, if anything is, says who reads the entry again.
      return MISS;
    }
  }

  #noteKey({ kind }: DirectColumn, value: string): void {
    if (kind === 'id') this.#id = value;
    else if (kind === 'project') this.#project = value;
  }

  #timestamp(column: DirectColumn, at: number): number {
    const bytes = this.#bytes;
    const whole = plainWholeEnd(bytes, at);
    if (whole !== -1) {
      this.#putRange(column.bytes, bytes, at, whole);
      return whole;
    }
    const end = bytes[at] === QUOTE ? stringBytesEnd(bytes, at) : wordEnd(bytes, at);
    if (end === MISS) return MISS;
    try {
      const micros = timestampMicros(JSON.parse(bytes.toString('utf8', at, end)) as JsonValue);
      this.#rows.put(column.bytes, String(micros));
      return end;
    } catch {
      return MISS;
    }
  }

  /** An array of strings without escapes, of whole numbers or of truth values. */
  #list(column: DirectColumn, start: number, isShown: boolean): number {
    const bytes = this.#bytes;
    const shown = this.#shown;
    const shownStart = shown.length;
    if (bytes[start] !== OPEN_ARRAY) return MISS;
    shown.byte(OPEN_ARRAY);
    let at = skipSpaces(bytes, start + 1);
    let isFirst = true;
    while (!(isFirst && bytes[at] === CLOSE_ARRAY)) {
      const end = this.#simpleEnd(column, at);
      if (end === MISS) return MISS;
      if (!isFirst) shown.byte(COMMA);
      isFirst = false;
      shown.copy(bytes, at, end);
      at = skipSpaces(bytes, end);
      if (bytes[at] === CLOSE_ARRAY) break;
      if (bytes[at] !== COMMA) return MISS;
      at = skipSpaces(bytes, at + 1);
    }
    shown.byte(CLOSE_ARRAY);
    this.#putRange(column.bytes, shown.bytes, shownStart, shown.length);
    if (!isShown) shown.length = shownStart;
    return at + 1;
  }

  /** The end of a value whose text is stored as it came. */
  #simpleEnd({ column }: DirectColumn, at: number): number {
    const bytes = this.#bytes;
    if (column.type === 'INT64') return plainWholeEnd(bytes, at);
    if (column.type === 'BOOL') {
      const end = matchBytes(bytes, at, TRUE);
      return end === -1 ? matchBytes(bytes, at, FALSE) : end;
    }
    if (bytes[at] !== QUOTE) return MISS;
    const end = plainEnd(bytes, at + 1);
    return bytes[end] === QUOTE ? end + 1 : MISS;
  }

  #record(column: DirectColumn, start: number, isWithin: boolean): number {
    const bytes = this.#bytes;
    const shown = this.#shown;
    const { repeated } = column.column;
    const isArray = bytes[start] === OPEN_ARRAY;
    if (column.record === null || (isArray && !repeated)) return MISS;
    if (repeated) shown.byte(OPEN_ARRAY);
    let at = isArray ? skipSpaces(bytes, start + 1) : start;
    if (bytes[at] === OPEN_OBJECT) {
      this.#put(column.bytes, TRUE);
      at = this.#object(column.record, at, true);
      if (at === MISS) return MISS;
      if (isArray) at = skipSpaces(bytes, at);
    } else if (!isArray) return MISS;
    if (isArray) {
      if (bytes[at] !== CLOSE_ARRAY) return MISS;
      at += 1;
    }
    if (repeated) shown.byte(CLOSE_ARRAY);
    if (!isWithin) {
      this.#putRange(column.textBytes, shown.bytes, 0, shown.length);
      shown.length = 0;
    }
    return at;
  }

  #put(column: ColumnBytes, piece: Uint8Array): void {
    this.#putRange(column, piece, 0, piece.length);
  }

  /** Writes a piece; where it has no characters, the mark that tells it from NULL. */
  #putRange(column: ColumnBytes, from: Uint8Array, start: number, end: number): void {
    const at = this.#rows.open(column, end - start + 1);
    if (start === end) {
      column.bytes[at] = MARK;
      column.length = at + 1;
    } else column.length = copyBytes(from, start, end, column.bytes, at);
  }
}

function isOfType(type: string, value: JsonValue): boolean {
  if (type === 'STRING') return typeof value === 'string';
  return (
    type === 'FLOAT64' &&
    typeof value === 'number' &&
    (!Number.isInteger(value) || Number.isSafeInteger(value))
  );
}
