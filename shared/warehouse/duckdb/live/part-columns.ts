import type { FieldSchema, TableSchema } from '../../../schema/table-schema.ts';
import { fieldType } from '../../../sql/analyzer/resolve-table.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import { columnType } from '../store/column-type.ts';
import {
  type PhysicalColumn,
  physicalColumns,
  presenceColumn,
  REPEATED_COLUMN,
  repeatedColumns,
  type TableLayout,
  textColumn,
  valueColumn,
} from '../store/layout.ts';
import { word } from '../translate/duck/sql.ts';
import { storedText } from '../translate/encode-row.ts';
import { columnOfSeveral, hasTwice } from './several-records.ts';
import { fieldNamed, type TableShape } from './table-shape.ts';

/** A table with a part of a source's entries. */
export interface PartTable {
  /** Its full name in DuckDB. */
  readonly name: string;
  readonly shape: TableShape;
  /** Whether its columns are those of entries that have a flat record twice. */
  readonly isRepeated: boolean;
  /** The records that are flat in the table: those of the shape, or fewer in the table of such entries. */
  readonly flat: readonly string[];
  /** The table beside a source's own that has the entries with a flat record twice; null where it has none. */
  readonly beside: Pick<PartTable, 'name' | 'flat'> | null;
}

/** The source's own table of a part, or the one beside it, of which `flat` are flat. */
export function partTable(
  names: { readonly own: string; readonly beside: string | null },
  shape: TableShape,
  isRepeated: boolean,
  flat: readonly string[] = [],
): PartTable {
  const beside = names.beside === null ? null : { name: names.beside, flat };
  if (!isRepeated) return { name: names.own, shape, isRepeated, flat: shape.flat, beside };
  return { name: beside?.name ?? '', shape, isRepeated, flat, beside: null };
}

/** The columns of the tables that have a shape. */
export function shapeColumns(shape: TableShape, isRepeated: boolean): readonly PhysicalColumn[] {
  const layout = layoutOf(shape);
  return isRepeated ? repeatedColumns(shape.schema, layout) : physicalColumns(shape.schema, layout);
}

function layoutOf({ flat }: TableShape): Pick<TableLayout, 'flat'> {
  return { flat: new Map(flat.map((path) => [path, 'sometimes'])) };
}

/** A SELECT of a part's entries as a table of another shape has them, one that holds all that the part's shape does. */
export function selectAs(part: PartTable, shape: TableShape): string {
  const isNoLongerFlat = part.shape.flat.some((path) => !shape.flat.includes(path));
  if (part.isRepeated) {
    const select = selectColumns(part, shape);
    return isNoLongerFlat ? `SELECT * FROM (${select}) WHERE ${hasTwice(shape)}` : select;
  }
  const reader = new PartReader(part);
  const lacksText = shapeColumns(shape, false).some(
    (column) => column.kind === 'text' && !reader.hasText(column),
  );
  if (part.beside === null || !(isNoLongerFlat || lacksText)) return selectColumns(part, shape);
  // A flat record that is there twice is in the other table alone.
  const beside = selectColumns({ ...part, ...part.beside, isRepeated: true, beside: null }, shape);
  const columns = shapeColumns(shape, false).map(
    (column) => `${columnOfSeveral(shape, column)} AS ${quoteIdentifier(column.name)}`,
  );
  const others = `${selectColumns(part, shape)} WHERE NOT ${own(REPEATED_COLUMN)}`;
  return `${others} UNION ALL SELECT ${columns.join(', ')} FROM (${beside})`;
}

/** Whether a part has the columns of a shape already, as `selectAs` would answer them. */
export function isReadAsIs(part: PartTable, shape: TableShape): boolean {
  if (part.shape.flat.some((path) => !shape.flat.includes(path))) return false;
  const reader = new PartReader(part);
  return shapeColumns(shape, part.isRepeated).every((column) => {
    if (column.kind === 'text' && !reader.hasText(column)) return false;
    return reader.column(column) === own(column.name);
  });
}

function selectColumns(part: PartTable, shape: TableShape): string {
  const reader = new PartReader(part);
  const made: string[] = [];
  const columns = shapeColumns(shape, part.isRepeated).map((column) => {
    const { name, kind, field, path } = column;
    if (kind !== 'text' || reader.hasText(column))
      return `${reader.column(column)} AS ${quoteIdentifier(name)}`;
    // The text names the value once for each field, so the value stands below.
    const value = quoteIdentifier(`${name}value`);
    made.push(`${reader.value(path, field)} AS ${value}`);
    const text = storedText(word(`p.${value}`), fieldType(field)).text();
    return `coalesce(${text}, ${field.mode === 'REPEATED' ? "'[]'" : "'null'"}) AS ${quoteIdentifier(name)}`;
  });
  const rows = made.length === 0 ? part.name : `(SELECT *, ${made.join(', ')} FROM ${part.name} AS p)`;
  return `SELECT ${columns.join(', ')} FROM ${rows} AS p`;
}

