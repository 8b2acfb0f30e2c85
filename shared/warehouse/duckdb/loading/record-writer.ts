import { TIME_COLUMN } from '../../stored-dataset.ts';
import { inferColumn, type UndoLog, widenColumn } from './added-column.ts';
import type { Column, ColumnTree, RecordNode } from './column-tree.ts';
import { exactTexts } from './exact-texts.ts';
import { isObject, type JsonObject, type JsonValue, kindOf } from './json-value.ts';
import { MalformedEntry } from './malformed-entry.ts';
import { anyScalarText, idText, refuseValue, scalarText } from './scalar-text.ts';
import { timestampMicros, timestampText } from './timestamp-value.ts';
import { wireText } from './wire-text.ts';

/** An entry in the form that all entries are stored from. */
export interface WrittenEntry {
  /** A JSON object that `tableInput` reads, for the source's table. */
  readonly text: string;
  /** The same for the table beside it, where no record is flat yet; null for an entry that has no flat record twice. */
  readonly repeatedText: string | null;
  /** The entry's timestamp, microseconds since the epoch. */
  readonly micros: bigint;
  /** The JSON text of the entry's `id`; null where it has none, or the table has no such column. */
  readonly id: string | null;
}

/** The column whose text many programs write as a number. */
const ID_COLUMN = 'id';

/** The key under which an entry says that it has a flat record twice. */
export const REPEATED_KEY = 'r';

/**
 * Checks objects against the columns and writes them down, once: a field of a flat record by its column's number, and what
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
  readonly #idColumn: Column | undefined;
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
  /** The columns so far, a comma after each. */
  #columns = '';
  /** The value that was written last as it is stored; nothing for a flat record, which is in the columns. */
  #stored = '';
  /** The same as an answer has it, where it is in a column whose text is kept. */
  #shown = '';
  #isShown = false;
  #isExact = false;

  constructor(tree: ColumnTree, unknownFields: 'add' | 'refuse', undo: UndoLog) {
    this.#tree = tree;
    this.#unknownFields = unknownFields;
    this.#undo = undo;
    this.#timeColumn = tree.root.byName.get(TIME_COLUMN);
    this.#idColumn = declaredText(tree.root, ID_COLUMN);
    this.#exactTexts = exactTexts(tree.root);
  }

  /** Throws a MalformedEntry. */
  write(object: JsonObject): WrittenEntry {
    this.#isAgain = false;
    this.#isNested = false;
    this.#isRepeated = false;
    const text = this.#write(object);
    const [id, micros] = [this.#id, this.#micros];
    if (!this.#isRepeated) return { text, repeatedText: null, micros, id };
    this.restart();
    this.#isAgain = true;
    this.#isNested = true;
    return { text, repeatedText: this.#write(object), micros, id };
  }

  restart(): void {
    this.records.length = 0;
    this.field = '';
  }

  #write(object: JsonObject): string {
    this.#entry = this.#tree.objectCount + 1;
    this.#columns = '';
    this.#isShown = false;
    this.#id = null;
    this.keyCount = 0;
    this.#writeFields(this.#tree.root, object);
    if (this.#timeColumn !== undefined && this.#timeColumn.seenIn !== this.#entry) {
      this.field = TIME_COLUMN;
      throw new MalformedEntry('is missing');
    }
    if (this.#isRepeated && !this.#isAgain) this.#columns += `"${REPEATED_KEY}":true,`;
    return `{${this.#columns.slice(0, -1)}}`;
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
    for (const name of names) {
      const value = object[name] ?? null;
      this.field = name;
      const column = this.#columnOf(node, name, value);
      if (column === null) continue;
      if (column.seenIn === own) {
        throw new MalformedEntry('appears twice (names of fields are compared without regard to case)');
      }
      column.seenIn = own;
      if (isRoot) this.#startColumn(column);
      this.#writeValue(column, value);
      if (!isFlat) text += `${text === '' ? '' : ','}${column.key}${this.#stored}`;
      else if (this.#stored !== '' && this.#stored !== 'null') this.#put(column, this.#stored);
      if (shown !== null && column.place !== -1) shown[column.place] = `${column.key}${this.#shown}`;
      else if (isRoot && this.#isShown) this.#columns += `"${column.textKey}":${this.#shown},`;
    }
    for (const column of node.expected) {
      if (column.seenIn === own) continue;
      this.field = column.name;
      if (column.required) throw new MalformedEntry('is missing');
      if (!isFlat) text += `${text === '' ? '' : ','}${column.key}[]`;
      else if (column.record === null || !this.#isFlat(column.record)) this.#put(column, '[]');
    }
    this.#stored = isFlat ? '' : `{${text}}`;
    if (shown !== null) this.#shown = `{${shown.join(',')}}`;
  }

  #put({ idKey }: Column, text: string): void {
    this.#columns += `"${idKey}":${text},`;
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
    this.#stored = record !== null && this.#isFlat(record) ? '' : this.#shown;
  }

  #writeArray(column: Column, node: RecordNode, value: JsonValue): void {
    if (Array.isArray(value) && value.length === 0) {
      this.#writeAbsence(column);
    } else if (!Array.isArray(value) || value.length === 1) {
      this.#writeRecord(column, node, Array.isArray(value) ? (value[0] as JsonValue) : value);
      if (this.#isShown) this.#shown = `[${this.#shown}]`;
      if (!this.#isFlat(node)) this.#stored = `[${this.#stored}]`;
    } else {
      this.#countTwice(node);
      const isLeftOut = this.#isFlat(node);
      if (isLeftOut) this.#isNested = true;
      this.#writeList(value, (element) => this.#writeRecord(column, node, element));
      if (!isLeftOut) return;
      this.#isNested = false;
      this.#isRepeated = true;
      this.#stored = '';
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
    if (this.#isFlat(node)) this.#put(column, 'true');
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
    this.#stored = `[${stored}]`;
    this.#shown = `[${shown}]`;
  }

  #writeScalar(column: Column, value: JsonValue): void {
    this.#stored = this.#scalarText(column, value);
    if (this.#isShown) this.#shown = wireText(column.type, this.#stored, this.#isExact);
  }

  #scalarText(column: Column, value: JsonValue): string {
    if (column.type === 'STRUCT') throw new TypeError('a record has no scalar');
    if (column === this.#timeColumn) {
      this.#micros = timestampMicros(value);
      return timestampText(this.#micros);
    }
    if (column === this.#idColumn) {
      this.#id = idText(value);
      return this.#id;
    }
    if (!column.declared && column.type === 'STRING') return anyScalarText(value);
    return scalarText(column.type, value);
  }
}

/** A column of text that the schema declares, by its name in lower case. */
function declaredText({ byName }: RecordNode, name: string): Column | undefined {
  const column = byName.get(name);
  return column?.declared && column.type === 'STRING' && !column.repeated ? column : undefined;
}

function notNull(value: JsonValue): JsonValue {
  if (value === null) throw new MalformedEntry('null in an array, which holds no NULL');
  return value;
}
