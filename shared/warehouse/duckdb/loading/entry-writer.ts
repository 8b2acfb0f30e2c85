import { TIME_COLUMN } from '../../stored-dataset.ts';
import { inferColumn, type UndoLog, widenColumn } from './added-column.ts';
import type { Column, ColumnTree, RecordNode } from './column-tree.ts';
import { doubledKey } from './doubled-key.ts';
import { isObject, type JsonObject, type JsonValue, kindOf } from './json-value.ts';
import { type EntryProblem, MalformedEntry } from './malformed-entry.ts';
import { NeedsExactNumbers, parseExactly } from './number-text.ts';
import { anyScalarText, idText, refuseValue, scalarText } from './scalar-text.ts';
import { timestampMicros, timestampText } from './timestamp-value.ts';

/** An entry in the form that all entries are stored from. */
export interface WrittenEntry {
  /**
   * A JSON object that fits the columns: every array is there, if empty, and records are arrays where they are
   * declared so.
   */
  readonly text: string;
  /** The entry's timestamp, microseconds since the epoch. */
  readonly micros: bigint;
}

export interface EntryWriter {
  /** Reads the JSON text of an entry and adds its unknown fields to the columns, unless it is malformed. */
  write(text: string): WrittenEntry | EntryProblem;
}

/** The column whose text many programs write as a number. */
const ID_COLUMN = 'id';

export interface EntryWriterOptions {
  /** Whether a field that the schema lacks becomes a column or makes the entry malformed. */
  readonly unknownFields: 'add' | 'refuse';
}

/** Checks entries against the columns and writes them down again in one form. */
export function entryWriter(tree: ColumnTree, options: EntryWriterOptions): EntryWriter {
  const timeColumn = tree.root.byName.get(TIME_COLUMN);
  const idColumn = textColumn(tree.root, ID_COLUMN);
  const undo: UndoLog = [];
  const records: string[] = [];
  let keyCount = 0;
  let field = '';
  let micros = 0n;

  function writeRecord(node: RecordNode, object: JsonObject): string {
    tree.objectCount += 1;
    const own = tree.objectCount;
    let text = '';
    const names = Object.keys(object);
    keyCount += names.length;
    for (const name of names) {
      const value = object[name] ?? null;
      field = name;
      const column = node.byName.get(name) ?? node.byName.get(name.toLowerCase()) ?? infer(node, name, value);
      if (column === null) continue;
      if (column.seenIn === own) {
        throw new MalformedEntry('appears twice (names of fields are compared without regard to case)');
      }
      column.seenIn = own;
      text += `${text === '' ? '' : ','}${column.key}${writeValue(column, value)}`;
    }
    for (const column of node.expected) {
      if (column.seenIn === own) continue;
      field = column.name;
      if (column.required) throw new MalformedEntry('is missing');
      text += `${text === '' ? '' : ','}${column.key}[]`;
    }
    return `{${text}}`;
  }

  function infer(node: RecordNode, name: string, value: JsonValue): Column | null {
    if (options.unknownFields === 'add') return inferColumn(tree, node, name, value, undo);
    throw new MalformedEntry('is not in the schema');
  }

  function writeValue(column: Column, value: JsonValue): string {
    if (!column.declared) widenColumn(tree, column, value, undo);
    if (value === null) {
      if (column.required || column === timeColumn) throw new MalformedEntry('is null');
      return column.repeated ? '[]' : 'null';
    }
    if (column.record !== null) return writeRecords(column, column.record, value);
    if (!column.repeated) {
      if (Array.isArray(value) && value.length === 0 && !column.declared) return 'null';
      return writeScalar(column, value);
    }
    if (!Array.isArray(value))
      throw new MalformedEntry(`${kindOf(value)} does not fit ARRAY<${column.type}>`);
    return `[${value.map((element: JsonValue) => writeScalar(column, notNull(element))).join(',')}]`;
  }

  function writeRecords(column: Column, node: RecordNode, value: JsonValue): string {
    records.push(column.name);
    const text = column.repeated ? writeArray(node, value) : writeObject(node, value);
    records.pop();
    return text;
  }

  function writeArray(node: RecordNode, value: JsonValue): string {
    if (!Array.isArray(value)) return `[${writeObject(node, value)}]`;
    if (value.length === 1) return `[${writeObject(node, value[0] as JsonValue)}]`;
    return `[${value.map((element: JsonValue) => writeObject(node, element)).join(',')}]`;
  }

  function writeObject(node: RecordNode, value: JsonValue): string {
    field = '';
    return isObject(value) ? writeRecord(node, value) : refuseValue('a record', notNull(value));
  }

  function writeScalar(column: Column, value: JsonValue): string {
    if (column.type === 'STRUCT') throw new TypeError('a record has no scalar');
    if (column === timeColumn) {
      micros = timestampMicros(value);
      return timestampText(micros);
    }
    if (column === idColumn) return idText(value);
    if (!column.declared && column.type === 'STRING') return anyScalarText(value);
    return scalarText(column.type, value);
  }

  function writeEntry(value: JsonValue): WrittenEntry {
    if (!isObject(value)) throw new MalformedEntry(`${kindOf(value)}, where an entry is an object`);
    const own = tree.objectCount + 1;
    keyCount = 0;
    const text = writeRecord(tree.root, value);
    if (timeColumn !== undefined && timeColumn.seenIn !== own) {
      field = TIME_COLUMN;
      throw new MalformedEntry('is missing');
    }
    return { text, micros };
  }

  function refuseDoubledKey(text: string, entry: WrittenEntry): WrittenEntry {
    const keys = doubledKey(text, keyCount);
    if (keys === null) return entry;
    records.push(...keys);
    field = '';
    throw new MalformedEntry('is given twice in one object');
  }

  function takeBack(): void {
    while (undo.length > 0) undo.pop()?.();
    records.length = 0;
    field = '';
  }

  return {
    write: (text) => {
      try {
        try {
          return refuseDoubledKey(text, writeEntry(parseJson(text, JSON.parse)));
        } catch (error) {
          if (!(error instanceof NeedsExactNumbers)) throw error;
          takeBack();
          return refuseDoubledKey(text, writeEntry(parseJson(text, parseExactly)));
        }
      } catch (error) {
        const path = [...records, field]
          .filter((name) => name !== '')
          .map(shownName)
          .join('.');
        takeBack();
        if (error instanceof MalformedEntry) return { path, reason: error.message };
        throw error;
      } finally {
        undo.length = 0;
      }
    },
  };
}

/** Most characters of a field's name that an error repeats. */
const MAX_SHOWN = 100;

/** A field's name in an error, which is one line. */
function shownName(name: string): string {
  const shown = name.length <= MAX_SHOWN ? name : `${name.slice(0, MAX_SHOWN)}…`;
  return shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** A column of text that the schema declares, by its name in lower case. */
function textColumn({ byName }: RecordNode, name: string): Column | undefined {
  const column = byName.get(name);
  return column?.declared && column.type === 'STRING' && !column.repeated ? column : undefined;
}

function notNull(value: JsonValue): JsonValue {
  if (value === null) throw new MalformedEntry('null in an array, which holds no NULL');
  return value;
}

function parseJson(text: string, parse: (text: string) => unknown): JsonValue {
  try {
    return parse(text) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MalformedEntry(`it is not JSON: ${reason.replaceAll(/\s+/g, ' ')}`);
  }
}
