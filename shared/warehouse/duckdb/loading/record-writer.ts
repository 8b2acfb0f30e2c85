import type { FieldType } from '../../../schema/table-schema.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { inferColumn, type UndoLog, widenColumn } from './added-column.ts';
import { type Column, type ColumnTree, REPEATED_SLOT, type RecordNode } from './column-tree.ts';
import { entryKey, type KeyColumns, keyColumns } from './entry-key.ts';
import { exactTexts } from './exact-texts.ts';
import { isObject, type JsonObject, type JsonValue, kindOf } from './json-value.ts';
import { MalformedEntry } from './malformed-entry.ts';
import { textPiece, type WrittenRow } from './packed-columns.ts';
import { anyScalarText, idText, refuseValue, scalarText } from './scalar-text.ts';
import { timestampMicros } from './timestamp-value.ts';
import { wireText } from './wire-text.ts';

/** An entry in the form that all entries are stored from. */
export interface WrittenEntry {
  /** For the source's table. */
  readonly row: WrittenRow;
  /** The same for the table beside it, where no record is flat yet; null for an entry that has no flat record twice. */
  readonly repeatedRow: WrittenRow | null;
  /** Characters of the entry's text. */
  readonly length: number;
  /** Whether a piece may have the separator of packed rows. */
  readonly mayHaveSeparator: boolean;
  /** The entry's timestamp, microseconds since the epoch. */
  readonly micros: bigint;
  /** What tells the entry from others (`entryKey`); null where it has no `id`, or the table has no such column. */
  readonly key: string | null;
}

/** What `RecordWriter` makes of an entry's fields. */
export type WrittenFields = Pick<WrittenEntry, 'row' | 'repeatedRow' | 'micros' | 'key'>;

/**
 * Checks objects against the columns and writes them down, once: a field of a flat record under its column's slot, and what
 * a column holds once more as JSON text. It has one entry at a time.
 */
export class RecordWriter {
  /** The names that lead to where it is, for errors. */
  readonly records: string[] = [];
  field = '';
  /** Keys of all objects of the entry. */
  keyCount = 0;
  readonly #tree: ColumnTree;
  readonly #unknownFields: 'add' | 'refuse';
  readonly #undo: UndoLog;
  readonly #timeColumn: Column | undefined;
  readonly #keyColumns: KeyColumns;
  readonly #exactTexts: ReadonlySet<string>;
  /** Whether no record is flat: in the entry for the table beside the source's, and in records that are there twice. */
  #isNested = false;
  /** Whether the entry is written for the table beside the source's. */
  #isAgain = false;
  /** Whether the entry has a flat record twice. */
  #isRepeated = false;
  #entry = 0;
  #micros = 0n;
  #id: string | null = null;
  #project: string | null = null;
  /** The columns so far, and their pieces. */
  #slots: number[] = [];
  #pieces: string[] = [];
  /** The value that was written last as JSON text; nothing for a flat record, which is in the columns. */
  #stored = '';
  /** The same as a column's piece. */
  #piece = '';
  /** The same as an answer has it, where it is in a column whose text is kept. */
  #shown = '';
  #isShown = false;
  #isExact = false;

  constructor(tree: ColumnTree, unknownFields: 'add' | 'refuse', undo: UndoLog) {
    this.#tree = tree;
    this.#unknownFields = unknownFields;
    this.#undo = undo;
    this.#timeColumn = tree.root.byName.get(TIME_COLUMN);
    this.#keyColumns = keyColumns(tree.root);
    this.#exactTexts = exactTexts(tree.root);
  }

