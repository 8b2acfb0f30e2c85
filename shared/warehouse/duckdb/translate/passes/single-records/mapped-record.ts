import type { ResolvedColumn, ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { either, nullOf } from '../../../../../sql/resolved/make-expression.ts';
import { referencedColumns } from '../../../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../../../sql/resolved/scan.ts';
import type { Environment } from './environment.ts';
import { type FlatField, fieldAt, recordType } from './flat-record.ts';
import { elementOf, isPresent, isRecord, type RecordValue, type Value } from './record-value.ts';

/** What rewrites the expressions of a plan. */
interface Rewriter {
  readonly environment: Environment;
  value(expression: ResolvedExpression): Value;
  expression(expression: ResolvedExpression): ResolvedExpression;
}

/** Makes a column of the scan that the mapped array is a column of. */
type Compute = (expression: ResolvedExpression) => ResolvedColumn;

/**
 * An array that has a record for the one of a flat record, with some of its fields replaced: `ARRAY(SELECT AS STRUCT m.* REPLACE
 * (…) FROM UNNEST(metadata) AS m)`, as CTEs have it whose fields are redacted. Its fields are those of the record, or columns
 * that are computed when they are asked for. Null for other expressions.
 */
export function mappedRecord(
  rewriter: Rewriter,
  expression: ResolvedExpression,
  compute: Compute,
): RecordValue | null {
  const mapping = mappingOf(expression);
  return mapping === null ? null : recordOf(rewriter, mapping, compute);
}

function recordOf(
  rewriter: Rewriter,
  { type, array, element, fields }: Mapping,
  compute: Compute,
): RecordValue | null {
  const value = rewriter.value(array);
  const struct = recordType(type);
  if (struct === null || !isRecord(value) || value.absent !== null || value.record.mayBeExtended) return null;
  rewriter.environment.setValue(element, elementOf(value, true));
  const isOfElement = (part: ResolvedExpression) =>
    part.kind === 'field' && part.base.kind === 'column' && part.base.column.id === element.id;
  const known = new Map<number, FlatField>();
  const make = (index: number): FlatField => {
    const field = fields[index];
    if (field === undefined) throw new TypeError(`no field ${index}`);
    const inner = mappingOf(field);
    const nested = inner !== null && isOfElement(inner.array) ? recordOf(rewriter, inner, compute) : null;
    const made = nested ?? rewriter.value(field);
    if (isRecord(made) && (nested !== null || isOfElement(field))) {
      return { kind: 'record', record: made.record, isArray: made.isArray };
    }
    const whole = rewriter.expression(field);
    if (whole.kind === 'column' && isOfElement(field)) return { kind: 'value', column: whole.column };
    const own = either(isPresent(value), whole, nullOf(fieldAt(struct, index).type));
    return { kind: 'value', column: compute(own) };
  };
  const record = {
    ...value.record,
    type: struct,
    field: (index: number) => {
      const field = known.get(index) ?? make(index);
      known.set(index, field);
      return field;
    },
  };
  // Of an array that is missing, a subquery makes one without elements.
  return { kind: 'record', record, isArray: true, isKnown: value.isKnown, missing: null, absent: null };
}

/** What an array makes of each element of another. */
interface Mapping {
  readonly type: ResolvedExpression['type'];
  readonly array: ResolvedExpression;
  readonly element: ResolvedColumn;
  /** The fields of the struct that the element becomes. */
  readonly fields: readonly ResolvedExpression[];
}

function mappingOf(expression: ResolvedExpression): Mapping | null {
  if (expression.kind !== 'subquery' || expression.mode !== 'array' || expression.column === null)
    return null;
  const computed = new Map<number, ResolvedExpression>();
  let scan: ResolvedScan = expression.scan;
  // The order of one element does not matter.
  while (scan.kind === 'order' || scan.kind === 'project') {
    if (scan.kind === 'project') for (const one of scan.computed) computed.set(one.column.id, one.expression);
    scan = scan.input;
  }
  if (scan.kind !== 'unnest' || scan.outer || scan.input.kind !== 'single-row' || !isPath(scan.array)) {
    return null;
  }
  const { array, element, offset } = scan;
  const definition = (part: ResolvedExpression): ResolvedExpression => {
    const own = part.kind === 'column' ? computed.get(part.column.id) : undefined;
    return own === undefined ? part : definition(own);
  };
  const struct = computed.get(expression.column.id);
  if (struct?.kind !== 'struct') return null;
  const fields = struct.fields.map(definition);
  const isUsedOnce = new Set(fields).size === fields.length;
  const uses = referencedColumns(fields);
  const isOpen = offset !== null && uses.has(offset.id);
  if (!isUsedOnce || isOpen || [...uses].some((id) => computed.has(id))) return null;
  return { type: expression.type, array, element, fields };
}

/** Whether an expression is a column, or a field in one. */
function isPath(expression: ResolvedExpression): boolean {
  return expression.kind === 'field' ? isPath(expression.base) : expression.kind === 'column';
}
