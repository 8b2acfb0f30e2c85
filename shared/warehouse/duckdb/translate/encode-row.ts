import type { SqlType } from '../../../sql/types/sql-type.ts';
import { quoteIdentifier } from '../quote.ts';
import { notSupported } from './not-supported.ts';

/** The largest whole number up to which JSON's numbers are exact everywhere. */
export const MAX_EXACT_INTEGER = 2 ** 53;

export interface EncodedColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly sql: string;
}

/** SQL for the text of one row. */
export interface RowEncoding {
  readonly sql: string;
  /** Whether the text has to go through exactNumbers() to be in wire types. */
  readonly hasRawNumbers: boolean;
}

/**
 * Makes SQL for the text of one row as a JSON object, in the wire types of docs/http-api.md. Numbers are left as
 * DuckDB writes them where that can be mended in the text, which is far cheaper than looking at each of them in SQL;
 * a JSON value may hold any numbers of its own, so next to one each number is encoded by itself.
 */
export function encodeRow(columns: readonly EncodedColumn[]): RowEncoding {
  const encoder = new Encoder(columns.some(({ type }) => holdsJson(type)));
  const fields = columns.map(
    ({ name, type, sql }) => `${quoteIdentifier(name)} := ${encoder.encode(sql, type, 0)}`,
  );
  return {
    sql: `CAST(to_json(struct_pack(${fields.join(', ')})) AS VARCHAR)`,
    hasRawNumbers: !encoder.isExact,
  };
}

function holdsJson(type: SqlType): boolean {
  if (type.kind === 'ARRAY') return holdsJson(type.element);
  if (type.kind === 'STRUCT') return type.fields.some((field) => holdsJson(field.type));
  return type.kind === 'JSON';
}

/** Types that DuckDB's to_json writes in their wire type by itself. */
const PLAIN_TYPES: ReadonlySet<SqlType['kind']> = new Set(['BOOL', 'STRING', 'DATE', 'JSON']);

class Encoder {
  readonly isExact: boolean;

  constructor(isExact: boolean) {
    this.isExact = isExact;
  }

  /** SQL for a value that to_json writes as it should be. */
  encode(sql: string, type: SqlType, depth: number): string {
    if (this.#isPlain(type)) return type.kind === 'ARRAY' ? `coalesce(${sql}, [])` : sql;
    switch (type.kind) {
      case 'ARRAY': {
        const variable = `e${depth}`;
        const element = this.encode(variable, type.element, depth + 1);
        return `coalesce(list_transform(${sql}, lambda ${variable}: ${element}), [])`;
      }
      case 'STRUCT':
        return this.#encodeStruct(sql, type, depth);
      case 'TIMESTAMP':
        return this.isExact ? encodeInteger(`epoch_us(${sql})`) : `epoch_us(${sql})`;
      default:
        return encodeScalar(sql, type.kind);
    }
  }

  #encodeStruct(sql: string, type: Extract<SqlType, { kind: 'STRUCT' }>, depth: number): string {
    const names = structFieldNames(type);
    const fields = type.fields.map((field, index) => {
      const value = this.encode(`struct_extract_at(${sql}, ${index + 1})`, field.type, depth);
      return `${quoteIdentifier(names[index] ?? '')} := ${value}`;
    });
    return `CASE WHEN ${sql} IS NOT NULL THEN struct_pack(${fields.join(', ')}) END`;
  }

  #isPlain(type: SqlType): boolean {
    if (type.kind === 'STRUCT') return type.fields.every((field) => this.#isPlain(field.type));
    if (type.kind === 'ARRAY') return this.#isPlain(type.element);
    if (type.kind === 'INT64' || type.kind === 'FLOAT64') return !this.isExact;
    return PLAIN_TYPES.has(type.kind);
  }
}

/** A whole number that JSON's numbers are exact for, else its text. */
function encodeInteger(sql: string): string {
  return `CASE WHEN ${sql} BETWEEN -${MAX_EXACT_INTEGER} AND ${MAX_EXACT_INTEGER} THEN to_json(${sql}) ELSE to_json(CAST(${sql} AS VARCHAR)) END`;
}

type OtherScalar = Exclude<SqlType['kind'], 'ARRAY' | 'STRUCT' | 'TIMESTAMP'>;

function encodeScalar(sql: string, kind: OtherScalar): string {
  switch (kind) {
    case 'BOOL':
    case 'STRING':
    case 'DATE':
    case 'JSON':
      return sql;
    case 'INT64':
      return encodeInteger(sql);
    case 'FLOAT64':
      return `CASE WHEN isfinite(${sql}) THEN to_json(${sql}) WHEN isnan(${sql}) THEN to_json('NaN') WHEN ${sql} > 0 THEN to_json('Infinity') WHEN ${sql} < 0 THEN to_json('-Infinity') END`;
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return `CASE WHEN contains(CAST(${sql} AS VARCHAR), '.') THEN rtrim(rtrim(CAST(${sql} AS VARCHAR), '0'), '.') ELSE CAST(${sql} AS VARCHAR) END`;
    case 'BYTES':
      return `base64(${sql})`;
    case 'DATETIME':
      return `CASE WHEN epoch_us(${sql}) % 1000000 = 0 THEN strftime(${sql}, '%Y-%m-%dT%H:%M:%S') ELSE strftime(${sql}, '%Y-%m-%dT%H:%M:%S.%f') END`;
    case 'TIME':
      return `CASE WHEN epoch_us(${sql}) % 1000000 = 0 THEN strftime(DATE '2000-01-01' + ${sql}, '%H:%M:%S') ELSE strftime(DATE '2000-01-01' + ${sql}, '%H:%M:%S.%f') END`;
    case 'INTERVAL':
      throw notSupported('INTERVAL in a result; extract its parts or cast it to STRING');
    default: {
      const unreachable: never = kind;
      throw new TypeError(`type ${unreachable}`);
    }
  }
}

/** The names of a struct's fields in DuckDB, where each needs one of its own: anonymous ones are `_field_1`, … */
export function structFieldNames(type: Extract<SqlType, { kind: 'STRUCT' }>): readonly string[] {
  const taken = new Set<string>();
  return type.fields.map((field, index) => {
    const wanted = field.name === '' ? `_field_${index + 1}` : field.name;
    const name = taken.has(wanted.toLowerCase()) ? `${wanted}_${index + 1}` : wanted;
    taken.add(name.toLowerCase());
    return name;
  });
}
