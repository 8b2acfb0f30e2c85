import type { FieldSchema, FieldType } from '../../../schema/table-schema.ts';
import { quoteLiteral } from '../quote.ts';
import { SCALAR_TYPES } from '../store/column-type.ts';
import type { PhysicalColumn } from '../store/layout.ts';
import { type Column, type ColumnTree, columnAt } from './column-tree.ts';
import { REPEATED_KEY } from './record-writer.ts';

/** A table that entries are put into. */
export interface TableInput {
  readonly name: string;
  readonly columns: readonly PhysicalColumn[];
  /** SQL of the rows that entries are, from the array of their texts in `$1`. */
  readonly rowsSql: string;
}

/** Says how entries that were written against the columns of a tree get into a table. */
export function tableInput(name: string, columns: readonly PhysicalColumn[], tree: ColumnTree): TableInput {
  const parts = columns.map((column) =>
    column.kind === 'repeated'
      ? REPEATED_FLAG
      : inputColumn(column.kind, column.field, columnAt(tree, column.path)),
  );
  const structure = Object.fromEntries(parts.map(({ key, type }) => [key, type]));
  const entries = `unnest(from_json($1, ${quoteLiteral(JSON.stringify([structure]))}))`;
  const values = parts.map(({ sql }) => sql).join(', ');
  return { name, columns, rowsSql: `SELECT ${values} FROM (SELECT ${entries} AS e)` };
}

interface InputColumn {
  readonly key: string;
  /** As from_json's structure has it. */
  readonly type: unknown;
  readonly sql: string;
}

const REPEATED_FLAG: InputColumn = {
  key: REPEATED_KEY,
  type: 'BOOLEAN',
  sql: `coalesce(struct_extract(e, '${REPEATED_KEY}'), FALSE)`,
};

function inputColumn(
  kind: Exclude<PhysicalColumn['kind'], 'repeated'>,
  field: FieldSchema,
  column: Column,
): InputColumn {
  const key = kind === 'text' ? column.textKey : column.idKey;
  const value = `struct_extract(e, ${quoteLiteral(key)})`;
  switch (kind) {
    case 'presence':
      return { key, type: 'BOOLEAN', sql: `coalesce(${value}, FALSE)` };
    case 'text': {
      const absent = column.repeated ? '[]' : 'null';
      return { key, type: 'JSON', sql: `coalesce(${value}, '${absent}')` };
    }
    case 'value':
      return { key, type: fieldStructure(field), sql: value };
    default: {
      const unreachable: never = kind;
      throw new TypeError(`column ${unreachable}`);
    }
  }
}

function fieldStructure(field: FieldSchema): unknown {
  const single =
    field.type === 'STRUCT'
      ? Object.fromEntries(field.fields.map((nested) => [nested.name, fieldStructure(nested)]))
      : jsonType(field.type);
  return field.mode === 'REPEATED' ? [single] : single;
}

/** BYTES arrive as text in DuckDB's escaped form, which the table's own type decodes and from_json does not. */
function jsonType(type: Exclude<FieldType, 'STRUCT'>): string {
  return type === 'BYTES' ? 'VARCHAR' : SCALAR_TYPES[type];
}
