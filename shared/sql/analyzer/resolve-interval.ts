import type { Cast, Expression, IntervalExpression } from '../ast/expression.ts';
import type { ResolvedExpression, ResolvedLiteral } from '../resolved/expression.ts';
import { INT64, INTERVAL } from '../types/sql-type.ts';
import {
  type IntervalParts,
  isIntervalRange,
  parseIntervalCount,
  parseIntervalRange,
  parseIntervalText,
} from '../values/interval-text.ts';
import { analysisError, type Environment } from './environment.ts';
import type { ExpressionContext, Resolve } from './expression-context.ts';
import { callWith } from './match-call.ts';

/** `INTERVAL n part`, `INTERVAL '5' part` or `INTERVAL '1-2 3' part TO part`, as a value. */
export function resolveInterval(
  context: ExpressionContext,
  interval: IntervalExpression,
  resolve: Resolve,
): ResolvedExpression {
  const { environment } = context;
  const { value, from, to, at } = interval;
  const text = value.kind === 'literal' && value.type === 'STRING' ? value.value : null;
  if (to !== null && !isIntervalRange(from, to))
    throw analysisError(environment, at, `Invalid interval datetime fields: ${from} TO ${to}`);
  if (text !== null) {
    const parts = to === null ? parseIntervalCount(text, from) : parseIntervalRange(text, from, to);
    return intervalLiteral(environment, parts, text, at);
  }
  if (to !== null)
    throw analysisError(environment, at, `INTERVAL ${from} TO ${to} needs a string literal for its value`);
  const part = { name: from, weekday: null };
  const count = resolve(value);
  return callWith(context, '$INTERVAL', [{ kind: 'interval', count, part, at }], at, part);
}

/** The count of `INTERVAL '5' part` as an argument, where GoogleSQL reads a whole number in quotes; null for any other. */
export function quotedCount(value: Expression): ResolvedLiteral | null {
  const isWhole = value.kind === 'literal' && value.type === 'STRING' && /^[+-]?\d{1,18}$/.test(value.value);
  if (!isWhole) return null;
  return { kind: 'literal', type: INT64, value: BigInt(value.value.replace('+', '')) };
}

/** `CAST('1-2 3 4:5:6' AS INTERVAL)`; a text that is no interval is an error only where a row reaches it. */
export function castToInterval(
  environment: Environment,
  literal: ResolvedLiteral,
  { safe, at }: Cast,
): ResolvedExpression {
  const text = String(literal.value);
  const parts = parseIntervalText(text);
  if (parts !== null) return intervalLiteral(environment, parts, text, at);
  const operand: ResolvedLiteral = safe ? { kind: 'literal', type: INTERVAL, value: null } : literal;
  return { kind: 'cast', type: INTERVAL, operand, safe };
}

function intervalLiteral(
  environment: Environment,
  parts: IntervalParts | null,
  text: string,
  at: number,
): ResolvedLiteral {
  if (parts === null) throw analysisError(environment, at, `Invalid INTERVAL value ${JSON.stringify(text)}`);
  const { months, days, micros } = parts;
  return { kind: 'literal', type: INTERVAL, value: `${months} ${days} ${micros}` };
}
