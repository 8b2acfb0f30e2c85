import type { FieldSchema, FieldType, TableSchema } from '../../../../../../shared/schema/table-schema.ts';

export type ScalarName = Exclude<FieldType, 'STRUCT'>;

/** The type of a value in the made queries. */
export type Type =
  | { readonly kind: 'scalar'; readonly name: ScalarName; readonly isText?: true }
  | { readonly kind: 'struct'; readonly fields: readonly NamedType[] }
  | { readonly kind: 'array'; readonly element: Type };

export interface NamedType {
  readonly name: string;
  readonly type: Type;
}

export type StructType = Extract<Type, { kind: 'struct' }>;

export const scalar = (name: ScalarName): Type => ({ kind: 'scalar', name });
/** A STRING that holds JSON, which is compared as JSON and so goes into nothing else. */
export const JSON_TEXT: Type = { kind: 'scalar', name: 'JSON', isText: true };

export const [BOOL, INT64, STRING] = [scalar('BOOL'), scalar('INT64'), scalar('STRING')];

/** The type of a column. */
export function typeOf(field: FieldSchema): Type {
  const single: Type = field.type === 'STRUCT' ? rowType(field.fields) : scalar(field.type);
  return field.mode === 'REPEATED' ? { kind: 'array', element: single } : single;
}

/** The type of a table's rows. */
export function rowType(schema: TableSchema): StructType {
  return { kind: 'struct', fields: schema.map((field) => ({ name: field.name, type: typeOf(field) })) };
}

export function isScalar(type: Type, ...names: readonly ScalarName[]): boolean {
  return type.kind === 'scalar' && (names.length === 0 || names.includes(type.name));
}

/** Whether two types are the same for a set operation or a comparison. */
export function sameType(a: Type, b: Type): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
