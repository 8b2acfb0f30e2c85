import type { Expression } from '../ast/expression.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import type { ResolvedScan } from '../resolved/scan.ts';
import { INT64, sameType } from '../types/sql-type.ts';
import { analysisError, type Environment } from './environment.ts';
import { plainContext } from './expression-context.ts';
import { resolveExpression } from './resolve-expression.ts';
import { NO_NAMES } from './scope.ts';

/** Puts LIMIT and OFFSET, if there are any, around rows. */
export function addLimit(
  environment: Environment,
  input: ResolvedScan,
  limit: Expression | null,
  offset: Expression | null,
): ResolvedScan {
  if (limit === null) return input;
  return {
    kind: 'limit',
    input,
    limit: resolveCount(environment, limit),
    offset: offset === null ? null : resolveCount(environment, offset),
  };
}

function resolveCount(environment: Environment, expression: Expression): ResolvedExpression {
  const context = plainContext(environment, { names: NO_NAMES, outer: null }, 'LIMIT clause');
  const count = resolveExpression(context, expression);
  const isParameter = count.kind === 'parameter' && sameType(count.type, INT64);
  if (isParameter || (count.kind === 'literal' && typeof count.value === 'bigint' && count.value >= 0n))
    return count;
  throw analysisError(
    environment,
    expression.at,
    'Limit requires non-negative count and offset: whole numbers or INT64 parameters',
  );
}
