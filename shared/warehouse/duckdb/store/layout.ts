import type { FieldSchema, TableSchema } from '../../../schema/table-schema.ts';
import { quoteIdentifier } from '../quote.ts';
import { columnType } from './column-type.ts';

/** Whether the entries of a table have a record: all of them, none, or some. */
export type Presence = 'always' | 'never' | 'sometimes';

/**
 * How a source's table keeps its entries, apart from the schema that queries see. A record that no entry of the table has
 * twice is flat: each field is a column of the table. Others are lists of structs, as the schema has them.
 */
export interface TableLayout {
  /** The flat records by their path, `metadata.request`; what they lie in is flat too. */
  readonly flat: ReadonlyMap<string, Presence>;
  /** Whether entries that have a flat record twice lie in the table beside it, see `repeatedTable`. */
  readonly hasRepeated: boolean;
}

/** The layouts of tables by source. */
export type TableLayouts = ReadonlyMap<string, TableLayout>;

/** Nothing is flat: all columns are as the schema has them. */
export const NESTED_LAYOUT: TableLayout = { flat: new Map(), hasRepeated: false };

/** The table with the entries that do not fit a source's table; its columns are those of the schema, with texts. */
export function repeatedTable(source: string): string {
  return `${source}$repeated`;
}

/** A column as DuckDB has it. */
export interface PhysicalColumn {
  readonly name: string;
  /** The names of the fields from the table's column down. */
  readonly path: readonly string[];
  /**
   * `value`: the field itself. `presence`: whether there is the flat record, never NULL. `text`: a column of the schema as
   * JSON, in the form in which rows are encoded.
   */
  readonly kind: 'value' | 'presence' | 'text';
  /** The field at the path. */
  readonly field: FieldSchema;
  /** The DuckDB type. */
  readonly type: string;
}

/** The names that a layout gives its columns. Names of fields hold neither dots nor other signs. */
export const valueColumn = (path: readonly string[]): string => path.join('.');
export const presenceColumn = (path: readonly string[]): string => `${path.join('.')}?`;
export const textColumn = (column: string): string => `${column}$`;

/** Whether a column of a source's table has the text of a whole record. */
export const isTextColumn = (name: string): boolean => name.endsWith(textColumn(''));

/** The columns of a source's table, in order. */
export function physicalColumns(
  schema: TableSchema,
  { flat }: Pick<TableLayout, 'flat'>,
): readonly PhysicalColumn[] {
  const columnsOf = (field: FieldSchema, parent: readonly string[]): readonly PhysicalColumn[] => {
    const path = [...parent, field.name];
    if (field.type !== 'STRUCT' || !flat.has(valueColumn(path))) {
      return [{ name: valueColumn(path), path, kind: 'value', field, type: columnType(field) }];
    }
    const presence = { name: presenceColumn(path), path, kind: 'presence', field, type: 'BOOLEAN' } as const;
    return [presence, ...field.fields.flatMap((nested) => columnsOf(nested, path))];
  };
  return schema.flatMap((field) => [...columnsOf(field, []), ...textColumns([field], flat)]);
}

/** The columns of the table with the entries that have a flat record twice, in order: those of the schema, then the texts. */
export function repeatedColumns(
  schema: TableSchema,
  { flat }: Pick<TableLayout, 'flat'>,
): readonly PhysicalColumn[] {
  const values = schema.map((field): PhysicalColumn => {
    return { name: field.name, path: [field.name], kind: 'value', field, type: columnType(field) };
  });
  return [...values, ...textColumns(schema, flat)];
}

function textColumns(schema: TableSchema, flat: TableLayout['flat']): readonly PhysicalColumn[] {
  return schema
    .filter(({ name, type }) => type === 'STRUCT' && flat.has(name))
    .map((field) => {
      const { name } = field;
      return { name: textColumn(name), path: [name], kind: 'text', field, type: 'VARCHAR' };
    });
}

/** Columns as CREATE TABLE takes them. A text is long, rarely read, and much like the one before: it is packed tightly. */
export function columnsSql(columns: readonly PhysicalColumn[]): string {
  return columns
    .map(
      ({ name, kind, type }) =>
        `${quoteIdentifier(name)} ${type}${kind === 'text' ? ' USING COMPRESSION zstd' : ''}`,
    )
    .join(', ');
}
