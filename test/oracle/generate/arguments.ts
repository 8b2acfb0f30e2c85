import type { FunctionSpec } from '../../../shared/sql/functions/signature.ts';
import type { TextUse } from './values.ts';

type Use = readonly [RegExp, (index: number) => TextUse | null];

/** What a function's STRING arguments are good for, by the function's name; the first that fits holds. */
const USES: readonly Use[] = [
  [/^REGEXP_/, (index) => (index === 1 ? 'pattern' : 'word')],
  [/^\$LIKE/, (index) => (index === 0 ? 'word' : 'like')],
  [/^JSON_(QUERY|VALUE|EXTRACT)/, (index) => (index === 0 ? 'json' : 'path')],
  [/^JSON_(SET|ARRAY_APPEND|ARRAY_INSERT)$/, (index) => (index % 2 === 1 ? 'path' : null)],
  [/^JSON_(REMOVE|STRIP_NULLS)$/, () => 'path'],
  [/^JSON_KEYS$/, () => 'mode'],
  [/^FLOAT64$/, () => 'mode'],
  [/^PARSE_JSON$/, (index) => (index === 0 ? 'json' : 'mode')],
  [/^PARSE_(BIG)?NUMERIC$/, () => 'number'],
  [/^\$CAST_TO_BYTES$/, (index) => (['hex', 'castFormat'] as const)[index] ?? null],
  [/^\$CAST_TO_STRING$/, (index) => (['word', 'castFormat', 'zone'] as const)[index] ?? null],
  [/^\$CAST_TO_/, (index) => (['time', 'castFormat', 'zone'] as const)[index] ?? null],
  [/^FORMAT$/, (index) => (index === 0 ? 'printf' : null)],
  [/^FORMAT_/, (index) => (index === 0 ? 'format' : 'zone')],
  [/^PARSE_/, (index) => (['format', 'time', 'zone'] as const)[index] ?? null],
  [/^TIMESTAMP$/, (index) => (index === 0 ? 'time' : 'zone')],
  [/^(DATE|DATETIME|TIME|STRING|\$EXTRACT.*|.*_TRUNC|CURRENT_.*)$/, () => 'zone'],
  [/^FROM_(HEX|BASE)/, () => 'hex'],
  [/^NET\./, () => 'url'],
];

/** Arguments that mostly are literals, since stored queries have them so and many functions ask for it. */
const MOSTLY_LITERAL: readonly (TextUse | null)[] = [
  'pattern',
  'path',
  'format',
  'castFormat',
  'printf',
  'zone',
  'mode',
  'like',
];

/** What the STRING argument in this place is good for; null for any text. */
export function useOf(spec: FunctionSpec, index: number): TextUse | null {
  return USES.find(([names]) => names.test(spec.name))?.[1](index) ?? null;
}

export function isMostlyLiteral(use: TextUse | null): boolean {
  return MOSTLY_LITERAL.includes(use);
}

/**
 * Functions whose FLOAT64 results are compared to 12 digits (differences.ts says why). They are called at the top of an
 * expression only, so that no other function sees the last bits.
 */
const INEXACT =
  /^(EXP|LN|LOG|LOG10|POW|POWER|CBRT|COS|SIN|TAN|COT|CSC|SEC|COSH|SINH|TANH|COTH|CSCH|SECH|ACOS|ACOSH|ASIN|ASINH|ATAN|ATANH|ATAN2|STDDEV|STDDEV_SAMP|STDDEV_POP|VARIANCE|VAR_SAMP|VAR_POP|CORR|COVAR_POP|COVAR_SAMP|AVG|SUM|PERCENTILE_CONT|APPROX_TOP_SUM|EUCLIDEAN_DISTANCE|COSINE_DISTANCE)$/;

export function isInexact(name: string): boolean {
  return INEXACT.test(name);
}
