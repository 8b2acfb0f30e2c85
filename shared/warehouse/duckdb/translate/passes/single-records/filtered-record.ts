import type { ResolvedColumn, ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { columnReference, either, FALSE, nullOf } from '../../../../../sql/resolved/make-expression.ts';
import { type FlatField, type FlatRecord, fieldAt } from './flat-record.ts';
import { isPresent as isThere, wholeRecord } from './record-value.ts';

/** The rows in which there is a record, and what makes columns of them. */
interface Rows {
  /** A BOOL that is never NULL. */
  readonly present: ResolvedColumn;
  compute(expression: ResolvedExpression): ResolvedColumn;
}

/** A record that is there in some of the rows that have it: in the others, all its columns are NULL. */
export function presentWhere(record: FlatRecord, rows: Rows, isPresent = () => rows.present): FlatRecord {
  const { present, compute } = rows;
  const fields = new Map<number, FlatField>();
  const make = (index: number): FlatField => {
    const field = record.field(index);
    if (field.kind === 'value') {
      const { type } = fieldAt(record.type, index);
      const value = either(columnReference(present), columnReference(field.column), nullOf(type));
      return { kind: 'value', column: compute(value) };
    }
    const inner = wholeRecord(field.record, field.isArray);
    let both: ResolvedColumn | null = null;
    const isBoth = () => {
      both ??= compute(either(columnReference(present), isThere(inner), FALSE));
      return both;
    };
    return { ...field, record: presentWhere(field.record, rows, isBoth) };
  };
  return {
    type: record.type,
    presence: record.presence === 'never' ? 'never' : 'sometimes',
    mayBeExtended: false,
    isPresent,
    field: (index) => {
      const field = fields.get(index) ?? make(index);
      fields.set(index, field);
      return field;
    },
  };
}
