import type { SqlType } from '../types/sql-type.ts';

/** Whether GROUP BY, DISTINCT and set operations compare values of a type. */
export function isGroupable(type: SqlType): boolean {
  if (type.kind === 'STRUCT') return type.fields.every((field) => isGroupable(field.type));
  if (type.kind === 'ARRAY') return isGroupable(type.element);
  return type.kind !== 'JSON';
}

/** Whether PARTITION BY takes values of a type: as GROUP BY does, but no FLOAT64. */
export function isPartitionable(type: SqlType): boolean {
  if (type.kind === 'STRUCT') return type.fields.every((field) => isPartitionable(field.type));
  if (type.kind === 'ARRAY') return isPartitionable(type.element);
  return type.kind !== 'JSON' && type.kind !== 'FLOAT64';
}

/** Whether ORDER BY, MIN and MAX have an order for values of a type. */
export function isOrderable(type: SqlType): boolean {
  return type.kind !== 'STRUCT' && type.kind !== 'JSON' && type.kind !== 'ARRAY';
}
