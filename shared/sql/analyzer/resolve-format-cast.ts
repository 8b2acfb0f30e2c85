import type { Cast, Expression } from '../ast/expression.ts';
import { takesFormat } from '../functions/format-casts.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { type SqlType, STRING, typeText } from '../types/sql-type.ts';
import { coerce } from './coerce.ts';
import { coercionCost, isUntypedNull } from './coercion.ts';
import { analysisError } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { callOperator } from './match-call.ts';
import { resolveExpression } from './resolve-expression.ts';

/** `CAST(value AS type FORMAT format [AT TIME ZONE zone])`, as a call of the operator that is named by the type. */
export function resolveFormatCast(
  context: ExpressionContext,
  cast: Cast & { readonly format: Expression },
  operand: ResolvedExpression,
  target: SqlType,
): ResolvedExpression {
  const { environment } = context;
  // NULL by itself is of every type: of one that the format suits.
  const typed = isUntypedNull(operand) ? coerce(environment, operand, nullType(target), cast.at) : operand;
  const pair = `cast from ${typeText(typed.type)} to ${typeText(target)}`;
  if (!takesFormat(typed.type, target))
    throw analysisError(environment, cast.format.at, `FORMAT is not allowed for ${pair}`);
  const isTimestamp = typed.type.kind === 'TIMESTAMP' || target.kind === 'TIMESTAMP';
  if (cast.zone !== null && !isTimestamp)
    throw analysisError(environment, cast.zone.at, `AT TIME ZONE is not allowed for ${pair}`);
  const options = [cast.format, ...(cast.zone === null ? [] : [cast.zone])].map((option) => {
    const resolved = resolveExpression(context, option);
    if (coercionCost(resolved, STRING) !== null) return resolved;
    const what = option === cast.format ? 'FORMAT expression' : 'The time zone';
    const found = typeText(resolved.type);
    throw analysisError(environment, option.at, `${what} should return type STRING, but returns ${found}`);
  });
  const call = callOperator(context, `$CAST_TO_${target.kind}`, [typed, ...options], cast.at);
  return call.kind === 'call' ? { ...call, safe: cast.safe } : call;
}

const nullType = (target: SqlType): SqlType => (target.kind === 'STRING' ? { kind: 'TIMESTAMP' } : STRING);
