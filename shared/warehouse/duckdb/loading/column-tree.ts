import type { FieldSchema, FieldType, TableSchema } from '../../../schema/table-schema.ts';
import { type Presence, type TableLayout, valueColumn } from '../store/layout.ts';

/**
 * A table's columns as they are known so far: those of the schema, which stay as they are, and those that were
 * found in the entries, which widen as more entries are seen. It changes while a source is read.
 */
export interface ColumnTree {
  readonly root: RecordNode;
  /** Grows by one with every column added and every type widened. */
  version: number;
  /** All columns and nested fields. */
  columnCount: number;
  /** How many columns were ever added: the number of the last. */
  lastId: number;
  /** How many objects have been seen: the serial number of the last. */
  objectCount: number;
}

/** The fields of a record, or the columns of the table itself, as the entries so far have them. */
export interface RecordNode {
  readonly columns: Column[];
  /** By the name in lower case: BigQuery compares field names without regard to case. */
  readonly byName: Map<string, Column>;
  /** The columns by the place that they had in the last objects: most have their fields in the same order. */
  order: Column[];
  /** Columns whose absence from an entry matters: required ones and arrays, which are never NULL. */
  readonly expected: Column[];
  readonly depth: number;
  /** Whether its fields are columns of the table, as far as is known: no entry, or few of them, have it twice. */
  isFlat: boolean;
  /** Its fields as the JSON text of a record without any of them has them, at their `place`. */
  blank: readonly string[];
  /** Entries of this reading that have it twice or more; the serial number of the last. */
  twiceCount: number;
  twiceIn: number;
}

/** A column or nested field, and where written rows have it. */
export interface Column {
  readonly name: string;
  /** The name and a colon as JSON writes them. */
  readonly key: string;
  /** Where a written row has the column, and where the column's text; no other column of the tree has these slots. */
  readonly slot: number;
  readonly textSlot: number;
  readonly declared: boolean;
  readonly required: boolean;
  readonly repeated: boolean;
  type: FieldType;
  /** The fields of a STRUCT. */
  readonly record: RecordNode | null;
  /** The serial number of the last object that had this field, to find missing and doubled ones. */
  seenIn: number;
  /** Where the JSON text of a record has this field; -1 for one that is not stored, a record without fields. */
  place: number;
}

/**
 * So many columns and nested fields entries bring a table to; a schema may declare more. Each field makes every query over the
 * table slower, whoever sent it, and an answer with whole records has it in every entry.
 */
export const MAX_COLUMNS = 1_000;
/** BigQuery's limit for levels of records (cloud.google.com/bigquery/quotas). */
export const MAX_DEPTH = 15;

/** The slot under which a row says that it has a flat record twice. */
export const REPEATED_SLOT = 0;

/** A column of text that the schema declares, by its name in lower case. */
export function declaredText({ byName }: RecordNode, name: string): Column | undefined {
  const column = byName.get(name);
  return column?.declared && column.type === 'STRING' && !column.repeated ? column : undefined;
}

/** The columns of a schema; with `flat`, all records are flat to begin with, those that are added included. */
export function columnTree(schema: TableSchema, records: 'flat' | 'nested'): ColumnTree {
  return knownTree(schema, { isFlat: () => records === 'flat', isDeclared: () => true });
}

/** What is known of the columns of a table, by their path. The table itself has the empty path. */
export interface KnownColumns {
  /** Whether a record is flat; one in a record that is not flat is not either. */
  readonly isFlat: (path: string) => boolean;
  /** Whether a column is part of the schema, so that its type stays as it is. */
  readonly isDeclared: (path: string) => boolean;
}

/** The columns of a table that has entries. The slots of the columns depend on schema and `known` alone. */
export function knownTree(schema: TableSchema, known: KnownColumns): ColumnTree {
  const root = recordNode(0, known.isFlat(''));
  const tree: ColumnTree = { root, version: 0, columnCount: 0, lastId: 0, objectCount: 0 };
  addFields(tree, { node: tree.root, path: [], fields: schema }, known);
  return tree;
}

/** The column at the end of a path that the tree has. */
export function columnAt(tree: ColumnTree, path: readonly string[]): Column {
  let column: Column | undefined;
  for (const name of path) column = (column?.record ?? tree.root).byName.get(name.toLowerCase());
  if (column === undefined) throw new TypeError(`there is no column ${path.join('.')}`);
  return column;
}

/** A record without fields. `depth` is the number of records around it: 0 for the table itself. */
export function recordNode(depth: number, isFlat: boolean): RecordNode {
  return {
    columns: [],
    byName: new Map(),
    order: [],
    expected: [],
    depth,
    isFlat,
    blank: [],
    twiceCount: 0,
    twiceIn: 0,
  };
}

interface KnownRecord {
  readonly node: RecordNode;
  readonly path: readonly string[];
  readonly fields: TableSchema;
}

function addFields(tree: ColumnTree, { node, path: parent, fields }: KnownRecord, known: KnownColumns): void {
  for (const { name, type, mode, fields: nested } of fields) {
    const path = [...parent, name];
    const column = valueColumn(path);
    const record = type === 'STRUCT' ? recordNode(node.depth + 1, node.isFlat && known.isFlat(column)) : null;
    if (record !== null) addFields(tree, { node: record, path, fields: nested }, known);
    addColumn(tree, node, {
      name,
      type,
      record,
      declared: known.isDeclared(column),
      required: mode === 'REQUIRED',
      repeated: mode === 'REPEATED',
    });
  }
}

/**
 * Adds a column to a record of the tree, with slots that no other column has. The record must not have a column of that
 * name yet, in whatever case.
 */
