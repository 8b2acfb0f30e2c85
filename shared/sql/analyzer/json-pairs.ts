import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { isUntypedNull } from './coercion.ts';

/** Says what is wrong with the pairs of a call, or null. Two arrays hold the names and the values. */
export function pairsComplaint(
  { name, pairs }: FunctionSpec,
  values: readonly ResolvedExpression[],
): string | null {
  const isOfArrays = values.length === 2 && values[0]?.type.kind === 'ARRAY';
  if (pairs === undefined || isOfArrays) return null;
  const list = values.slice(pairs.before, values.length - pairs.after);
  const firsts = list.filter((_, index) => index % 2 === 0);
  const isPaired =
    list.length % 2 === 0 && firsts.every((value) => value.type.kind === 'STRING' || isUntypedNull(value));
  return isPaired ? null : `${name} takes pairs of a STRING and a value`;
}
