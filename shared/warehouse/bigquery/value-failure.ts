import { ServiceError } from '../../errors/service-error.ts';
import { isOfQuery } from './failures.ts';
import { ApiFailure } from './rest/api-failure.ts';

/** What each kind of BigQuery's sentences about values means, and what to write instead. */
const ADVICE: readonly (readonly [sentence: RegExp, advice: string])[] = [
  [/division by zero/i, 'The query divides by zero; use SAFE_DIVIDE or NULLIF.'],
  [/out of bounds/i, 'An array has no element at a position; use SAFE_OFFSET or SAFE_ORDINAL.'],
  [
    /overflow|out of range/i,
    'A number or time is out of range; use SAFE_ADD and its siblings, or the prefix SAFE.',
  ],
  [
    /scalar subquery/i,
    'A subquery that stands for one value has several rows; use LIMIT 1, an aggregate, or ARRAY.',
  ],
  [/regular expression/i, 'A regular expression cannot be parsed; write it as RE2 has it.'],
  [
    /^(?:bad|invalid|could not|cannot|failed to parse|unable to)\b/i,
    'A value cannot be converted or parsed; use SAFE_CAST or the prefix SAFE.',
  ],
];
const OTHER_ADVICE = 'An expression fails for the value of some row; use SAFE_CAST, the prefix SAFE. or IF.';

/**
 * The error of a consumer query that BigQuery took and that then failed, without anything of BigQuery's sentence: it quotes the value that
 * made an expression fail. That may be a value of a row which the stored query leaves out, since BigQuery computes
 * conditions in any order (cloud.google.com/bigquery/docs/reference/standard-sql/debugging_functions).
 * Null for other failures.
 */
export function valueFailure(failure: unknown): ServiceError | null {
  if (!(failure instanceof ApiFailure) || !isOfQuery(failure)) return null;
  const known = ADVICE.find(([sentence]) => sentence.test(failure.message));
  return new ServiceError('invalid_argument', known?.[1] ?? OTHER_ADVICE, { cause: failure });
}
