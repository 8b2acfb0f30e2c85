import { excerpt } from '../../errors/excerpt.ts';
import { ServiceError } from '../../errors/service-error.ts';

/**
 * What DuckDB says of a query that failed while it ran, as the caller may read it: DuckDB's own words for values
 * that only the query's author knows, never its types, plans or the SQL it was given.
 */
const VALUE_PROBLEMS: readonly (readonly [RegExp, (match: readonly string[]) => string])[] = [
  [/Unknown TimeZone '(.*?)'/, ([, zone]) => `Invalid time zone: ${zone}`],
  [
    /^Invalid Input Error: ((?:missing|unexpected|invalid|bad|no argument|unmatched|pattern too large).*)/,
    ([, text]) => `Cannot parse regular expression: ${text}`,
  ],
  [
    /^Out of Range Error: Overflow in (\w+) of INT64 \((.*?)\)/,
    ([, name, values]) => `int64 overflow in ${name}: ${values}`,
  ],
  [/^Out of Range Error: Overflow in (\w+) of numeric value/, ([, name]) => `int64 overflow in ${name}`],
  [/^Out of Range Error: Overflow on (abs\(-?\d+\))/, ([, call]) => `int64 overflow: ${call}`],
  [
    /^Conversion Error: Type INT128 with value (-?\d+) .*INT64/,
    ([, value]) => `int64 overflow: the result is ${value}`,
  ],
  [/^Conversion Error: Type \w+ with value (-?\d+) /, ([, value]) => `Value out of range: ${value}`],
  [/^Conversion Error: Date out of range: ([\d-]+)/, ([, date]) => `Invalid date: ${date}`],
  [/^Conversion Error: Could not decode string .* as base64/s, () => 'Failed to decode invalid base64 text'],
  [/^Conversion Error: Failure in decode/, () => 'The bytes are not text: they hold invalid UTF-8'],
  [/More than one row returned by a subquery/, () => 'Scalar subquery produced more than one element'],
  [
    /^Conversion Error: Could not convert string '(.*?)' to/s,
    ([, text]) => `Bad value for the conversion: '${text}'`,
  ],
];

/** What translations raise: GoogleSQL's own text, which quotes no value at length. */
const RAISED = /GoogleSQL: (.*)' (?:to|when casting)/s;

const RAISED_IN_JAVASCRIPT = /^Invalid Input Error: GoogleSQL: (.*)$/s;

/** DuckDB's classes of errors that a value in the data or the query causes. */
const VALUE_ERRORS = /^(?:Invalid Input|Out of Range|Conversion|Invalid type) Error/;

/** DuckDB's classes of errors about a query that it cannot run at all. */
const UNSUPPORTED_ERRORS = /^(?:Binder|Parser|Catalog|Not implemented) Error/;

/** The error that the caller gets for what DuckDB threw; the cause keeps all of it for the log. */
export function toServiceError(error: unknown): ServiceError {
  const text = messageOf(error);
  const options = { cause: error };
  if (/^Out of Memory Error/.test(text)) {
    return new ServiceError(
      'resource_exhausted',
      'The query needs more memory than it may have; narrow the time range or select fewer columns.',
      options,
    );
  }
  const raised = (RAISED.exec(text) ?? RAISED_IN_JAVASCRIPT.exec(text))?.[1];
  if (raised !== undefined) return new ServiceError('invalid_argument', raised, options);
  for (const [pattern, message] of VALUE_PROBLEMS) {
    const match = pattern.exec(text);
    if (match !== null)
      return new ServiceError('invalid_argument', message(match.map((part) => excerpt(part ?? ''))), options);
  }
  if (VALUE_ERRORS.test(text)) {
    const message = 'The query failed on a value: one is out of range, or cannot be converted.';
    return new ServiceError('invalid_argument', message, options);
  }
  if (UNSUPPORTED_ERRORS.test(text)) {
    const message = 'not supported by the embedded engine: a construct of this query';
    return new ServiceError('invalid_argument', message, options);
  }
  return new ServiceError('unavailable', 'The warehouse failed; try again.', options);
}

/** What DuckDB quotes of the SQL that it was given, at the end of a message. */
const QUOTED_SQL = '\n\nLINE 1: ';

/** DuckDB's own words. The add-on's errors may come from another realm, where they are no instances of our Error. */
function messageOf(error: unknown): string {
  const isError = typeof error === 'object' && error !== null && 'message' in error;
  const text = isError ? String(error.message) : String(error);
  const quote = text.lastIndexOf(QUOTED_SQL);
  return quote < 0 ? text : text.slice(0, quote);
}
