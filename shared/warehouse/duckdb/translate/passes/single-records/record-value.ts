import type { ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import {
  callOf,
  columnReference,
  either,
  FALSE,
  fieldOf,
  integer,
  nullOf,
  TRUE,
} from '../../../../../sql/resolved/make-expression.ts';
import { arrayOf, BOOL, INT64, type SqlType } from '../../../../../sql/types/sql-type.ts';
import { type FlatRecord, fieldAt } from './flat-record.ts';

/** The value of an expression that is a flat record: a struct, or an array that has it as its one element, if any. */
export interface RecordValue {
  readonly kind: 'record';
  readonly record: FlatRecord;
  readonly isArray: boolean;
  /** Whether the rows without the record are gone. */
  readonly isKnown: boolean;
  /**
   * For an array, when it is not there at all, as what it is a field of is not; null for never. Made when it is asked for,
   * as it may ask for columns.
   */
  readonly missing: (() => ResolvedExpression) | null;
  /** What stands for a struct that is not there, or an array that is missing, such as an error; null for NULL. */
  readonly absent: ResolvedExpression | null;
}

/** The value of an expression: a flat record, or what any other expression is. */
export type Value = ResolvedExpression | RecordValue;

/** Whether a value is a flat record, which is no single expression. */
export function isRecord(value: Value): value is RecordValue {
  return value.kind === 'record';
}

/** A whole record, as it stands in a row. */
export function wholeRecord(record: FlatRecord, isArray: boolean): RecordValue {
  const missing = isArray && record.mayBeExtended ? () => isNull(columnReference(record.isPresent())) : null;
  return { kind: 'record', record, isArray, isKnown: false, missing, absent: null };
}

/** The GoogleSQL type of a flat record's value: a STRUCT, or an ARRAY of it. */
export function typeOf({ record, isArray }: RecordValue): SqlType {
  return isArray ? arrayOf(record.type) : record.type;
}

/** Whether there is the record; never NULL. */
export function isPresent({ record, isKnown }: RecordValue): ResolvedExpression {
  if (isKnown || record.presence === 'always') return TRUE;
  if (record.presence === 'never') return FALSE;
  const column = columnReference(record.isPresent());
  return record.mayBeExtended ? callOf('$IS_TRUE', BOOL, column) : column;
}

/** The one element of an array. */
export function elementOf(value: RecordValue, isKnown: boolean): RecordValue {
  return { ...value, isArray: false, isKnown: isKnown || value.isKnown, missing: null, absent: null };
}

/** A field of a struct. */
export function fieldOfRecord(value: RecordValue, index: number): Value {
  const { record, absent } = value;
  const field = record.field(index);
  const { type } = fieldAt(record.type, index);
  const absentField = absent === null ? null : fieldOf(absent, index);
  if (field.kind === 'value') {
    const column = columnReference(field.column);
    const isNull = absent === null && type.kind !== 'ARRAY';
    return isNull ? column : either(isPresent(value), column, absentField ?? nullOf(type));
  }
  const inner = wholeRecord(field.record, field.isArray);
  const isSure = value.isKnown || record.presence === 'always';
  if (isSure) return inner;
  const missing = () => not(isPresent(value));
  if (field.isArray) return { ...inner, missing, absent: absentField };
  const otherwise = absentField === null ? null : either(missing(), absentField, nullOf(type));
  return { ...inner, absent: otherwise };
}

/** What OFFSET(0) and its siblings answer of an array; null for another place. */
export function firstOfRecord(
  value: RecordValue,
  name: string,
  position: ResolvedExpression,
): RecordValue | null {
  const first = name.endsWith('OFFSET') ? 0n : 1n;
  if (position.kind !== 'literal' || position.value !== first) return null;
  const { record, missing, absent } = value;
  const at = (array: ResolvedExpression) => callOf(name, record.type, array, position);
  const ofMissing = absent === null ? nullOf(record.type) : at(absent);
  const outside = name.includes('SAFE') ? nullOf(record.type) : at(arrayWith(value, []));
  const isNull = outside.kind === 'literal' && ofMissing.kind === 'literal';
  const otherwise = missing === null ? outside : either(missing(), ofMissing, outside);
  const isSure = value.isKnown || record.presence === 'always';
  return { ...elementOf(value, false), absent: isNull || isSure ? null : otherwise };
}

/**
 * ARRAY_LENGTH of a flat record's array: 1 with the record, 0 without it, and NULL or an error for an array that is
 * missing.
 */
export function lengthOfRecord(value: RecordValue): ResolvedExpression {
  return byState(value, integer(1n), integer(0n), (array) => callOf('ARRAY_LENGTH', INT64, array));
}

/** `value IS NULL` for a flat record. An error that stands for the record is raised. */
export function isNullRecord(value: RecordValue): ResolvedExpression {
  if (value.isArray) return byState(value, FALSE, FALSE, isNull);
  return either(isPresent(value), FALSE, value.absent === null ? TRUE : isNull(value.absent));
}

/** The record as a value that holds all its fields. */
export function builtRecord(value: RecordValue): ResolvedExpression {
  const { record, isArray, absent } = value;
  const struct: ResolvedExpression = {
    kind: 'struct',
    type: record.type,
    fields: record.type.fields.map((_, index) => {
      const field = record.field(index);
      return field.kind === 'value'
        ? columnReference(field.column)
        : builtRecord({ ...wholeRecord(field.record, field.isArray), missing: null });
    }),
  };
  if (!isArray) return either(isPresent(value), struct, absent ?? nullOf(record.type));
  return byState(value, arrayWith(value, [struct]), arrayWith(value, []), (array) => array);
}

/** What an array with the record, one without, and one that is missing are made into. */
function byState(
  value: RecordValue,
  present: ResolvedExpression,
  empty: ResolvedExpression,
  ofMissing: (array: ResolvedExpression) => ResolvedExpression,
): ResolvedExpression {
  const { missing, absent } = value;
  const otherwise =
    missing === null ? empty : either(missing(), ofMissing(absent ?? nullOf(typeOf(value))), empty);
  return either(isPresent(value), present, otherwise);
}

function arrayWith(value: RecordValue, elements: readonly ResolvedExpression[]): ResolvedExpression {
  return { kind: 'array', type: arrayOf(value.record.type), elements };
}

function isNull(expression: ResolvedExpression): ResolvedExpression {
  if (expression.kind === 'literal') return expression.value === null ? TRUE : FALSE;
  return callOf('$IS_NULL', BOOL, expression);
}

function not(condition: ResolvedExpression): ResolvedExpression {
  return either(condition, FALSE, TRUE).kind === 'literal'
    ? either(condition, FALSE, TRUE)
    : callOf('$NOT', BOOL, condition);
}
