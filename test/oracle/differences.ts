import type { FunctionSpec, Signature } from '../../shared/sql/functions/signature.ts';
import type { ScalarTypeName } from '../../shared/sql/types/sql-type.ts';

/**
 * What the evaluator does and BigQuery does not, or what BigQuery leaves open, with the reason. `docs/googlesql-coverage.md` lists it. Whatever
 * is not here has to agree.
 */
export const DIFFERENCES = {
  inexact:
    'FLOAT64 results of logarithms, powers, trigonometric functions, and of sums and statistics are compared to 12 digits, those below 2.3e-308 as zero, since FLOAT64 has fewer digits there. BigQuery documents aggregation of floating-point values as non-deterministic; the last digits of the others depend on the library of mathematical functions.',
  infiniteAverages:
    'AVG of values one of which is infinite may be NaN or that infinity. BigQuery: if the argument is "[+|-]Infinity for any row in the group", it "returns either [+|-]Infinity or NaN".',
  distinctIntervals:
    'Of INTERVALs that are equal and have other parts, such as 1 day and 24 hours, DISTINCT may keep any, so sums and averages of DISTINCT INTERVALs are compared as lengths.',
  largestNumber:
    'ROUND of the largest FLOAT64, or of its negative, is not judged where the evaluator says that it overflows: it computes with more digits than FLOAT64 has, for some numbers of places. BigQuery: "Rounds X to the nearest integer" or "to N decimal places".',
  limits:
    'Where the evaluator has a limit of its own (16,000 elements of a generated array, 1 MiB of a text), the query is not judged. BigQuery has other limits.',
  dateToDatetime:
    'No DATE is cast to DATETIME: the evaluator of 2024.11.1 answers 1970-01-01 00:00:00 for each. In BigQuery such a cast gives the date at midnight.',
  nullArrays:
    'A NULL array counts as an empty one. BigQuery: "BigQuery translates a NULL ARRAY into an empty ARRAY in the query result".',
  charZero:
    'CHR is not called with 0: the evaluator gives the character U+0000. BigQuery: "Returns an empty string if the code point is 0".',
  approximateOrder:
    'The order of elements of APPROX_TOP_COUNT and APPROX_TOP_SUM does not count: elements with the same count may have any.',
  formatZero:
    'FORMAT of text with the character U+0000 is not judged: the evaluator ends a text there if it is filled up, and not otherwise. BigQuery documents nothing of it.',
  groupedPrecision:
    "FORMAT has no precision beside the flag ' for integers: the evaluator writes characters U+0000 for digits of it.",
  order:
    'Where an operand is an error by itself, computed for some row, and others decide (beside AND, OR, another WHERE of a pipe, BETWEEN, IN, LIKE ANY or LIKE ALL, or beside a NULL), the engine may leave it out, and of rows in EXISTS either side may. BigQuery: conditional expressions such as CASE and IF "impose constraints on the evaluation order of their inputs", and for other expressions it promises none. The operand by itself has to be an error on both sides.',
  patterns:
    'Where one of the patterns of LIKE ANY or LIKE ALL is an error, the engine may have that error although another pattern decides: the evaluator tries them in their order. And it reads a pattern that is a literal before any row, where a CASE or COALESCE leaves it out, too. BigQuery documents neither.',
  noRows:
    'Where the answer or a table has no rows, either side may have an error nevertheless: the engine computes expressions without columns before it reads rows, and the evaluator reads patterns of LIKE that are literals. GoogleSQL leaves that open.',
  namedGroups:
    'A regular expression with a group `(?<name>…)` is not judged: the evaluator has an RE2 that is older than this form. BigQuery: "GoogleSQL provides regular expression support using the re2 library", and RE2 lists "(?<name>re) named & numbered capturing group".',
  base32:
    'CAST with FORMAT \'BASE32\' is not judged: the evaluator does not know it. BigQuery: "BASEX", where X is one of "2, 8, 16, 32, 64".',
  renamedZones:
    'The time zones EST, CET and the like are not generated: the evaluator has an older database of time zones. Since 2024b of the IANA database they are links, such as EST to America/Panama. BigQuery names that database as the source of its zones, without a version.',
  boundaryBytes:
    'Where the evaluator says that text is no valid UTF-8, the query is not judged: every STRING is, but it finds `\\B` between the bytes of one letter. BigQuery documents nothing of it.',
  wideNumbers:
    'Parts of DATE, TIME and DATETIME are numbers of 32 bits: the evaluator takes 4294967297 for 1, the engine has an error. BigQuery documents INT64 arguments and "0 to 23" and the like as their ranges.',
} as const;

/** Functions that end a text at U+0000 in the evaluator: `formatZero`. */
export function endsAtZero(name: string): boolean {
  return name === 'FORMAT';
}

/** Operators that need not compute all of their operands: `order`. */
export function mayLeaveOut(name: string): boolean {
  return /^\$(AND|OR|BETWEEN|IN|IN_ARRAY|LIKE_(ANY|ALL)(_ARRAY)?)$/.test(name);
}

/** Operators with several patterns: `patterns`. */
export function triesPatterns(name: string): boolean {
  return /^\$LIKE_(ANY|ALL)/.test(name);
}

/** Functions whose INT64 arguments are small: `wideNumbers`. */
export function takesSmallNumbers(name: string): boolean {
  return /^(DATE|TIME|DATETIME)$/.test(name);
}

/** Functions with a limit that SAFE. makes NULL of: `limits`. */
export function isSafeForEvaluator(name: string): boolean {
  return !/^(GENERATE_|REPEAT|LPAD|RPAD)/.test(name);
}

/** Functions whose first argument is never 0: `charZero`. */
export function evaluatorTakesZero(name: string): boolean {
  return name !== 'CHR';
}

/** Signatures that queries do not have: those for which the evaluator casts a DATE to DATETIME. */
export function evaluatorSignature(
  { name }: FunctionSpec,
  { arguments: [first], result }: Signature,
): boolean {
  if (!/^(DATETIME|TIMESTAMP)_/.test(name) || first?.pattern.kind !== 'type') return true;
  return !(first.pattern.type.kind === 'DATE' && result.kind === 'type' && result.type.kind === 'DATETIME');
}

/** Casts that queries do not have: `dateToDatetime`. */
export function evaluatorCasts(from: ScalarTypeName, to: ScalarTypeName): boolean {
  return !(from === 'DATE' && to === 'DATETIME');
}

/** Messages of the evaluator that say that it, and not GoogleSQL, cannot run a query. */
export const EVALUATOR_LIMITS =
  /Function not found|Unsupported argument type|Unsupported built-in function|Unimplemented|Cannot generate arrays with more than|exceeds limit|Memory|too large|Output string too long|Precision value is too big|Output of .* exceeds max|overflow in function: ROUND\(-?1\.79769e\+308|invalid perl operator: \(\?<$|^Invalid format 'base32'|function is not valid UTF8 string/i;

/** Digits to which FLOAT64 results of inexact functions are compared. */
export const INEXACT_DIGITS = 12;
/** The smallest positive FLOAT64 that has all of its digits. */
export const SMALLEST_NORMAL = 2 ** -1022;
