import type { FieldSchema, TableSchema } from '../../../schema/table-schema.ts';
import { quoteIdentifier } from '../quote.ts';
import { columnType } from './column-type.ts';

/** Whether the entries of a table have a record: all of them, none, or some. */
export type Presence = 'always' | 'never' | 'sometimes';

/**
 * How a source's table keeps its entries, apart from the schema that queries see. A record that entries have at most once
 * is flat: each field is a column of the table. Others are lists of structs, as the schema has them. Where an entry has a
 * flat record twice, the record's columns have nothing of it, and the entry lies in the table beside it once more.
 */
export interface TableLayout {
  /** The flat records by their path, `metadata.request`; what they lie in is flat too. */
  readonly flat: ReadonlyMap<string, Presence>;
  /** Whether there are entries that have a flat record twice, in the table beside it, see `repeatedTable`. */
  readonly hasRepeated: boolean;
  /** Those of the flat records that no entry has twice: they are flat in the table beside it too. Absent for none. */
  readonly flatRepeated?: ReadonlyMap<string, Presence>;
  /** The one record that each entry of the table beside it has twice; absent where they have several. */
  readonly onlyRepeated?: string;
  /**
   * Records of which there is a table with a row for each element, see `elementsTable`, by their path, with the records that are flat
   * in it: all that are flat in the source's own table. Absent for none.
   */
  readonly elements?: ReadonlyMap<string, ReadonlyMap<string, Presence>>;
  /**
   * Whether the table beside the source's own is the one of the elements of `onlyRepeated` too: see `sharedColumns`. Absent where both
   * are tables.
   */
  readonly sharesElements?: true;
}

/** The layouts of tables by source. */
export type TableLayouts = ReadonlyMap<string, TableLayout>;

/** Nothing is flat: all columns are as the schema has them. */
export const NESTED_LAYOUT: TableLayout = { flat: new Map(), hasRepeated: false };

/** The table that has the entries with a flat record twice once more, with such records as lists. */
export function repeatedTable(source: string): string {
  return `${source}$repeated`;
}

/** The source that has such a table; null for the name of any other table. */
export function sourceOfRepeated(table: string): string | null {
  const suffix = repeatedTable('');
  return table.endsWith(suffix) ? table.slice(0, -suffix.length) : null;
}

/**
 * The table with a row for each element of a record that an entry has twice, in the columns that an entry with this element alone
 * has. They have nothing of other records that entries have twice.
 */
export function elementsTable(source: string, record: string): string {
  return `${source}$elements.${record}`;
}

/** The name of the stored table that has the rows of a table: some tables of elements share one with others. */
export function storedTable(layouts: TableLayouts, table: string): string {
  for (const [source, { sharesElements, onlyRepeated = '' }] of layouts) {
    if (sharesElements === true && table === elementsTable(source, onlyRepeated))
      return repeatedTable(source);
  }
  return table;
}

/** The names of the tables of a source. */
export function tablesOf(source: string, layout: TableLayout): readonly string[] {
  const { hasRepeated, sharesElements, onlyRepeated, elements = new Map() } = layout;
  const others = [...elements.keys()].filter((record) => sharesElements !== true || record !== onlyRepeated);
  return [
    source,
    ...(hasRepeated ? [repeatedTable(source)] : []),
    ...others.map((record) => elementsTable(source, record)),
  ];
}

/** Whether a table is one of those beside a source's own. */
export function isTableBeside(table: string, source: string): boolean {
  return table === repeatedTable(source) || table.startsWith(elementsTable(source, ''));
}

/** The flat records that entries may have twice, but for those that lie in another of them. */
export function repeatedRecords({ flat, flatRepeated, hasRepeated }: TableLayout): readonly string[] {
  if (!hasRepeated) return [];
  const isRepeated = (path: string) => flatRepeated?.has(path) !== true;
  return [...flat.keys()].filter((path) => {
    const parent = path.lastIndexOf('.');
    return isRepeated(path) && (parent === -1 || !isRepeated(path.slice(0, parent)));
  });
}

