const ARITHMETIC = ['INT64', 'NUMERIC', 'BIGNUMERIC', 'FLOAT64'];

/** One line for each numeric type, in the order in which they are tried. */
export function perNumber(line: (type: string) => string): string[] {
  return ARITHMETIC.map(line);
}

const COMPARISONS = ['$EQUAL', '$NOT_EQUAL', '$LESS', '$LESS_OR_EQUAL', '$GREATER', '$GREATER_OR_EQUAL'];

/**
 * Operators under the names that resolved calls have. An interval here is the value that `$INTERVAL` makes.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/operators
 */
export const OPERATORS: readonly string[] = [
  ...perNumber((type) => `$ADD(${type}, ${type}) -> ${type}`),
  '$ADD(DATE, INT64) -> DATE',
  '$ADD(INT64, DATE) -> DATE',
  '$ADD(TIMESTAMP, INTERVAL) -> TIMESTAMP',
  '$ADD(INTERVAL, TIMESTAMP) -> TIMESTAMP',
  '$ADD(DATETIME, INTERVAL) -> DATETIME',
  '$ADD(INTERVAL, DATETIME) -> DATETIME',
  '$ADD(DATE, INTERVAL) -> DATETIME',
  '$ADD(INTERVAL, DATE) -> DATETIME',
  ...perNumber((type) => `$SUBTRACT(${type}, ${type}) -> ${type}`),
  '$SUBTRACT(DATE, INT64) -> DATE',
  '$SUBTRACT(DATE, DATE) -> INTERVAL',
  '$SUBTRACT(DATETIME, DATETIME) -> INTERVAL',
  '$SUBTRACT(TIMESTAMP, TIMESTAMP) -> INTERVAL',
  '$SUBTRACT(TIMESTAMP, INTERVAL) -> TIMESTAMP',
  '$SUBTRACT(DATETIME, INTERVAL) -> DATETIME',
  '$SUBTRACT(DATE, INTERVAL) -> DATETIME',
  ...perNumber((type) => `$MULTIPLY(${type}, ${type}) -> ${type}`),
  '$DIVIDE(FLOAT64, FLOAT64) -> FLOAT64',
  '$DIVIDE(NUMERIC, NUMERIC) -> NUMERIC',
  '$DIVIDE(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC',
  ...perNumber((type) => `$UNARY_MINUS(${type}) -> ${type}`),
  '$BIT_NOT(INT64) -> INT64',
  '$BIT_NOT(BYTES) -> BYTES',
  '$BIT_AND(INT64, INT64) -> INT64',
  '$BIT_AND(BYTES, BYTES) -> BYTES',
  '$BIT_OR(INT64, INT64) -> INT64',
  '$BIT_OR(BYTES, BYTES) -> BYTES',
  '$BIT_XOR(INT64, INT64) -> INT64',
  '$BIT_XOR(BYTES, BYTES) -> BYTES',
  '$SHIFT_LEFT(INT64, INT64) -> INT64',
  '$SHIFT_LEFT(BYTES, INT64) -> BYTES',
  '$SHIFT_RIGHT(INT64, INT64) -> INT64',
  '$SHIFT_RIGHT(BYTES, INT64) -> BYTES',
  '$CONCAT(STRING, STRING) -> STRING',
  '$CONCAT(BYTES, BYTES) -> BYTES',
  '$CONCAT(ARRAY<T>, ARRAY<T>) -> ARRAY<T>',
  ...COMPARISONS.map((name) => `${name}(T, T) -> BOOL`),
  '$IS_DISTINCT_FROM(T, T) -> BOOL',
  '$BETWEEN(T, T, T) -> BOOL',
  '$IN(T, T...) -> BOOL',
  '$IN_ARRAY(T, ARRAY<T>) -> BOOL',
  '$LIKE(STRING, STRING) -> BOOL',
  '$LIKE(BYTES, BYTES) -> BOOL',
  '$LIKE_ANY(STRING, STRING...) -> BOOL',
  '$LIKE_ALL(STRING, STRING...) -> BOOL',
  '$NOT(BOOL) -> BOOL',
  '$AND(BOOL, BOOL...) -> BOOL',
  '$OR(BOOL, BOOL...) -> BOOL',
  '$IS_NULL(T) -> BOOL',
  '$IS_TRUE(BOOL) -> BOOL',
  '$IS_FALSE(BOOL) -> BOOL',
  '$AT_OFFSET(ARRAY<T>, INT64) -> T',
  '$AT_SAFE_OFFSET(ARRAY<T>, INT64) -> T',
  '$AT_ORDINAL(ARRAY<T>, INT64) -> T',
  '$AT_SAFE_ORDINAL(ARRAY<T>, INT64) -> T',
  '$JSON_FIELD(JSON, STRING) -> JSON',
  '$JSON_AT(JSON, INT64) -> JSON',
  '$EXTRACT(part:datetime_field, TIMESTAMP[, STRING]) -> INT64',
  '$EXTRACT(part:date_field, DATE) -> INT64',
  '$EXTRACT(part:datetime_field, DATETIME) -> INT64',
  '$EXTRACT(part:time, TIME) -> INT64',
  '$EXTRACT_DATE(TIMESTAMP[, STRING]) -> DATE',
  '$EXTRACT_DATE(DATETIME) -> DATE',
  '$EXTRACT_DATETIME(TIMESTAMP[, STRING]) -> DATETIME',
  '$EXTRACT_TIME(TIMESTAMP[, STRING]) -> TIME',
  '$EXTRACT_TIME(DATETIME) -> TIME',
  '$INTERVAL(interval:datetime_step) -> INTERVAL',
];

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/conditional_expressions */
export const CONDITIONAL_FUNCTIONS: readonly string[] = [
  'COALESCE(T, T...) -> T',
  'IF(BOOL, T, T) -> T',
  'IFNULL(T, T) -> T',
  'NULLIF(T, T) -> T',
  'GREATEST(T, T...) -> T',
  'LEAST(T, T...) -> T',
];
