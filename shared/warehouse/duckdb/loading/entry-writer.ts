import type { UndoLog } from './added-column.ts';
import type { ColumnTree } from './column-tree.ts';
import { doubledKey } from './doubled-key.ts';
import { isObject, type JsonValue, kindOf } from './json-value.ts';
import { type EntryProblem, MalformedEntry } from './malformed-entry.ts';
import { NeedsExactNumbers, parseExactly } from './number-text.ts';
import { mayHaveSeparator } from './packed-columns.ts';
import { RecordWriter, type WrittenEntry } from './record-writer.ts';

/** Turns entries into rows of one table. */
export interface EntryWriter {
  /** Reads the JSON text of an entry and adds its unknown fields to the columns, unless it is malformed. */
  write(text: string): WrittenEntry | EntryProblem;
}

export interface EntryWriterOptions {
  /** Whether a field that the schema lacks becomes a column or makes the entry malformed. */
  readonly unknownFields: 'add' | 'refuse';
}

/** Checks entries against the columns and writes them down again in one form. */
export function entryWriter(tree: ColumnTree, { unknownFields }: EntryWriterOptions): EntryWriter {
  const undo: UndoLog = [];
  const writer = new RecordWriter(tree, unknownFields, undo);

  function writeEntry(text: string, parse: (text: string) => unknown): WrittenEntry {
    const value = parseJson(text, parse);
    if (!isObject(value)) throw new MalformedEntry(`${kindOf(value)}, where an entry is an object`);
    const entry = writer.write(value);
    const keys = doubledKey(text, writer.keyCount);
    if (keys === null) return { ...entry, length: text.length, mayHaveSeparator: mayHaveSeparator(text) };
    writer.restart();
    writer.records.push(...keys);
    throw new MalformedEntry('is given twice in one object');
  }

  function takeBack(): void {
    while (undo.length > 0) undo.pop()?.();
    writer.restart();
  }

  return {
    write: (text) => {
      // Text that is not JSON has no field at fault.
      writer.restart();
      try {
        try {
          return writeEntry(text, JSON.parse);
        } catch (error) {
          if (!(error instanceof NeedsExactNumbers)) throw error;
          takeBack();
          return writeEntry(text, parseExactly);
        }
      } catch (error) {
        const path = [...writer.records, writer.field]
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

function parseJson(text: string, parse: (text: string) => unknown): JsonValue {
  try {
    return parse(text) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MalformedEntry(`it is not JSON: ${reason.replaceAll(/\s+/g, ' ')}`);
  }
}
