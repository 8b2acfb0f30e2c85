/** GoogleSQL's scalar types, as far as logs and queries over them use them. */
export const SCALAR_TYPES = [
  'BOOL',
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'BIGNUMERIC',
  'STRING',
  'BYTES',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
  'INTERVAL',
  'JSON',
] as const;

/** The spelling of a scalar type in GoogleSQL. */
export type ScalarTypeName = (typeof SCALAR_TYPES)[number];

/** A type whose values have neither elements nor fields; JSON counts as one. */
export interface ScalarType {
  readonly kind: ScalarTypeName;
}

/** ARRAY<element>; the element is no array, as in GoogleSQL. */
export interface ArrayType {
  readonly kind: 'ARRAY';
  readonly element: SqlType;
}

/** A field of a STRUCT, in the order of its values. */
export interface StructField {
  /** Empty for an anonymous field. */
  readonly name: string;
  readonly type: SqlType;
}

/** STRUCT<name type, …> */
export interface StructType {
  readonly kind: 'STRUCT';
  readonly fields: readonly StructField[];
}

/** The type of a value in GoogleSQL: scalar, array or struct. */
export type SqlType = ScalarType | ArrayType | StructType;

/** A column of a query's result. */
export interface Column {
  readonly name: string;
  readonly type: SqlType;
}

export const BOOL: ScalarType = { kind: 'BOOL' };
export const INT64: ScalarType = { kind: 'INT64' };
export const FLOAT64: ScalarType = { kind: 'FLOAT64' };
export const NUMERIC: ScalarType = { kind: 'NUMERIC' };
export const BIGNUMERIC: ScalarType = { kind: 'BIGNUMERIC' };
export const STRING: ScalarType = { kind: 'STRING' };
export const BYTES: ScalarType = { kind: 'BYTES' };
export const DATE: ScalarType = { kind: 'DATE' };
export const DATETIME: ScalarType = { kind: 'DATETIME' };
export const TIME: ScalarType = { kind: 'TIME' };
export const TIMESTAMP: ScalarType = { kind: 'TIMESTAMP' };
export const INTERVAL: ScalarType = { kind: 'INTERVAL' };
export const JSON_TYPE: ScalarType = { kind: 'JSON' };

/** The array type over an element type. GoogleSQL has no arrays of arrays; callers check that. */
export function arrayOf(element: SqlType): ArrayType {
  return { kind: 'ARRAY', element };
}

/** Whether two types are the same, struct field names compared without regard to case. */
export function sameType(a: SqlType, b: SqlType): boolean {
  if (a.kind === 'ARRAY') return b.kind === 'ARRAY' && sameType(a.element, b.element);
  if (a.kind === 'STRUCT') {
    return (
      b.kind === 'STRUCT' &&
      a.fields.length === b.fields.length &&
      a.fields.every((field, index) => {
        const other = b.fields[index];
        return (
          other !== undefined &&
          field.name.toLowerCase() === other.name.toLowerCase() &&
          sameType(field.type, other.type)
        );
      })
    );
  }
  return a.kind === b.kind;
}

/** The type as GoogleSQL writes it: `ARRAY<STRUCT<method STRING, path STRING>>`. */
export function typeText(type: SqlType): string {
  if (type.kind === 'ARRAY') return `ARRAY<${typeText(type.element)}>`;
  if (type.kind === 'STRUCT') {
    const fields = type.fields.map(
      (field) => (field.name === '' ? '' : `${field.name} `) + typeText(field.type),
    );
    return `STRUCT<${fields.join(', ')}>`;
  }
  return type.kind;
}