/** A column as DuckDB has it. */
export interface PhysicalColumn {
  readonly name: string;
  /** The names of the fields from the table's column down; empty for `repeated`. */
  readonly path: readonly string[];
  /**
   * `value`: the field itself. `presence`: whether there is the flat record, never NULL. `text`: a column of the schema as
   * JSON, in the form in which rows are encoded. `repeated`: whether the entry has some flat record twice, never NULL.
   */
  readonly kind: 'value' | 'presence' | 'text' | 'repeated';
  /** The field at the path; for `repeated`, what such a field would be. */
  readonly field: FieldSchema;
  /** The DuckDB type. */
  readonly type: string;
}

/** The names that a layout gives its columns. Names of fields hold neither dots nor other signs. */
export const valueColumn = (path: readonly string[]): string => path.join('.');
/** The column that says whether an entry has the flat record at a path. */
export const presenceColumn = (path: readonly string[]): string => `${path.join('.')}?`;
/** The column beside a flat record's columns that has the whole record as JSON text; `column` is the record's name. */
export const textColumn = (column: string): string => `${column}$`;

/** The BOOLEAN column of a table with flat records that says which entries have one twice. */
export const REPEATED_COLUMN = '$repeated';

/** The INT64 column of a table of elements with the place of each in its entry. */
export const OFFSET_COLUMN = '$offset';

/** Whether a column of a source's table has the text of a whole record. */
export const isTextColumn = (name: string): boolean => name.endsWith(textColumn(''));

/** Whether a column has a part of a flat record, or its presence. */
export function isPartOf(column: string, record: string): boolean {
  return column === `${record}?` || column.startsWith(`${record}.`);
}

/** The columns of a source's table, in order. */
export function physicalColumns(
  schema: TableSchema,
  { flat }: Pick<TableLayout, 'flat'>,
): readonly PhysicalColumn[] {
  const columns = schema.flatMap((field) => [...fieldColumns([field], flat), ...textColumns([field], flat)]);
  return flat.size === 0 ? columns : [...columns, REPEATED_FLAG];
}

/** The columns of the table with the entries that have a flat record twice, in order. */
export function repeatedColumns(
  schema: TableSchema,
  { flat, flatRepeated = new Map() }: Pick<TableLayout, 'flat' | 'flatRepeated'>,
): readonly PhysicalColumn[] {
  return [...fieldColumns(schema, flatRepeated), ...textColumns(schema, flat)];
}

/** The columns of a table with a row for each element of a record, in order. */
export function elementColumns(
  schema: TableSchema,
  { flat }: Pick<TableLayout, 'flat'>,
): readonly PhysicalColumn[] {
  return [...fieldColumns(schema, flat), OFFSET];
}

/**
 * The columns of a table that is both the one of the entries that have a record twice, and the one of its elements: a row for each
 * element, of which the first of an entry has the list of all and the texts.
 */
export function sharedColumns(
  schema: TableSchema,
  layout: Pick<TableLayout, 'flat' | 'flatRepeated'>,
  record: string,
): readonly PhysicalColumn[] {
  const ofEntry = repeatedColumns(schema, layout).filter(
    ({ kind, name }) => kind === 'text' || name === record,
  );
  return [...elementColumns(schema, layout), ...ofEntry];
}

const OFFSET: PhysicalColumn = {
  name: OFFSET_COLUMN,
  path: [OFFSET_COLUMN],
  kind: 'value',
  field: { name: OFFSET_COLUMN, type: 'INT64', mode: 'REQUIRED', fields: [] },
  type: 'BIGINT',
};

const REPEATED_FLAG: PhysicalColumn = {
  name: REPEATED_COLUMN,
  path: [],
  kind: 'repeated',
  field: { name: REPEATED_COLUMN, type: 'BOOL', mode: 'REQUIRED', fields: [] },
  type: 'BOOLEAN',
};

function fieldColumns(
  fields: readonly FieldSchema[],
  flat: TableLayout['flat'],
  parent: readonly string[] = [],
): readonly PhysicalColumn[] {
  return fields.flatMap((field): readonly PhysicalColumn[] => {
    const path = [...parent, field.name];
    if (field.type !== 'STRUCT' || !flat.has(valueColumn(path))) {
      return [{ name: valueColumn(path), path, kind: 'value', field, type: columnType(field) }];
    }
    const presence = { name: presenceColumn(path), path, kind: 'presence', field, type: 'BOOLEAN' } as const;
    return [presence, ...fieldColumns(field.fields, flat, path)];
  });
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
