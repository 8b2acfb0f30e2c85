import { perNumber } from './operators.ts';

const FLOAT_FIRST = ['FLOAT64', 'NUMERIC', 'BIGNUMERIC'];

/** INT64 arguments become FLOAT64 here: the functions have no signature for them, and FLOAT64 comes first. */
function perFraction(line: (type: string) => string): string[] {
  return FLOAT_FIRST.map(line);
}

const ANGLES = ['COS', 'SIN', 'TAN', 'COT', 'CSC', 'SEC'];
const OF_FLOAT64 = [
  ...ANGLES,
  ...ANGLES.map((name) => `${name}H`),
  'ACOS',
  'ACOSH',
  'ASIN',
  'ASINH',
  'ATAN',
  'ATANH',
];

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions */
export const MATH_FUNCTIONS: readonly string[] = [
  ...perNumber((type) => `ABS(${type}) -> ${type}`),
  ...perNumber((type) => `SIGN(${type}) -> ${type}`),
  'IS_INF(FLOAT64) -> BOOL',
  'IS_NAN(FLOAT64) -> BOOL',
  'IEEE_DIVIDE(FLOAT64, FLOAT64) -> FLOAT64',
  ...['SQRT', 'EXP', 'LN', 'LOG10'].flatMap((name) => perFraction((type) => `${name}(${type}) -> ${type}`)),
  ...perFraction((type) => `LOG(${type}[, ${type}]) -> ${type}`),
  ...['POW', 'POWER'].flatMap((name) => perFraction((type) => `${name}(${type}, ${type}) -> ${type}`)),
  'CBRT(FLOAT64) -> FLOAT64',
  ...OF_FLOAT64.map((name) => `${name}(FLOAT64) -> FLOAT64`),
  'ATAN2(FLOAT64, FLOAT64) -> FLOAT64',
  'PI() -> FLOAT64',
  ...['DIV', 'MOD'].flatMap((name) =>
    ['INT64', 'NUMERIC', 'BIGNUMERIC'].map((type) => `${name}(${type}, ${type}) -> ${type}`),
  ),
  ...perFraction((type) => `SAFE_DIVIDE(${type}, ${type}) -> ${type}`),
  ...['SAFE_ADD', 'SAFE_SUBTRACT', 'SAFE_MULTIPLY'].flatMap((name) =>
    perNumber((type) => `${name}(${type}, ${type}) -> ${type}`),
  ),
  ...perNumber((type) => `SAFE_NEGATE(${type}) -> ${type}`),
  ...['ROUND', 'TRUNC'].flatMap((name) => perFraction((type) => `${name}(${type}[, INT64]) -> ${type}`)),
  ...['CEIL', 'CEILING', 'FLOOR'].flatMap((name) => perFraction((type) => `${name}(${type}) -> ${type}`)),
  'PARSE_NUMERIC(STRING) -> NUMERIC',
  'PARSE_BIGNUMERIC(STRING) -> BIGNUMERIC',
  'RANGE_BUCKET(T, ARRAY<T>) -> INT64',
  'BIT_COUNT(INT64) -> INT64',
  'BIT_COUNT(BYTES) -> INT64',
];
