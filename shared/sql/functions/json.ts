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
  'JSON_KEYS(JSON[, INT64][, mode => STRING]) -> ARRAY<STRING>',
  'JSON_OBJECT(ARRAY<STRING>, ARRAY<T>) -> JSON',
  'JSON_OBJECT(ANY...) -> JSON',
  'JSON_ARRAY(ANY...) -> JSON',
  'JSON_SET(JSON, STRING, ANY, ANY...[, create_if_missing => BOOL]) -> JSON',
  'JSON_REMOVE(JSON, STRING, STRING...) -> JSON',
  'JSON_STRIP_NULLS(JSON[, STRING][, include_arrays => BOOL, remove_empty => BOOL]) -> JSON',
  'JSON_ARRAY_APPEND(JSON, STRING, ANY, ANY...[, append_each_element => BOOL]) -> JSON',
  'JSON_ARRAY_INSERT(JSON, STRING, ANY, ANY...[, insert_each_element => BOOL]) -> JSON',
  'PARSE_JSON(STRING[, wide_number_mode => STRING]) -> JSON',
  'TO_JSON(ANY[, stringify_wide_numbers => BOOL]) -> JSON',
  'TO_JSON_STRING(ANY[, BOOL]) -> STRING',
  'BOOL(JSON) -> BOOL',
  'INT64(JSON) -> INT64',
  'FLOAT64(JSON[, wide_number_mode => STRING]) -> FLOAT64',
  'STRING(JSON) -> STRING',
  'LAX_BOOL(JSON) -> BOOL',
  'LAX_INT64(JSON) -> INT64',
  'LAX_FLOAT64(JSON) -> FLOAT64',
  'LAX_STRING(JSON) -> STRING',
  ...['BOOL', 'INT64', 'FLOAT64', 'STRING'].flatMap((type) => [
    `${type}_ARRAY(JSON) -> ARRAY<${type}>`,
    `LAX_${type}_ARRAY(JSON) -> ARRAY<${type}>`,
  ]),
];
