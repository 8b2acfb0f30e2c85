import { type Entries, perNumber, sameFor, scalar } from './entry.ts';

const FLOAT_FIRST = ['FLOAT64', 'NUMERIC', 'BIGNUMERIC'];
const DECIMALS = ['INT64', 'NUMERIC', 'BIGNUMERIC'];

/** INT64 arguments become FLOAT64 here: the functions have no signature for them, and FLOAT64 comes first. */
const ofFraction = (description: string, list: (type: string) => string = (type) => type) =>
  scalar(description, ...FLOAT_FIRST.map((type) => `(${list(type)}) -> ${type}`));
const ofFloat = (description: string) => scalar(description, '(FLOAT64) -> FLOAT64');
const ofNumber = (description: string, list: (type: string) => string = (type) => type) =>
  scalar(description, ...perNumber((type) => `(${list(type)}) -> ${type}`));
const ofVectors = (description: string) => scalar(description, '(ARRAY<FLOAT64>, ARRAY<FLOAT64>) -> FLOAT64');
const two = (type: string) => `${type}, ${type}`;

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions */
export const MATH_FUNCTIONS: Entries = {
  ABS: ofNumber('The absolute value.'),
  SIGN: ofNumber('-1, 0 or 1, as the number is negative, zero or positive.'),
  IS_INF: scalar('Whether a number is infinite.', '(FLOAT64) -> BOOL'),
  IS_NAN: scalar('Whether a number is NaN.', '(FLOAT64) -> BOOL'),
  IEEE_DIVIDE: scalar('Divides without errors: by zero is infinite or NaN.', '(FLOAT64, FLOAT64) -> FLOAT64'),
  SQRT: ofFraction('The square root.'),
  EXP: ofFraction('e to a power.'),
  LN: ofFraction('The natural logarithm.'),
  LOG10: ofFraction('The logarithm to base 10.'),
  LOG: ofFraction('The natural logarithm, or that to a base.', (type) => `${type}[, ${type}]`),
  POW: ofFraction('A number to a power.', two),
  POWER: ofFraction('A number to a power.', two),
  CBRT: ofFraction('The cube root.'),
  COS: ofFloat('The cosine.'),
  SIN: ofFloat('The sine.'),
  TAN: ofFloat('The tangent.'),
  COT: ofFloat('The cotangent.'),
  CSC: ofFloat('The cosecant.'),
  SEC: ofFloat('The secant.'),
  COSH: ofFloat('The hyperbolic cosine.'),
  SINH: ofFloat('The hyperbolic sine.'),
  TANH: ofFloat('The hyperbolic tangent.'),
  COTH: ofFloat('The hyperbolic cotangent.'),
  CSCH: ofFloat('The hyperbolic cosecant.'),
  SECH: ofFloat('The hyperbolic secant.'),
  ACOS: ofFloat('The inverse cosine.'),
  ACOSH: ofFloat('The inverse hyperbolic cosine.'),
  ASIN: ofFloat('The inverse sine.'),
  ASINH: ofFloat('The inverse hyperbolic sine.'),
  ATAN: ofFloat('The inverse tangent.'),
  ATANH: ofFloat('The inverse hyperbolic tangent.'),
  ATAN2: scalar('The angle of the point (x, y), given y and x.', '(FLOAT64, FLOAT64) -> FLOAT64'),
  PI: scalar('The number pi.', '() -> FLOAT64'),
  DIV: scalar('The quotient as a whole number.', ...DECIMALS.map((type) => `(${two(type)}) -> ${type}`)),
  MOD: scalar('The remainder of a division.', ...DECIMALS.map((type) => `(${two(type)}) -> ${type}`)),
  SAFE_DIVIDE: ofFraction('Divides; NULL instead of an error.', two),
  SAFE_ADD: ofNumber('Adds; NULL instead of an error.', two),
  SAFE_SUBTRACT: ofNumber('Subtracts; NULL instead of an error.', two),
  SAFE_MULTIPLY: ofNumber('Multiplies; NULL instead of an error.', two),
  SAFE_NEGATE: ofNumber('Negates; NULL instead of an error.'),
  ROUND: {
    ...scalar(
      'Rounds half away from zero, or as a mode says, to a number of places.',
      ...FLOAT_FIRST.map((type) => `(${type}[, INT64]) -> ${type}`),
      '(NUMERIC!, INT64, STRING) -> NUMERIC',
      '(BIGNUMERIC!, INT64, STRING) -> BIGNUMERIC',
    ),
    constantArgument: { index: 2, texts: ['ROUND_HALF_AWAY_FROM_ZERO', 'ROUND_HALF_EVEN'] },
  },
  TRUNC: ofFraction('Rounds towards zero, to a number of places.', (type) => `${type}[, INT64]`),
  ...sameFor(['CEIL', 'CEILING'], () => ofFraction('The smallest whole number that is not less.')),
  FLOOR: ofFraction('The greatest whole number that is not more.'),
  PARSE_NUMERIC: scalar('The NUMERIC of a text.', '(STRING) -> NUMERIC'),
  PARSE_BIGNUMERIC: scalar('The BIGNUMERIC of a text.', '(STRING) -> BIGNUMERIC'),
  COSINE_DISTANCE: ofVectors('One minus the cosine of the angle between two vectors.'),
  EUCLIDEAN_DISTANCE: ofVectors('The distance of two vectors.'),
  RANGE_BUCKET: {
    ...scalar('The position of a value among sorted bounds.', '(T, ARRAY<T>) -> INT64'),
    needsOrderable: true,
  },
  BIT_COUNT: scalar('The number of bits that are set.', '(INT64) -> INT64', '(BYTES) -> INT64'),
};
