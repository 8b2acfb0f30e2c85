import type { RE2JS } from 're2js';

/** What re2js says of the texts in a match: `EXACT` has one, `AND` and `OR` have parts. */
interface TextCondition {
  readonly type: number;
  readonly str: string;
  readonly subs: readonly TextCondition[];
}

const EXACT = 1;
const AND = 2;

/**
 * Texts that are all in each text in which the expression is found, as re2js reads them from the parsed expression. None for an
 * expression without any, as `a|b` or `[ab]c?`.
 */
export function requiredTexts(regexp: RE2JS): readonly string[] {
  const condition: TextCondition | null = regexp.re2().prefilter;
  return condition === null ? [] : textsOf(condition);
}

function textsOf({ type, str, subs }: TextCondition): readonly string[] {
  if (type === EXACT) return [str];
  return type === AND ? subs.flatMap(textsOf) : [];
}
