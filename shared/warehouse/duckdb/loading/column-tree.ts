import type { FieldSchema, FieldType, TableSchema } from '../../../schema/table-schema.ts';

/**
 * A table's columns as they are known so far: those of the schema, which stay as they are, and those that were
 * found in the entries, which widen as more entries are seen. It changes while a source is read.
 */
export interface ColumnTree {
  readonly root: RecordNode;
  /** Grows by one with every column added and every type widened. */
  version: number;
  /** All columns and nested fields, against BigQuery's limit. */
  columnCount: number;
  /** How many objects have been seen: the serial number of the last. */
  objectCount: number;
}

export interface RecordNode {
  readonly columns: Column[];
  /** By the name in lower case: BigQuery compares field names without regard to case. */
  readonly byName: Map<string, Column>;
  /** Columns whose absence from an entry matters: required ones and arrays, which are never NULL. */
  readonly expected: Column[];
  readonly depth: number;
}

export interface Column {
  readonly name: string;
  /** The name and a colon as JSON writes them. */
  readonly key: string;
  readonly declared: boolean;
  readonly required: boolean;
  readonly repeated: boolean;
  type: FieldType;
  /** The fields of a STRUCT. */
  readonly record: RecordNode | null;
  /** The serial number of the last object that had this field, to find missing and doubled ones. */
  seenIn: number;
}

/** BigQuery's limits for a table (cloud.google.com/bigquery/quotas): columns with nested fields, levels of records. */
export const MAX_COLUMNS = 10_000;
export const MAX_DEPTH = 15;

export function columnTree(schema: TableSchema): ColumnTree {
  const tree: ColumnTree = { root: recordNode(0), version: 0, columnCount: 0, objectCount: 0 };
  addFields(tree, tree.root, schema);
  return tree;
}

export function recordNode(depth: number): RecordNode {
  return { columns: [], byName: new Map(), expected: [], depth };
}

function addFields(tree: ColumnTree, node: RecordNode, fields: TableSchema): void {
  for (const { name, type, mode, fields: nested } of fields) {
    const record = type === 'STRUCT' ? recordNode(node.depth + 1) : null;
    if (record !== null) addFields(tree, record, nested);
    addColumn(tree, node, {
      name,
      type,
      record,
      declared: true,
      required: mode === 'REQUIRED',
      repeated: mode === 'REPEATED',
    });
  }
}

export function addColumn(
  tree: ColumnTree,
  node: RecordNode,
  options: Omit<Column, 'key' | 'seenIn'>,
): Column {
  const column: Column = { ...options, key: `${JSON.stringify(options.name)}:`, seenIn: 0 };
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
  if (column.required || column.repeated) node.expected.pop();
  tree.columnCount -= 1;
}

/** The table's schema with what was added; an added record in which no field was ever filled is left out. */
export function treeSchema(node: RecordNode): TableSchema {
  return node.columns.flatMap((column): FieldSchema[] => {
    const fields = column.record === null ? [] : treeSchema(column.record);
    if (column.type === 'STRUCT' && fields.length === 0) return [];
    const mode = column.required ? 'REQUIRED' : column.repeated ? 'REPEATED' : 'NULLABLE';
    return [{ name: column.name, type: column.type, mode, fields }];
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
