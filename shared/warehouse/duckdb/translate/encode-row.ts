import type { SqlType } from '../../../sql/types/sql-type.ts';
import { MAX_EXACT_INTEGER, type RawNumbers } from '../exact-numbers.ts';
import { duck, identifier, joined, mapped, type Sql, textLiteral, word } from './duck/sql.ts';
import { fieldSql } from './functions/field-sql.ts';
import { intervalText } from './functions/intervals.ts';
import { structFieldNames } from './struct-sql.ts';

/** A column of the result, with the SQL of its value. */
export interface EncodedColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly sql: Sql;
  /** Whether `sql` is the value as JSON text already, in the form that hasOwnForm() promises; NULL for none. */
  readonly isText?: boolean;
}

/** SQL for the text of one row. */
export interface RowEncoding {
  readonly sql: Sql;
  /** What exactNumbers() needs to know of the text to put it into wire types; null where the text is in them. */
  readonly rawNumbers: RawNumbers | null;
}

/**
 * Makes SQL for the text of one row as a JSON object, in the wire types of docs/http-api.md. Numbers are left as
 * DuckDB writes them where that can be mended in the text, which is far cheaper than looking at each of them in SQL.
 * The text does not distinguish INT64, which is a string beyond 2^53, from the numbers of a JSON value or a nested TIMESTAMP,
 * which are not: next to those each number is encoded by itself.
 */
export function encodeRow(columns: readonly EncodedColumn[]): RowEncoding {
  const isExact = columns.some(({ type }) => needsExactEncoding(type));
  const encoder = new Encoder(isExact);
  const timestamps = columns.filter(({ type }) => type.kind === 'TIMESTAMP').map(({ name }) => name);
  const sql = columns.some(({ isText }) => isText)
    ? joinedRow(columns, encoder)
    : packedRow(columns, encoder);
  return { sql, rawNumbers: isExact ? null : { timestamps: new Set(timestamps) } };
}

/** The text of a value as a table keeps it beside the value: as it is in a row of its own. NULL for none. */
export function storedText(value: Sql, type: SqlType): Sql {
  return jsonText(new Encoder(needsExactEncoding(type)).encode(value, type));
}

/** Whether values of a type are written in rows of these columns as they are in a row of their own. */
export function hasOwnForm(type: SqlType, columns: readonly { readonly type: SqlType }[]): boolean {
  return needsExactEncoding(type) || !columns.some((column) => needsExactEncoding(column.type));
}

function packedRow(columns: readonly EncodedColumn[], encoder: Encoder): Sql {
  const fields = columns.map(
    ({ name, type, sql }) => duck`${identifier(name)} := ${encoder.encode(sql, type)}`,
  );
  return jsonText(duck`struct_pack(${joined(fields, ', ')})`);
}

/** The same text, put together from the texts of the columns. */
function joinedRow(columns: readonly EncodedColumn[], encoder: Encoder): Sql {
  const fields = columns.flatMap(({ name, type, sql, isText }, index) => {
    const text = isText ? sql : scalarJson(encoder.encode(sql, type), type);
    const none = word(type.kind === 'ARRAY' ? "'[]'" : "'null'");
    return [...keyText(index === 0 ? '{' : ',', name), duck`coalesce(${text}, ${none})`];
  });
  return duck`concat(${joined([...fields, textLiteral('}')], ', ')})`;
}

