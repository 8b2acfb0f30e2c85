import { isPlainRe2 } from '../../re2/is-plain-re2.ts';
import { MAX_RE2_SIZE } from '../../re2/re2-limits.ts';
import { readRe2 } from '../../re2/read-re2.ts';
import type { FunctionCall } from '../ast/expression.ts';
import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { analysisError, type Environment } from './environment.ts';

/**
 * Refuses a literal regular expression that no warehouse could compile, or those of one query when they are too large
 * together. Whether one is valid shows when it runs, as `SAFE.` and rows that are not read make it no error.
 */
export function checkPatternSize(
  environment: Environment,
  { patternArgument }: FunctionSpec,
  callArguments: readonly ResolvedExpression[],
  call: FunctionCall,
): void {
  if (patternArgument === undefined) return;
  const pattern = callArguments[patternArgument];
  if (pattern?.kind !== 'literal' || typeof pattern.value !== 'string' || isPlainRe2(pattern.value)) return;
  if (environment.budget.spendPattern(readRe2(pattern.value).size) <= MAX_RE2_SIZE) return;
  const at = call.arguments[patternArgument]?.at ?? call.at;
  const message =
    'The regular expressions of the query are too large once their counted repetitions are written out';
  throw analysisError(environment, at, message);
}
