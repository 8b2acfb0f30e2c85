import type { SubqueryExpression } from '../ast/expression.ts';
import type { Query } from '../ast/query.ts';
import type { ResolvedExpression, ResolvedSubquery } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type { ResolvedQuery } from '../resolved/scan.ts';
import { arrayOf, BOOL, sameType, typeText } from '../types/sql-type.ts';
import { coerce } from './coerce.ts';
import { commonType, isEquivalent, isUntypedNull } from './coercion.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { resolveQuery } from './resolve-query.ts';

/** `(query)`, `ARRAY(query)`, `EXISTS(query)`; the query may refer to columns around it. */
export function resolveSubquery(
  context: ExpressionContext,
  { mode, query, at }: SubqueryExpression,
): ResolvedExpression {
  const resolved = resolveInner(context, query);
  if (mode === 'exists') {
    return { kind: 'subquery', type: BOOL, mode, scan: resolved.scan, column: null, operand: null };
  }
  const column = onlyColumn(context.environment, resolved, mode, at);
  if (mode === 'scalar')
    return { kind: 'subquery', type: column.type, mode, scan: resolved.scan, column, operand: null };
  if (column.type.kind === 'ARRAY') {
    throw analysisError(
      context.environment,
      at,
      'Cannot use array subquery with column of type ARRAY: arrays of arrays are not supported',
    );
  }
  return { kind: 'subquery', type: arrayOf(column.type), mode, scan: resolved.scan, column, operand: null };
}

function resolveInner(context: ExpressionContext, query: Query): ResolvedQuery {
  const outer = context.aliases.size === 0 ? context.scope : { ...context.scope, aliases: context.aliases };
  return resolveQuery({ ...context.environment, outer }, query);
}

function onlyColumn(
  environment: Environment,
  query: ResolvedQuery,
  mode: 'scalar' | 'array' | 'in',
  at: number,
) {
  const [first, second] = query.columns;
  if (first === undefined || second !== undefined) {
    const label = { scalar: 'Scalar subquery', array: 'ARRAY subquery', in: 'Subquery of type IN' }[mode];
    throw analysisError(
      environment,
      at,
      `${label} cannot have more than one column unless using SELECT AS STRUCT to build STRUCT values`,
    );
  }
  return first.column;
}

/** `operand IN (query)`; both sides take their common type. */
export function resolveInSubquery(
  context: ExpressionContext,
  operand: ResolvedExpression,
  query: Query,
  at: number,
): ResolvedSubquery {
  const { environment } = context;
  const resolved = resolveInner(context, query);
  const column = onlyColumn(environment, resolved, 'in', at);
  // No literal adapts to what a query answers, and structs have to be of the same types.
  const firm: ResolvedExpression = isUntypedNull(operand)
    ? operand
    : { kind: 'cast', type: operand.type, operand, safe: false };
  const common = commonType([firm, columnReference(column)]);
  const isComparable =
    common?.kind !== 'STRUCT' || isUntypedNull(operand) || isEquivalent(operand.type, column.type);
  const type = isComparable ? common : null;
  if (type === null || type.kind === 'ARRAY' || type.kind === 'JSON') {
    const types = `${typeText(operand.type)} and {${typeText(column.type)}}`;
    throw analysisError(environment, at, `No matching signature for operator IN for argument types ${types}`);
  }
  const converted = sameType(column.type, type) ? column : newColumn(environment, column.name, type);
  const scan =
    converted === column
      ? resolved.scan
      : ({
          kind: 'project',
          input: resolved.scan,
          computed: [
            { column: converted, expression: coerce(environment, columnReference(column), type, at) },
          ],
        } as const);
  return {
    kind: 'subquery',
    type: BOOL,
    mode: 'in',
    scan,
    column: converted,
    operand: coerce(environment, operand, type, at),
  };
}
