import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { FieldSchema, FieldType } from '../../../schema/table-schema.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteLiteral } from '../quote.ts';
import { SCALAR_TYPES } from '../store/column-type.ts';
import type { PhysicalColumn } from '../store/layout.ts';
import { type Column, type ColumnTree, columnAt, REPEATED_SLOT } from './column-tree.ts';
import { MARK, type PackedForm, type PackedRows, SEPARATOR } from './packed-columns.ts';

/** How written rows get into a table. */
export interface TableInput {
  readonly columns: readonly PhysicalColumn[];
  /** Where rows have each column. */
  readonly slots: readonly number[];
  /** SQL of the rows that packed rows of a form are, of which the parameters are the columns in order. */
  rowsSql(form: PackedForm): string;
}

/** Says how entries that were written against the columns of a tree get into a table. */
export function tableInput(columns: readonly PhysicalColumn[], tree: ColumnTree): TableInput {
  const sources = columns.map((column) => (column.kind === 'repeated' ? null : columnAt(tree, column.path)));
  const slots = columns.map(({ kind }, index) => {
    const source = sources[index] ?? null;
    if (source === null) return REPEATED_SLOT;
    return kind === 'text' ? source.textSlot : source.slot;
  });
  const time = tree.root.byName.get(TIME_COLUMN);
  return {
    columns,
    slots,
    rowsSql: (form) => {
      const pieces = columns.map((_, index) => `${piecesSql(form, index + 1)} AS p${index}`);
      const values = columns.map((column, index) => {
        const source = sources[index] ?? null;
        return source !== null && source === time
          ? `make_timestamp(CAST(p${index} AS BIGINT))`
          : valueSql(`p${index}`, column, source, form);
      });
      return `SELECT ${values.join(', ')} FROM (SELECT ${pieces.join(', ')})`;
    },
  };
}

/** Puts packed rows into a table over one connection. */
export class TableInserter {
  readonly #connection: DuckDBConnection;
  readonly #table: string;
  readonly #input: TableInput;
  readonly #order: string | null;
  readonly #statements = new Map<PackedForm, DuckDBPreparedStatement>();

  /** `table` is its full name. The rows of each call are sorted by the column `order`; with null they stay in their order. */
  constructor(connection: DuckDBConnection, table: string, input: TableInput, order: string | null = null) {
    this.#connection = connection;
    this.#table = table;
    this.#input = input;
    this.#order = order;
  }

  /** Where rows have the table's columns. */
  get slots(): ReadonlySet<number> {
    return new Set(this.#input.slots);
  }

  async insert({ form, columns }: PackedRows): Promise<void> {
    const statement = this.#statements.get(form) ?? (await this.#prepare(form));
    for (const [index, slot] of this.#input.slots.entries())
      statement.bindBlob(index + 1, columns.get(slot) ?? NOTHING);
    await statement.run();
  }

  destroy(): void {
    for (const statement of this.#statements.values()) statement.destroySync();
    this.#statements.clear();
  }

  async #prepare(form: PackedForm): Promise<DuckDBPreparedStatement> {
    const { columns } = this.#input;
    const place = columns.findIndex(({ name }) => name === this.#order) + 1;
    const sorted = place === 0 ? '' : ` ORDER BY ${place}`;
    const sql = `INSERT INTO ${this.#table} ${this.#input.rowsSql(form)}${sorted}`;
    const statement = await this.#connection.prepare(sql);
    this.#statements.set(form, statement);
    return statement;
  }
}

const NOTHING = new Uint8Array(0);

/** The pieces of a column, one a row; none for a column that no row has, and so NULL. */
function piecesSql(form: PackedForm, parameter: number): string {
  const text = `decode($${parameter}::BLOB)`;
  return form === 'plain'
    ? `unnest(string_split(${text}, chr(${SEPARATOR})))`
    : `unnest(from_json(nullif(${text}, ''), '["VARCHAR"]'))`;
}

function valueSql(
  piece: string,
  { kind, field }: PhysicalColumn,
  column: Column | null,
  form: PackedForm,
): string {
  switch (kind) {
    case 'presence':
    case 'repeated':
      return `coalesce(${piece} = 'true', FALSE)`;
    case 'text': {
      // DuckDB escapes control characters, and writes numbers in JSON values, in another way than JavaScript does.
      const isSame = form === 'plain' && !hasJson(field);
      const text = isSame ? `nullif(${piece}, '')` : fromJson(piece, 'JSON');
      return `coalesce(${text}, '${column?.repeated ? '[]' : 'null'}')`;
    }
    case 'value':
      return fieldSql(piece, field);
    default: {
      const unreachable: never = kind;
      throw new TypeError(`column ${unreachable}`);
    }
  }
}

function fieldSql(piece: string, field: FieldSchema): string {
  const { type, mode } = field;
  if (type === 'STRUCT' || type === 'JSON' || mode === 'REPEATED')
    return fromJson(piece, fieldStructure(field));
  if (type !== 'STRING' && type !== 'BYTES') return `CAST(nullif(${piece}, '') AS ${SCALAR_TYPES[type]})`;
  const text = `CASE WHEN ${piece} = '' THEN NULL WHEN starts_with(${piece}, chr(${MARK})) THEN substr(${piece}, 2) ELSE ${piece} END`;
  return type === 'STRING' ? text : `CAST(${text} AS BLOB)`;
}

function hasJson({ type, fields }: FieldSchema): boolean {
  return type === 'JSON' || fields.some(hasJson);
}

function fromJson(piece: string, structure: unknown): string {
  return `from_json(nullif(${piece}, ''), ${quoteLiteral(JSON.stringify(structure))})`;
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