/** Writes expressions over the columns of one part. */
class PartReader {
  readonly #part: PartTable;
  readonly #flat: ReadonlySet<string>;
  #depth = 0;

  constructor(part: PartTable) {
    this.#part = part;
    this.#flat = new Set(part.flat);
  }

  /** Whether the part has the text of a record as it is now. */
  hasText({ path, field }: PhysicalColumn): boolean {
    const known = this.#field(path);
    return (
      known !== undefined && this.#part.shape.flat.includes(known.field.name) && isSame(known.field, field)
    );
  }

  value(path: readonly string[], target: FieldSchema): string {
    return this.#value(this.#field(path), target);
  }

  column({ kind, path, field }: PhysicalColumn): string {
    const known = this.#field(path);
    switch (kind) {
      case 'presence':
        return known === undefined ? 'FALSE' : own(presenceColumn(known.path));
      case 'value':
        return this.#value(known, field);
      case 'text':
        return own(textColumn(known?.field.name ?? field.name));
      case 'repeated':
        return this.#part.flat.length === 0 ? 'FALSE' : own(REPEATED_COLUMN);
      default: {
        const unreachable: never = kind;
        throw new TypeError(`column ${unreachable}`);
      }
    }
  }

  #field(
    path: readonly string[],
  ): { readonly field: FieldSchema; readonly path: readonly string[] } | undefined {
    let fields: TableSchema = this.#part.shape.schema;
    let field: FieldSchema | undefined;
    const names: string[] = [];
    for (const name of path) {
      field = fieldNamed(fields, name);
      if (field === undefined) return undefined;
      names.push(field.name);
      fields = field.fields;
    }
    return field === undefined ? undefined : { field, path: names };
  }

  /** A field that lies in flat records only, as `target` has it. */
  #value(
    known: { readonly field: FieldSchema; readonly path: readonly string[] } | undefined,
    target: FieldSchema,
  ): string {
    if (known === undefined) return absent(target);
    const { field, path } = known;
    if (!this.#flat.has(valueColumn(path))) return this.#convert(own(valueColumn(path)), field, target);
    const fields = target.fields.map((nested) => {
      const same = fieldNamed(field.fields, nested.name);
      const inner = same === undefined ? undefined : { field: same, path: [...path, same.name] };
      return `${quoteIdentifier(nested.name)} := ${this.#value(inner, nested)}`;
    });
    const record = `struct_pack(${fields.join(', ')})`;
    const present = own(presenceColumn(path));
    if (target.mode !== 'REPEATED') return `CASE WHEN ${present} THEN ${record} END`;
    const none = path.length === 1 ? 'ELSE []' : `WHEN ${own(presenceColumn(path.slice(0, -1)))} THEN []`;
    return `CASE WHEN ${present} THEN [${record}] ${none} END`;
  }

  #convert(value: string, field: FieldSchema, target: FieldSchema): string {
    if (isSame(field, target)) return value;
    if (field.type !== 'STRUCT') return `CAST(${value} AS ${columnType(target)})`;
    if (field.mode !== 'REPEATED') return this.#record(value, field, target);
    this.#depth += 1;
    const element = `e${this.#depth}`;
    return `list_transform(${value}, lambda ${element}: ${this.#record(element, field, target)})`;
  }

  #record(value: string, field: FieldSchema, target: FieldSchema): string {
    const fields = target.fields.map((nested) => {
      const same = fieldNamed(field.fields, nested.name);
      const inner =
        same === undefined
          ? absent(nested)
          : this.#convert(`struct_extract(${value}, ${quoteLiteral(same.name)})`, same, nested);
      return `${quoteIdentifier(nested.name)} := ${inner}`;
    });
    return `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${fields.join(', ')}) END`;
  }
}

const own = (column: string): string => `p.${quoteIdentifier(column)}`;

/** What entries have in a field that came up after they were stored. */
function absent(target: FieldSchema): string {
  return `CAST(${target.mode === 'REPEATED' ? '[]' : 'NULL'} AS ${columnType(target)})`;
}

function isSame(a: FieldSchema, b: FieldSchema): boolean {
  return (
    JSON.stringify([a.name, a.type, a.mode === 'REPEATED', a.fields]) ===
    JSON.stringify([b.name, b.type, b.mode === 'REPEATED', b.fields])
  );
}