  /** Throws a MalformedEntry. */
  write(object: JsonObject): WrittenFields {
    this.#isAgain = false;
    this.#isNested = false;
    this.#isRepeated = false;
    const row = this.#write(object);
    const [key, micros] = [entryKey(this.#id, this.#project), this.#micros];
    if (!this.#isRepeated) return { row, repeatedRow: null, micros, key };
    this.restart();
    this.#isAgain = true;
    this.#isNested = true;
    return { row, repeatedRow: this.#write(object), micros, key };
  }

  restart(): void {
    this.records.length = 0;
    this.field = '';
  }

  #write(object: JsonObject): WrittenRow {
    this.#entry = this.#tree.objectCount + 1;
    const slots: number[] = [];
    const pieces: string[] = [];
    this.#slots = slots;
    this.#pieces = pieces;
    this.#isShown = false;
    this.#id = null;
    this.#project = null;
    this.keyCount = 0;
    this.#writeFields(this.#tree.root, object);
    if (this.#timeColumn !== undefined && this.#timeColumn.seenIn !== this.#entry) {
      this.field = TIME_COLUMN;
      throw new MalformedEntry('is missing');
    }
    if (this.#isRepeated && !this.#isAgain) this.#put(REPEATED_SLOT, 'true');
    return { slots, pieces };
  }

  #writeFields(node: RecordNode, object: JsonObject): void {
    const tree = this.#tree;
    tree.objectCount += 1;
    const own = tree.objectCount;
    const isRoot = node === tree.root;
    const isFlat = isRoot || this.#isFlat(node);
    const shown = this.#isShown ? node.blank.slice() : null;
    let text = '';
    const names = Object.keys(object);
    this.keyCount += names.length;
    for (const [index, name] of names.entries()) {
      const value = object[name] ?? null;
      this.field = name;
      const expected = node.order[index];
      const column = expected?.name === name ? expected : this.#columnOf(node, name, value);
      if (column === null) continue;
      node.order[index] = column;
      if (column.seenIn === own) {
        throw new MalformedEntry('appears twice (names of fields are compared without regard to case)');
      }
      column.seenIn = own;
      if (isRoot) this.#startColumn(column);
      this.#writeValue(column, value);
      if (!isFlat) text += `${text === '' ? '' : ','}${column.key}${this.#stored}`;
      else if (this.#piece !== '') this.#put(column.slot, this.#piece);
      if (shown !== null && column.place !== -1) shown[column.place] = `${column.key}${this.#shown}`;
      else if (isRoot && this.#isShown) this.#put(column.textSlot, this.#shown);
    }
    for (const column of node.expected) {
      if (column.seenIn === own) continue;
      this.field = column.name;
      if (column.required) throw new MalformedEntry('is missing');
      if (!isFlat) text += `${text === '' ? '' : ','}${column.key}[]`;
      else if (column.record === null || !this.#isFlat(column.record)) this.#put(column.slot, '[]');
    }
    this.#store(isFlat ? '' : `{${text}}`);
    if (shown !== null) this.#shown = `{${shown.join(',')}}`;
  }

  #put(slot: number, piece: string): void {
    this.#slots.push(slot);
    this.#pieces.push(piece);
  }

  #store(stored: string, piece = stored): void {
    this.#stored = stored;
    this.#piece = piece;
  }

  #startColumn(column: Column): void {
    this.#isShown = column.record?.isFlat ?? false;
    this.#isExact = this.#isShown && this.#exactTexts.has(column.name);
  }

  #isFlat(node: RecordNode): boolean {
    return node.isFlat && !this.#isNested;
  }

  #columnOf(node: RecordNode, name: string, value: JsonValue): Column | null {
    const known = node.byName.get(name) ?? node.byName.get(name.toLowerCase());
    if (known !== undefined) return known;
    if (this.#unknownFields === 'add') return inferColumn(this.#tree, node, name, value, this.#undo);
    throw new MalformedEntry('is not in the schema');
  }

  #writeValue(column: Column, value: JsonValue): void {
    if (!column.declared) widenColumn(this.#tree, column, value, this.#undo);
    if (value === null) {
      if (column.required || column === this.#timeColumn) throw new MalformedEntry('is null');
      this.#writeAbsence(column);
    } else if (column.record !== null) {
      this.records.push(column.name);
      if (column.repeated) this.#writeArray(column, column.record, value);
      else this.#writeRecord(column, column.record, value);
      this.records.pop();
    } else if (!column.repeated) {
      if (Array.isArray(value) && value.length === 0 && !column.declared) this.#writeAbsence(column);
      else this.#writeScalar(column, value);
    } else if (Array.isArray(value)) {
      this.#writeList(value, (element) => this.#writeScalar(column, notNull(element)));
    } else {
      throw new MalformedEntry(`${kindOf(value)} does not fit ARRAY<${column.type}>`);
    }
  }

  #writeAbsence({ repeated, record }: Column): void {
    this.#shown = repeated ? '[]' : 'null';
    const isColumns = record !== null && this.#isFlat(record);
    this.#store(isColumns ? '' : this.#shown, isColumns || !repeated ? '' : this.#shown);
  }

  #writeArray(column: Column, node: RecordNode, value: JsonValue): void {
    if (Array.isArray(value) && value.length === 0) {
      this.#writeAbsence(column);
    } else if (!Array.isArray(value) || value.length === 1) {
      this.#writeRecord(column, node, Array.isArray(value) ? (value[0] as JsonValue) : value);
      if (this.#isShown) this.#shown = `[${this.#shown}]`;
      if (!this.#isFlat(node)) this.#store(`[${this.#stored}]`);
    } else {
      this.#countTwice(node);
      const isLeftOut = this.#isFlat(node);
      if (isLeftOut) this.#isNested = true;
      this.#writeList(value, (element) => this.#writeRecord(column, node, element));
      if (!isLeftOut) return;
      this.#isNested = false;
      this.#isRepeated = true;
      this.#store('');
    }
  }

  #countTwice(node: RecordNode): void {
    if (!node.isFlat || this.#isAgain || node.twiceIn === this.#entry) return;
    node.twiceIn = this.#entry;
    node.twiceCount += 1;
  }

  #writeRecord(column: Column, node: RecordNode, value: JsonValue): void {
    this.field = '';
    if (!isObject(value)) refuseValue('a record', notNull(value));
    if (this.#isFlat(node)) this.#put(column.slot, 'true');
    this.#writeFields(node, value);
  }

  #writeList(elements: readonly JsonValue[], write: (element: JsonValue) => void): void {
    let stored = '';
    let shown = '';
    for (const element of elements) {
      write(element);
      const comma = stored === '' ? '' : ',';
      stored += `${comma}${this.#stored}`;
      if (this.#isShown) shown += `${comma}${this.#shown}`;
    }
    this.#store(`[${stored}]`);
    this.#shown = `[${shown}]`;
  }

  #writeScalar(column: Column, value: JsonValue): void {
    if (column === this.#timeColumn) {
      this.#micros = timestampMicros(value);
      this.#store('', String(this.#micros));
      return;
    }
    const stored = this.#scalarText(column, value);
    this.#store(stored, scalarPiece(column.type, stored, value));
    const { id, project } = this.#keyColumns;
    if (column === id) this.#id = typeof value === 'string' ? value : stored.slice(1, -1);
    else if (column === project) this.#project = String(value);
    if (this.#isShown) this.#shown = wireText(column.type, stored, this.#isExact);
  }

  #scalarText(column: Column, value: JsonValue): string {
    if (column.type === 'STRUCT') throw new TypeError('a record has no scalar');
    if (column === this.#keyColumns.id) return idText(value);
    if (!column.declared && column.type === 'STRING') return anyScalarText(value);
    return scalarText(column.type, value);
  }
}

/** The piece of a scalar, of its JSON text and the value that this was made of. */
export function scalarPiece(type: FieldType, stored: string, value: JsonValue): string {
  switch (type) {
    case 'STRING':
      return textPiece(typeof value === 'string' ? value : stored.slice(1, -1));
    case 'BYTES':
      return textPiece(stored.slice(1, -1).replaceAll('\\\\', '\\'));
    case 'INT64':
    case 'FLOAT64':
    case 'BOOL':
    case 'JSON':
      return stored;
    default:
      return stored.slice(1, -1);
  }
}

function notNull(value: JsonValue): JsonValue {
  if (value === null) throw new MalformedEntry('null in an array, which holds no NULL');
  return value;
}
