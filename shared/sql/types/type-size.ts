import { memoize } from '../../concurrency/memoize.ts';
import type { SqlType } from './sql-type.ts';

/** Most fields that a type may have, at all its levels together. */
const MAX_TYPE_FIELDS = 5_000;
/** Most levels of records in records. BigQuery stores 15. */
const MAX_TYPE_DEPTH = 30;

interface TypeSize {
  /** At all levels. */
  readonly fields: number;
  /** How many records lie in one another. */
  readonly depth: number;
}

const SCALAR: TypeSize = { fields: 0, depth: 0 };

/** Types share their parts, so that a type with millions of fields takes few objects; each is measured once. */
const sizeOfStruct = memoize(measure);

/** How large a type is; a scalar has no fields. */
export function sizeOf(type: SqlType): TypeSize {
  if (type.kind === 'ARRAY') return sizeOf(type.element);
  return type.kind === 'STRUCT' ? sizeOfStruct(type) : SCALAR;
}

function measure(type: Extract<SqlType, { kind: 'STRUCT' }>): TypeSize {
  let fields = 0;
  let depth = 0;
  for (const field of type.fields) {
    const size = sizeOf(field.type);
    fields += 1 + size.fields;
    depth = Math.max(depth, size.depth);
  }
  return { fields, depth: depth + 1 };
}

/** Says what is too much about a type that a query made, or null. */
export function typeSizeComplaint({ fields, depth }: TypeSize): string | null {
  if (fields > MAX_TYPE_FIELDS) return `a record of more than ${MAX_TYPE_FIELDS} fields`;
  return depth > MAX_TYPE_DEPTH ? `records nested deeper than ${MAX_TYPE_DEPTH} levels` : null;
}