/** Names in which JSON escapes nothing. */
const PLAIN_NAME = /^[ !#-[\]-~]*$/;

/** What stands before a field's value: each is a part of the text. */
function keyText(before: string, name: string): readonly Sql[] {
  if (PLAIN_NAME.test(name)) return [textLiteral(`${before}"${name}":`)];
  return [textLiteral(before), jsonText(textLiteral(name)), textLiteral(':')];
}

/** An encoded value as JSON text; whole numbers need no JSON on the way. */
function scalarJson(value: Sql, { kind }: SqlType): Sql {
  return kind === 'TIMESTAMP' ? duck`CAST(${value} AS VARCHAR)` : jsonText(value);
}

function jsonText(value: Sql): Sql {
  return duck`CAST(to_json(${value}) AS VARCHAR)`;
}

/** Whether each number has to be encoded by itself in a row that has a value of this type. */
export function needsExactEncoding(type: SqlType): boolean {
  return holds(type, 'JSON') || (type.kind !== 'TIMESTAMP' && holds(type, 'TIMESTAMP'));
}

function holds(type: SqlType, kind: SqlType['kind']): boolean {
  if (type.kind === 'ARRAY') return holds(type.element, kind);
  if (type.kind === 'STRUCT') return type.fields.some((field) => holds(field.type, kind));
  return type.kind === kind;
}

/** Types that DuckDB's to_json writes in their wire type by itself. */
const PLAIN_TYPES: ReadonlySet<SqlType['kind']> = new Set(['BOOL', 'STRING', 'DATE', 'JSON']);

class Encoder {
  readonly #isExact: boolean;

  constructor(isExact: boolean) {
    this.#isExact = isExact;
  }

  /** SQL for a value that to_json writes as it should be. */
  encode(sql: Sql, type: SqlType): Sql {
    if (this.#isPlain(type)) return type.kind === 'ARRAY' ? duck`coalesce(${sql}, [])` : sql;
    switch (type.kind) {
      case 'ARRAY': {
        const elements = mapped(sql, (element) => this.encode(element, type.element));
        return duck`coalesce(${elements}, [])`;
      }
      case 'STRUCT':
        return this.#encodeStruct(sql, type);
      default:
        return encodeScalar(sql, type.kind);
    }
  }

  #encodeStruct(sql: Sql, type: Extract<SqlType, { kind: 'STRUCT' }>): Sql {
    const names = structFieldNames(type);
    const fields = type.fields.map((field, index) => {
      const value = this.encode(fieldSql(sql, index, field.type), field.type);
      return duck`${identifier(names[index] ?? '')} := ${value}`;
    });
    return duck`CASE WHEN ${sql} IS NOT NULL THEN struct_pack(${joined(fields, ', ')}) END`;
  }

  #isPlain(type: SqlType): boolean {
    if (type.kind === 'STRUCT') return type.fields.every((field) => this.#isPlain(field.type));
    if (type.kind === 'ARRAY') return this.#isPlain(type.element);
    if (type.kind === 'INT64' || type.kind === 'FLOAT64') return !this.#isExact;
    return PLAIN_TYPES.has(type.kind);
  }
}

type OtherScalar = Exclude<SqlType['kind'], 'ARRAY' | 'STRUCT'>;

function encodeScalar(sql: Sql, kind: OtherScalar): Sql {
  switch (kind) {
    case 'BOOL':
    case 'STRING':
    case 'DATE':
    case 'JSON':
      return sql;
    case 'INT64': {
      const isExact = duck`${sql} BETWEEN -${MAX_EXACT_INTEGER} AND ${MAX_EXACT_INTEGER}`;
      return duck`CASE WHEN ${isExact} THEN to_json(${sql}) ELSE to_json(CAST(${sql} AS VARCHAR)) END`;
    }
    case 'FLOAT64': {
      const named = duck`WHEN isnan(${sql}) THEN to_json('NaN') WHEN ${sql} > 0 THEN to_json('Infinity')`;
      const least = duck`WHEN ${sql} < 0 THEN to_json('-Infinity')`;
      return duck`CASE WHEN isfinite(${sql}) THEN to_json(${sql}) ${named} ${least} END`;
    }
    case 'NUMERIC':
    case 'BIGNUMERIC': {
      const text = duck`CAST(${sql} AS VARCHAR)`;
      return duck`CASE WHEN contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`;
    }
    case 'BYTES':
      return duck`base64(${sql})`;
    case 'TIMESTAMP':
      return duck`epoch_us(${sql})`;
    case 'DATETIME':
      return secondsText(sql, sql, '%Y-%m-%dT%H:%M:%S');
    case 'TIME':
      return secondsText(sql, duck`DATE '2000-01-01' + ${sql}`, '%H:%M:%S');
    case 'INTERVAL':
      return intervalText(sql);
    default: {
      const unreachable: never = kind;
      throw new TypeError(`type ${unreachable}`);
    }
  }
}

/** The text of a time, which `instant` has as well, in a format that ends in seconds; with a fraction where it has one. */
function secondsText(time: Sql, instant: Sql, format: string): Sql {
  const [whole, exact] = [textLiteral(format), textLiteral(`${format}.%f`)];
  const isWhole = duck`epoch_us(${time}) % 1000000 = 0`;
  return duck`CASE WHEN ${isWhole} THEN strftime(${instant}, ${whole}) ELSE strftime(${instant}, ${exact}) END`;
}
