import type { ResolvedExpression, ResolvedSubquery } from '../../../../../sql/resolved/expression.ts';
import {
  allOf,
  callOf,
  columnReference,
  either,
  FALSE,
  nullOf,
} from '../../../../../sql/resolved/make-expression.ts';
import { changed } from '../../../../../sql/resolved/transform.ts';
import { BOOL, type SqlType } from '../../../../../sql/types/sql-type.ts';
import { guardedConditions } from './conditions.ts';
import { wholeColumn } from './environment.ts';
import { projected } from './projected.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import type { RecordValue } from './record-value.ts';
import { type RowlessParts, splitRowless } from './split-rowless.ts';

/**
 * A subquery over flat records of the row alone becomes an expression, as it has one row at most; what is left of another
 * one looks only at rows that have the records.
 */
export function rewriteSubquery(rewriter: RecordRewriter, subquery: ResolvedSubquery): ResolvedExpression {
  const { mode } = subquery;
  if (mode === 'exists') {
    const { conditions, isWhole } = existsConditions(rewriter, subquery);
    const condition = allOf(conditions);
    const isKnown = isWhole || condition.kind === 'literal';
    return isKnown ? condition : callOf('IFNULL', BOOL, condition, FALSE);
  }
  return subqueryOf(mode, subquery.type, rewriteParts(rewriter, subquery));
}

/** The record that an array has as its one element where a condition holds; the array has no element where it is FALSE or NULL. */
export interface FilteredRecord {
  readonly record: RecordValue;
  readonly condition: ResolvedExpression;
}

/** Whether a subquery answers those elements of one array that meet conditions, as LEFT JOIN UNNEST … ON has it. */
export function isFilteredArray({ mode, scan, column }: ResolvedSubquery): boolean {
  if (mode !== 'array') return false;
  let rows = scan;
  while (rows.kind === 'filter') rows = rows.input;
  return rows.kind === 'unnest' && rows.input.kind === 'single-row' && rows.element.id === column?.id;
}

/** What a filtered array is: an element of a flat record that has to meet conditions, or an expression. */
export function filteredRecord(
  rewriter: RecordRewriter,
  subquery: ResolvedSubquery,
): FilteredRecord | ResolvedExpression {
  const parts = rewriteParts(rewriter, subquery, true);
  const element = subquery.column === null ? null : rewriter.environment.value(subquery.column);
  const isElement = element?.kind === 'record' && !element.isArray && element.absent === null;
  if (!isElement || parts.parts?.rest !== null) return subqueryOf('array', subquery.type, parts);
  return { record: element, condition: allOf(inOrder(parts.parts.conditions)) };
}

function subqueryOf(
  mode: Exclude<ResolvedSubquery['mode'], 'exists'>,
  type: SqlType,
  { rewritten, parts, value }: RewrittenSubquery,
): ResolvedExpression {
  if (parts === null) return rewritten;
  const { operand } = rewritten;
  const condition = allOf(inOrder(parts.conditions));
  switch (mode) {
    case 'scalar':
      return either(condition, value(), nullOf(type));
    case 'array': {
      const empty: ResolvedExpression = { kind: 'array', type, elements: [] };
      const list = parts.rest === null ? { ...empty, elements: [value()] } : value();
      return either(condition, list, empty);
    }
    case 'in':
      return either(
        condition,
        parts.rest === null && operand !== null ? callOf('$IN', BOOL, operand, value()) : value(),
        FALSE,
      );
    default: {
      const unreachable: never = mode;
      throw new TypeError(`subquery ${unreachable}`);
    }
  }
}

/** The conditions under which EXISTS holds; NULL counts as FALSE. `isWhole`: they are no more than the subquery itself. */
export function existsConditions(
  rewriter: RecordRewriter,
  subquery: ResolvedSubquery,
): { readonly conditions: readonly ResolvedExpression[]; readonly isWhole: boolean } {
  const { rewritten, parts, value } = rewriteParts(rewriter, subquery);
  if (parts === null) return { conditions: [rewritten], isWhole: true };
  const conditions = inOrder(parts.conditions);
  return { conditions: parts.rest === null ? conditions : [...conditions, value()], isWhole: false };
}

/** What may raise an error is looked at only where the conditions before it hold. */
function inOrder(conditions: readonly ResolvedExpression[]): readonly ResolvedExpression[] {
  return conditions.flatMap((one, index) => guardedConditions(conditions.slice(0, index), [one]));
}

interface RewrittenSubquery {
  readonly rewritten: ResolvedSubquery;
  /** Null where the subquery stays as it is. */
  readonly parts: RowlessParts | null;
  /** The value of the one row, or the subquery over what is left. */
  value(): ResolvedExpression;
}

/** `keepsRecord`: a record that it answers is put together only where its value is asked for; its scans compute no columns then. */
function rewriteParts(
  rewriter: RecordRewriter,
  subquery: ResolvedSubquery,
  keepsRecord = false,
): RewrittenSubquery {
  const { column } = subquery;
  const scan = rewriter.scan(subquery.scan);
  const operand = subquery.operand === null ? null : rewriter.expression(subquery.operand);
  const known = column === null ? null : rewriter.environment.value(column);
  let built: ResolvedExpression | null = null;
  const whole = () => {
    if (known !== null) built ??= wholeColumn(known);
    return built;
  };
  // What is asked for may become a column of the scans, before these are taken apart.
  if (!keepsRecord) whole();
  const parts = scan === subquery.scan && known === null ? null : splitRowless(scan);
  if (parts?.rest === null) {
    const value = () => parts.value(whole() ?? (column === null ? FALSE : columnReference(column)));
    return { rewritten: changed(subquery, { operand }), parts, value };
  }
  const expression = whole();
  const own = expression === null || column === null ? column : rewriter.newColumn(column.name, column.type);
  const withColumn = (rows: typeof scan) =>
    expression === null || own === null ? rows : projected(rows, [{ column: own, expression }]);
  const rewritten = changed(subquery, { scan: withColumn(scan), column: own, operand });
  if (parts === null || parts.conditions.length === 0) {
    return { rewritten, parts: null, value: () => rewritten };
  }
  return { rewritten, parts, value: () => ({ ...rewritten, scan: withColumn(parts.rest ?? scan) }) };
}
