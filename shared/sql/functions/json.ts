const EXTRACT = ['JSON_QUERY', 'JSON_EXTRACT'];
const SCALAR = ['JSON_VALUE', 'JSON_EXTRACT_SCALAR'];
const ARRAY = ['JSON_QUERY_ARRAY', 'JSON_EXTRACT_ARRAY'];
const STRINGS = ['JSON_VALUE_ARRAY', 'JSON_EXTRACT_STRING_ARRAY'];

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions */
export const JSON_FUNCTIONS: readonly string[] = [
  ...EXTRACT.flatMap((name) => [`${name}(STRING[, STRING]) -> STRING`, `${name}(JSON[, STRING]) -> JSON`]),
  ...SCALAR.flatMap((name) => [`${name}(STRING[, STRING]) -> STRING`, `${name}(JSON[, STRING]) -> STRING`]),
  ...ARRAY.flatMap((name) => [
    `${name}(STRING[, STRING]) -> ARRAY<STRING>`,
    `${name}(JSON[, STRING]) -> ARRAY<JSON>`,
  ]),
  ...STRINGS.flatMap((name) => [
    `${name}(STRING[, STRING]) -> ARRAY<STRING>`,
    `${name}(JSON[, STRING]) -> ARRAY<STRING>`,
  ]),
  'JSON_TYPE(JSON) -> STRING',
  'JSON_KEYS(JSON[, INT64]) -> ARRAY<STRING>',
  'PARSE_JSON(STRING[, wide_number_mode => STRING]) -> JSON',
  'TO_JSON(ANY) -> JSON',
  'TO_JSON_STRING(ANY[, BOOL]) -> STRING',
  'BOOL(JSON) -> BOOL',
  'INT64(JSON) -> INT64',
  'FLOAT64(JSON[, wide_number_mode => STRING]) -> FLOAT64',
  'STRING(JSON) -> STRING',
  'LAX_BOOL(JSON) -> BOOL',
  'LAX_INT64(JSON) -> INT64',
  'LAX_FLOAT64(JSON) -> FLOAT64',
  'LAX_STRING(JSON) -> STRING',
];
