import type { ResolvedExpression } from '../resolved/expression.ts';
import { isUntypedNull } from '../types/coercion.ts';

/** Functions that take any number of pairs of a text and a value: how many arguments stand before and behind those. */
const PAIRED: Readonly<Record<string, { readonly before: number; readonly behind: number }>> = {
  JSON_OBJECT: { before: 0, behind: 0 },
  JSON_SET: { before: 1, behind: 1 },
  JSON_ARRAY_APPEND: { before: 1, behind: 1 },
  JSON_ARRAY_INSERT: { before: 1, behind: 1 },
};

/** Says what is wrong with the pairs of a call, or null. */
export function pairsComplaint(name: string, values: readonly ResolvedExpression[]): string | null {
  const paired = PAIRED[name];
  const isOfArrays = name === 'JSON_OBJECT' && values.length === 2 && values[0]?.type.kind === 'ARRAY';
  if (paired === undefined || isOfArrays) return null;
  const list = values.slice(paired.before, values.length - paired.behind);
  const firsts = list.filter((_, index) => index % 2 === 0);
  const isPaired =
    list.length % 2 === 0 && firsts.every((value) => value.type.kind === 'STRING' || isUntypedNull(value));
  return isPaired ? null : `${name} takes pairs of a STRING and a value`;
}
