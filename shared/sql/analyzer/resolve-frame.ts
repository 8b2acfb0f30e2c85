import type { Frame, FrameBound } from '../ast/query.ts';
import type { ResolvedExpression, ResolvedFrameBound, ResolvedWindow } from '../resolved/expression.ts';
import type { SortKey } from '../resolved/scan.ts';
import { INT64, type SqlType, typeText } from '../types/sql-type.ts';
import { coerce } from './coerce.ts';
import { coercionCost, isUntypedNull } from './coercion.ts';
import { analysisError, type Environment } from './environment.ts';
import type { Resolve } from './expression-context.ts';

/** From the first row of a partition to the last; a frame's end does not come before its start. */
const ORDER_OF_BOUNDS = [
  'unbounded-preceding',
  'preceding',
  'current-row',
  'following',
  'unbounded-following',
];

const NUMBERS: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

/**
 * Resolves a window's frame (GoogleSQL reference, "Window frame clause"). Throws for bounds in the wrong order and for
 * offsets that are no constants or do not fit what the window is ordered by.
 */
export function resolveFrame(
  environment: Environment,
  frame: Frame | null,
  orderBy: readonly SortKey[],
  resolve: Resolve,
): ResolvedWindow['frame'] {
  if (frame === null) return null;
  const { unit, start, end, at } = frame;
  const fail = (message: string) => analysisError(environment, at, message);
  if (start.kind === 'unbounded-following') throw fail('A window frame cannot start at UNBOUNDED FOLLOWING');
  if (end.kind === 'unbounded-preceding') throw fail('A window frame cannot end at UNBOUNDED PRECEDING');
  if (ORDER_OF_BOUNDS.indexOf(end.kind) < ORDER_OF_BOUNDS.indexOf(start.kind))
    throw fail(`A window frame cannot start at ${boundText(start)} and end at ${boundText(end)}`);
  if (unit === 'RANGE') {
    const complaint = rangeComplaint(frame, orderBy);
    if (complaint !== null) throw fail(complaint);
  }
  const expectedType = unit === 'ROWS' ? INT64 : (orderBy[0]?.expression.type ?? INT64);
  const resolveBound = (bound: FrameBound): ResolvedFrameBound => {
    if (!('offset' in bound)) return bound;
    const offset = resolve(bound.offset);
    const complaint = offsetComplaint(offset, expectedType);
    if (complaint !== null)
      throw analysisError(environment, bound.offset.at, `Window framing expression ${complaint}`);
    return { kind: bound.kind, offset: coerce(environment, offset, expectedType, bound.offset.at) };
  };
  return { unit, start: resolveBound(start), end: resolveBound(end) };
}

function boundText(bound: FrameBound): string {
  return 'offset' in bound
    ? `offset ${bound.kind.toUpperCase()}`
    : bound.kind.toUpperCase().replace('-', ' ');
}

/** What is wrong with a RANGE frame: it measures distances on the one key that the window is ordered by. */
function rangeComplaint({ start, end }: Frame, orderBy: readonly SortKey[]): string | null {
  const [key, second] = orderBy;
  if (!('offset' in start) && !('offset' in end)) {
    const touchesRow = start.kind === 'current-row' || end.kind === 'current-row';
    return key === undefined && touchesRow ? 'A RANGE-based window with CURRENT ROW needs ORDER BY' : null;
  }
  if (key === undefined || second !== undefined)
    return 'A RANGE-based window with OFFSET PRECEDING or OFFSET FOLLOWING boundaries must have exactly one ORDER BY key';
  if (NUMBERS.has(key.expression.type.kind)) return null;
  const found = typeText(key.expression.type);
  return `ORDER BY key must be numeric in a RANGE-based window with OFFSET PRECEDING or OFFSET FOLLOWING boundaries, but has type ${found}`;
}

function offsetComplaint(offset: ResolvedExpression, expectedType: SqlType): string | null {
  if (offset.kind !== 'literal' && offset.kind !== 'parameter') return 'must be a literal or parameter';
  if (isUntypedNull(offset)) return 'cannot be NULL';
  if (coercionCost(offset, expectedType) === null)
    return `has type ${typeText(offset.type)}, but ${typeText(expectedType)} is needed`;
  return offset.kind === 'literal' && Number(offset.value) < 0 ? 'cannot be negative' : null;
}
