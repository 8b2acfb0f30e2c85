import type { FieldType } from '../../../schema/table-schema.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import type { Column, ColumnTree, RecordNode } from './column-tree.ts';
import { keyColumns } from './entry-key.ts';
import { exactTexts } from './exact-texts.ts';
import type { ColumnBytes, RowPacker } from './row-packer.ts';

/** How the value of a column is read. */
export type DirectKind =
  | 'text'
  | 'whole'
  | 'truth'
  | 'scalar'
  | 'id'
  | 'project'
  | 'time'
  | 'list'
  | 'record'
  /** Only absence is. */
  | 'absence';

/** A column of a tree, as `DirectWriter` reads it. */
export interface DirectColumn {
  readonly column: Column;
  readonly kind: DirectKind;
  /** The name and a colon, and the same with the value of an object that lacks it, as JSON writes them in UTF-8. */
  readonly key: Buffer;
  readonly blank: Buffer;
  readonly bytes: ColumnBytes;
  readonly textBytes: ColumnBytes;
  readonly record: DirectRecord | null;
  /** Whether `wireText` writes its numbers exactly; false outside of records whose text is kept. */
  readonly isExact: boolean;
  /** What followed it in the last object that had it: most have their fields in the same order. */
  next: DirectColumn | null;
  /** The serial number of the last object that had it. */
  seenIn: number;
}

/** A record of a tree. */
export interface DirectRecord {
  readonly byName: ReadonlyMap<string, DirectColumn>;
  /** Those whose absence matters. */
  readonly expected: readonly DirectColumn[];
  /** By place, those that its text has. */
  readonly places: readonly DirectColumn[];
  /** Where the text that is being written has each, by place. */
  readonly starts: number[];
  readonly ends: number[];
  /** What the last object began with. */
  first: DirectColumn | null;
}

/** The columns of a tree, whose reading has started, and where `rows` has them. They change with the version of the tree. */
export function directColumns(tree: ColumnTree, rows: RowPacker): DirectRecord {
  const exact = exactTexts(tree.root);
  const { id, project } = keyColumns(tree.root);
  const timeColumn = tree.root.byName.get(TIME_COLUMN);

  const rootKind = (column: Column): DirectKind | null => {
    if (column === timeColumn) return timeKind(column);
    return column === id ? 'id' : column === project ? 'project' : null;
  };
  const recordOf = (node: RecordNode, top: Column | null): DirectRecord => {
    const byName = new Map<string, DirectColumn>();
    const places: DirectColumn[] = [];
    let previous: DirectColumn | null = null;
    let first: DirectColumn | null = null;
    for (const column of node.columns) {
      const made: DirectColumn = columnOf(column, top ?? column);
      byName.set(column.name.toLowerCase(), made);
      if (column.place !== -1) places[column.place] = made;
      if (previous === null) first = made;
      else previous.next = made;
      previous = made;
    }
    const expected = [...byName.values()].filter(({ column }) => node.expected.includes(column));
    return { byName, expected, places, starts: [], ends: [], first };
  };
  const columnOf = (column: Column, top: Column): DirectColumn => ({
    column,
    kind: rootKind(column) ?? kindOf(column),
    key: Buffer.from(column.key),
    blank: Buffer.from(`${column.key}${column.repeated ? '[]' : 'null'}`),
    bytes: rows.column(column.slot),
    textBytes: rows.column(column.textSlot),
    record: column.record?.isFlat ? recordOf(column.record, top) : null,
    isExact: column !== top && exact.has(top.name),
    next: null,
    seenIn: 0,
  });
  return recordOf(tree.root, null);
}

const SIMPLE: ReadonlyMap<FieldType, DirectKind> = new Map([
  ['STRING', 'text'],
  ['INT64', 'whole'],
  ['BOOL', 'truth'],
]);

function kindOf({ record, repeated, declared, type, place }: Column): DirectKind {
  // Not stored as long as it has no fields.
  if (place === -1) return 'absence';
  if (record !== null) return record.isFlat ? 'record' : 'absence';
  const simple = SIMPLE.get(type);
  if (repeated) return simple === undefined ? 'absence' : 'list';
  // The type of a column that was found in entries may widen with any value.
  return simple ?? (declared || type === 'FLOAT64' ? 'scalar' : 'absence');
}

function timeKind({ record, repeated }: Column): DirectKind {
  return record === null && !repeated ? 'time' : 'absence';
}
