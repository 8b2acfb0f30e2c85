import {
  type Entries,
  operator,
  perNumber,
  perText,
  raising,
  sameFor,
  scalar,
  strict,
  total,
} from './entry.ts';

const INT64_OR_BYTES = ['INT64', 'BYTES'];
const bits = (sign: string) =>
  operator(`operator ${sign}`, ...INT64_OR_BYTES.map((type) => `(${type}, ${type}) -> ${type}`));
const shift = (sign: string) =>
  operator(`operator ${sign}`, ...INT64_OR_BYTES.map((type) => `(${type}, INT64) -> ${type}`));
const equality = (sign: string, signature = '(T, T) -> BOOL') =>
  ({ ...operator(`operator ${sign}`, signature), comparesBy: 'equality' }) as const;
const order = (sign: string, signature = '(T, T) -> BOOL') =>
  ({ ...operator(`operator ${sign}`, signature), comparesBy: 'order' }) as const;

/**
 * Operators under the names that resolved calls have. An interval here is the value that `$INTERVAL` makes.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/operators
 */
export const OPERATORS: Entries = {
  $ADD: operator(
    'operator +',
    ...perNumber((type) => `(${type}, ${type}) -> ${type}`),
    '(DATE, INT64) -> DATE',
    '(INT64, DATE) -> DATE',
    '(TIMESTAMP, INTERVAL) -> TIMESTAMP',
    '(INTERVAL, TIMESTAMP) -> TIMESTAMP',
    '(DATETIME, INTERVAL) -> DATETIME',
    '(INTERVAL, DATETIME) -> DATETIME',
    '(DATE, INTERVAL) -> DATETIME',
    '(INTERVAL, DATE) -> DATETIME',
    '(INTERVAL, INTERVAL) -> INTERVAL',
  ),
  $SUBTRACT: operator(
    'operator -',
    ...perNumber((type) => `(${type}, ${type}) -> ${type}`),
    '(DATE, INT64) -> DATE',
    '(DATE, DATE) -> INTERVAL',
    '(DATETIME, DATETIME) -> INTERVAL',
    '(TIMESTAMP, TIMESTAMP) -> INTERVAL',
    '(TIME, TIME) -> INTERVAL',
    '(TIMESTAMP, INTERVAL) -> TIMESTAMP',
    '(DATETIME, INTERVAL) -> DATETIME',
    '(DATE, INTERVAL) -> DATETIME',
    '(INTERVAL, INTERVAL) -> INTERVAL',
  ),
  $MULTIPLY: operator(
    'operator *',
    ...perNumber((type) => `(${type}, ${type}) -> ${type}`),
    '(INTERVAL, INT64) -> INTERVAL',
    '(INT64, INTERVAL) -> INTERVAL',
  ),
  $DIVIDE: operator(
    'operator /',
    '(FLOAT64, FLOAT64) -> FLOAT64',
    '(NUMERIC, NUMERIC) -> NUMERIC',
    '(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC',
    '(INTERVAL, INT64) -> INTERVAL',
  ),
  $UNARY_MINUS: operator(
    'operator -',
    ...perNumber((type) => `(${type}) -> ${type}`),
    '(INTERVAL) -> INTERVAL',
  ),
  $BIT_NOT: operator('operator ~', ...INT64_OR_BYTES.map((type) => `(${type}) -> ${type}`)),
  $BIT_AND: bits('&'),
  $BIT_OR: bits('|'),
  $BIT_XOR: bits('^'),
  $SHIFT_LEFT: shift('<<'),
  $SHIFT_RIGHT: shift('>>'),
  $CONCAT: {
    ...operator(
      'operator ||',
      ...perText((type) => `(${type}, ${type}) -> ${type}`),
      '(ARRAY<T>, ARRAY<T>) -> ARRAY<T>',
    ),
    castsToText: true,
  },
  $EQUAL: strict(total(equality('='))),
  $NOT_EQUAL: strict(total(equality('!='))),
  $LESS: strict(total(order('<'))),
  $LESS_OR_EQUAL: strict(total(order('<='))),
  $GREATER: strict(total(order('>'))),
  $GREATER_OR_EQUAL: strict(total(order('>='))),
  $IS_DISTINCT_FROM: equality('IS DISTINCT FROM'),
  $BETWEEN: total(order('BETWEEN', '(T, T, T) -> BOOL')),
  $IN: total(equality('IN', '(T, T...) -> BOOL')),
  $IN_ARRAY: equality('IN UNNEST', '(T, ARRAY<T>) -> BOOL'),
  $LIKE: strict(operator('operator LIKE', ...perText((type) => `(${type}, ${type}) -> BOOL`))),
  $LIKE_ANY: operator('operator LIKE ANY', '(STRING, STRING...) -> BOOL', '(BYTES, BYTES...) -> BOOL'),
  $LIKE_ALL: operator('operator LIKE ALL', '(STRING, STRING...) -> BOOL', '(BYTES, BYTES...) -> BOOL'),
  ...sameFor(['$LIKE_ANY_ARRAY', '$LIKE_ALL_ARRAY'], (name) =>
    operator(
      `operator LIKE ${name.includes('ANY') ? 'ANY' : 'ALL'} UNNEST`,
      ...perText((type) => `(${type}, ARRAY<${type}>) -> BOOL`),
    ),
  ),
  $NOT: strict(total(operator('operator NOT', '(BOOL) -> BOOL'))),
  $AND: total(operator('operator AND', '(BOOL, BOOL...) -> BOOL')),
  $OR: total(operator('operator OR', '(BOOL, BOOL...) -> BOOL')),
  $IS_NULL: total(operator('operator IS NULL', '(T) -> BOOL')),
  $IS_TRUE: total(operator('operator IS TRUE', '(BOOL) -> BOOL')),
  $IS_FALSE: total(operator('operator IS FALSE', '(BOOL) -> BOOL')),
  ...sameFor(['$AT_OFFSET', '$AT_SAFE_OFFSET', '$AT_ORDINAL', '$AT_SAFE_ORDINAL'], () =>
    operator('operator []', '(ARRAY<T>, INT64) -> T'),
  ),
  $JSON_FIELD: operator('operator []', '(JSON, STRING) -> JSON'),
  $JSON_AT: operator('operator []', '(JSON, INT64) -> JSON'),
  $EXTRACT: operator(
    'EXTRACT',
    '(part:datetime_field, TIMESTAMP[, STRING]) -> INT64',
    '(part:date_field, DATE) -> INT64',
    '(part:datetime_field, DATETIME) -> INT64',
    '(part:time, TIME) -> INT64',
    '(part:interval_field, INTERVAL) -> INT64',
  ),
  $EXTRACT_DATE: operator('EXTRACT', '(TIMESTAMP[, STRING]) -> DATE', '(DATETIME) -> DATE'),
  $EXTRACT_DATETIME: operator('EXTRACT', '(TIMESTAMP[, STRING]) -> DATETIME'),
  $EXTRACT_TIME: operator('EXTRACT', '(TIMESTAMP[, STRING]) -> TIME', '(DATETIME) -> TIME'),
  $INTERVAL: { ...operator('INTERVAL', '(interval:datetime_step) -> INTERVAL'), raises: true },
};

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/conditional_expressions */
export const CONDITIONAL_FUNCTIONS: Entries = {
  COALESCE: total(scalar('The first value that is not NULL.', '(T, T...) -> T')),
  IF: total(scalar('The second value if the condition is true, otherwise the third.', '(BOOL, T, T) -> T')),
  IFNULL: total(scalar('The first value, or the second if it is NULL.', '(T, T) -> T')),
  NULLIF: {
    ...total(scalar('NULL if the values are equal, otherwise the first.', '(T, T) -> T')),
    needsGroupable: true,
  },
  GREATEST: { ...scalar('The greatest of the values.', '(T, T...) -> T'), needsOrderable: true },
  LEAST: { ...scalar('The least of the values.', '(T, T...) -> T'), needsOrderable: true },
  ERROR: {
    ...raising(
      'Raises an error with this text; it may stand where a value of any type does.',
      '(STRING) -> INT64',
    ),
    givesNoValue: true,
  },
  TYPEOF: { ...total(scalar("The name of a value's type.", '(ANY) -> STRING')), givesShortText: true },
};
