import type { ResolvedCall, ResolvedExpression } from '../resolved/expression.ts';
import { STRING } from '../types/sql-type.ts';
import { isUntypedNull } from './coercion.ts';
import type { CallArgument } from './match-signature.ts';

/** Types whose values CONCAT and || turn into text by themselves. */
const TEXT_LIKE: ReadonlySet<string> = new Set([
  'STRING',
  'BOOL',
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'BIGNUMERIC',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
  'INTERVAL',
]);

/**
 * The arguments of CONCAT and ||, those that are no text cast to STRING: "all values must be BYTES or data types that
 * can be cast to STRING" (GoogleSQL reference, CONCAT). Arguments of other types stay as they are.
 */
export function concatenated(values: readonly CallArgument[]): readonly CallArgument[] {
  const isText = values.every(
    (value) =>
      value.kind === 'expression' &&
      (isUntypedNull(value.expression) || TEXT_LIKE.has(value.expression.type.kind)),
  );
  if (!isText) return values;
  return values.map((value) =>
    value.kind === 'expression' ? { ...value, expression: asText(value.expression) } : value,
  );
}

function asText(value: ResolvedExpression): ResolvedExpression {
  if (value.type.kind === 'STRING' || isUntypedNull(value)) return value;
  return { kind: 'cast', type: STRING, operand: value, safe: false };
}

/** The call, its arguments in one list where some are such a call themselves: `a || b || c` of text is one concatenation. */
export function asOneConcatenation(call: ResolvedCall): ResolvedCall {
  if (call.name !== '$CONCAT' || call.type.kind === 'ARRAY') return call;
  const parts = call.arguments.flatMap((part) =>
    part.kind === 'call' && part.name === call.name ? part.arguments : [part],
  );
  return parts.length === call.arguments.length ? call : { ...call, arguments: parts };
}
