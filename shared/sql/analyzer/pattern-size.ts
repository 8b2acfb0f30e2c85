import { isPlainRe2 } from '../../re2/is-plain-re2.ts';
import { MAX_RE2_SIZE } from '../../re2/re2-limits.ts';
import { readRe2 } from '../../re2/read-re2.ts';
import type { FunctionCall } from '../ast/expression.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { analysisError, type Environment } from './environment.ts';

/** The functions whose second argument is a regular expression. */
const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set([
  'REGEXP_CONTAINS',
  'REGEXP_EXTRACT',
  'REGEXP_EXTRACT_ALL',
  'REGEXP_INSTR',
  'REGEXP_REPLACE',
  'REGEXP_SUBSTR',
]);

/**
 * Refuses a literal regular expression that no warehouse could compile, or those of one query when they are too large
 * together. Whether one is valid shows when it runs, as `SAFE.` and rows that are not read make it no error.
 */
export function checkPatternSize(
  environment: Environment,
  name: string,
  callArguments: readonly ResolvedExpression[],
  call: FunctionCall,
): void {
  const pattern = PATTERN_FUNCTIONS.has(name) ? callArguments[1] : undefined;
  if (pattern?.kind !== 'literal' || typeof pattern.value !== 'string' || isPlainRe2(pattern.value)) return;
  if (environment.budget.spendPattern(readRe2(pattern.value).size) <= MAX_RE2_SIZE) return;
  const at = call.arguments[1]?.at ?? call.at;
  const message =
    'The regular expressions of the query are too large once their counted repetitions are written out';
  throw analysisError(environment, at, message);
}