export function addColumn(
  tree: ColumnTree,
  node: RecordNode,
  options: Omit<Column, 'key' | 'slot' | 'textSlot' | 'seenIn' | 'place'>,
): Column {
  tree.lastId += 1;
  const key = `${JSON.stringify(options.name)}:`;
  const slot = 2 * tree.lastId;
  const column: Column = { ...options, key, slot, textSlot: slot + 1, seenIn: 0, place: -1 };
  node.columns.push(column);
  node.byName.set(column.name.toLowerCase(), column);
  if (column.required || column.repeated) node.expected.push(column);
  tree.columnCount += 1;
  return column;
}

/** Takes back the column that was added last to a record. */
export function removeLastColumn(tree: ColumnTree, node: RecordNode): void {
  const column = node.columns.pop();
  if (column === undefined) return;
  node.byName.delete(column.name.toLowerCase());
  node.order = [];
  if (column.required || column.repeated) node.expected.pop();
  tree.columnCount -= 1;
}

function isStored({ record }: Column): boolean {
  return record === null || record.columns.some(isStored);
}

/** Makes a record ready for a reading: says where the JSON texts have its fields, and starts counting. */
export function startReading(node: RecordNode): void {
  node.blank = node.columns.filter(isStored).map(({ key, repeated }) => `${key}${repeated ? '[]' : 'null'}`);
  node.twiceCount = 0;
  let place = 0;
  for (const column of node.columns) {
    column.place = isStored(column) ? place++ : -1;
    if (column.record !== null) startReading(column.record);
  }
}

/** Keeps a record as a list from now on, with all records in it. */
export function makeNested(tree: ColumnTree, node: RecordNode): void {
  const visit = (record: RecordNode): void => {
    record.isFlat = false;
    for (const column of record.columns) if (column.record !== null) visit(column.record);
  };
  visit(node);
  tree.version += 1;
}

/** The flat records that are stored, by their path; of how many entries have each, nothing is known yet. */
export function flatRecords(node: RecordNode): TableLayout['flat'] {
  return recordsWhere(node, ({ isFlat }) => isFlat, []);
}

/** Those of the flat records that no entry of this reading has twice, nor one that they lie in. */
export function recordsNeverTwice(node: RecordNode): TableLayout['flat'] {
  return recordsWhere(node, ({ isFlat, twiceCount }) => isFlat && twiceCount === 0, []);
}

/** The one record that some entry of this reading has twice; null for several, or none. */
export function onlyRepeated(node: RecordNode): string | null {
  const [first = null, ...others] = recordsTwice(node);
  return others.length === 0 ? first : null;
}

/** The records that some entry of this reading has twice, but for those that lie in one another. */
export function repeatedAlone(node: RecordNode): readonly string[] {
  const twice = recordsTwice(node);
  const isWithin = (inner: string, outer: string) => inner.startsWith(`${outer}.`);
  return twice.filter((one) => twice.every((other) => !isWithin(one, other) && !isWithin(other, one)));
}

function recordsTwice(node: RecordNode, parent: readonly string[] = []): readonly string[] {
  return node.columns.flatMap((column): readonly string[] => {
    if (column.record === null) return [];
    const path = [...parent, column.name];
    const nested = recordsTwice(column.record, path);
    return column.record.isFlat && column.record.twiceCount > 0 ? [valueColumn(path), ...nested] : nested;
  });
}

function recordsWhere(
  node: RecordNode,
  isOne: (record: RecordNode) => boolean,
  parent: readonly string[],
): TableLayout['flat'] {
  const records = new Map<string, Presence>();
  for (const column of node.columns.filter(isStored)) {
    if (column.record === null || !isOne(column.record)) continue;
    const path = [...parent, column.name];
    records.set(valueColumn(path), 'sometimes');
    for (const [nested, presence] of recordsWhere(column.record, isOne, path)) records.set(nested, presence);
  }
  return records;
}

/** The flat record that the most entries have twice. */
export function mostRepeated(node: RecordNode): RecordNode | null {
  const records = node.columns.flatMap(({ record }) =>
    record?.isFlat ? [record, mostRepeated(record)] : [],
  );
  return records.reduce((most, one) => ((one?.twiceCount ?? 0) > (most?.twiceCount ?? 0) ? one : most), null);
}

/** The table's schema with what was added; an added record in which no field was ever filled is left out. */
export function treeSchema(node: RecordNode): TableSchema {
  return node.columns.filter(isStored).map((column): FieldSchema => {
    const fields = column.record === null ? [] : treeSchema(column.record);
    const mode = column.required ? 'REQUIRED' : column.repeated ? 'REPEATED' : 'NULLABLE';
    return { name: column.name, type: column.type, mode, fields };
  });
}

/** A field that the entries have and the schema lacks. */
export interface AddedField {
  /** Names joined by dots, from the column down. */
  readonly path: string;
  /** As GoogleSQL writes it: `STRING`, `ARRAY<STRUCT<code INT64>>`. */
  readonly type: string;
}

/** The topmost fields that were added; what lies in an added record is part of its type. */
export function addedFields(node: RecordNode, prefix = ''): readonly AddedField[] {
  return node.columns.flatMap((column) => {
    const path = prefix + column.name;
    if (column.declared) return column.record === null ? [] : addedFields(column.record, `${path}.`);
    const [field] = treeSchema({ ...node, columns: [column] });
    return field === undefined ? [] : [{ path, type: fieldTypeText(field) }];
  });
}

function fieldTypeText(field: FieldSchema): string {
  const fields = field.fields.map((nested) => `${nested.name} ${fieldTypeText(nested)}`);
  const single = field.type === 'STRUCT' ? `STRUCT<${fields.join(', ')}>` : field.type;
  return field.mode === 'REPEATED' ? `ARRAY<${single}>` : single;
}
