import { type Entries, type FunctionEntry, sameFor, scalar } from './entry.ts';

/** The second argument is a path, which is the same for all rows. */
const withPath = (description: string, ...signatures: readonly string[]): FunctionEntry => ({
  ...scalar(description, ...signatures),
  constantExpressions: { from: 1 },
});
/** Of JSON, or of its text, at a path. */
const atPath = (description: string, ofText: string, ofJson: string) =>
  withPath(description, `(STRING[, STRING]) -> ${ofText}`, `(JSON[, STRING]) -> ${ofJson}`);
/** Pairs of a path and a value. */
const PATH_PAIRS = {
  pairs: { before: 1, after: 1 },
  constantExpressions: { from: 1, step: 2 },
  options: 'literal',
} as const;
const conversion = (type: string, how: string) =>
  scalar(`A JSON value as ${type}; ${how}.`, `(JSON) -> ${type}`);
const STRICT = 'one of another type is an error';
const LAX = 'converted where possible, otherwise NULL';

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions */
export const JSON_FUNCTIONS: Entries = {
  ...sameFor(['JSON_QUERY', 'JSON_EXTRACT'], () =>
    withPath('The JSON at a path.', '(STRING, STRING) -> STRING', '(JSON, STRING) -> JSON'),
  ),
  ...sameFor(['JSON_VALUE', 'JSON_EXTRACT_SCALAR'], () =>
    atPath('The single value at a path, as text.', 'STRING', 'STRING'),
  ),
  ...sameFor(['JSON_QUERY_ARRAY', 'JSON_EXTRACT_ARRAY'], () =>
    atPath('The elements of the array at a path.', 'ARRAY<STRING>', 'ARRAY<JSON>'),
  ),
  ...sameFor(['JSON_VALUE_ARRAY', 'JSON_EXTRACT_STRING_ARRAY'], () =>
    atPath('The single values of the array at a path, as text.', 'ARRAY<STRING>', 'ARRAY<STRING>'),
  ),
  JSON_TYPE: scalar('The type of a JSON value, such as object or string.', '(JSON) -> STRING'),
  JSON_KEYS: {
    ...scalar('The keys of a JSON value.', "(JSON[, INT64][, mode => STRING = 'strict']) -> ARRAY<STRING>"),
    options: 'constant',
  },
  JSON_FLATTEN: scalar('The values of arrays in arrays, one after the other.', '(JSON) -> ARRAY<JSON>'),
  JSON_OBJECT: {
    ...scalar('A JSON object of keys and values.', '(ARRAY<STRING>, ARRAY<T>) -> JSON', '(ANY...) -> JSON'),
    pairs: { before: 0, after: 0 },
  },
  JSON_ARRAY: scalar('A JSON array of values.', '(ANY...) -> JSON'),
  JSON_SET: {
    ...scalar(
      'Sets values at paths.',
      '(JSON, STRING, ANY, ANY...[, create_if_missing => BOOL = TRUE]) -> JSON',
    ),
    ...PATH_PAIRS,
  },
  JSON_REMOVE: {
    ...scalar('Removes what stands at paths.', '(JSON, STRING, STRING...) -> JSON'),
    constantExpressions: { from: 1, step: 1 },
  },
  JSON_STRIP_NULLS: {
    ...withPath(
      'Removes JSON nulls.',
      '(JSON[, STRING][, include_arrays => BOOL = TRUE, remove_empty => BOOL = FALSE]) -> JSON',
    ),
    options: 'literal',
  },
  JSON_ARRAY_APPEND: {
    ...scalar(
      'Appends values to the arrays at paths.',
      '(JSON, STRING, ANY, ANY...[, append_each_element => BOOL = TRUE]) -> JSON',
    ),
    ...PATH_PAIRS,
  },
  JSON_ARRAY_INSERT: {
    ...scalar(
      'Inserts values into arrays at paths.',
      '(JSON, STRING, ANY, ANY...[, insert_each_element => BOOL = TRUE]) -> JSON',
    ),
    ...PATH_PAIRS,
  },
  PARSE_JSON: {
    ...scalar('The JSON of a text.', "(STRING[, wide_number_mode => STRING = 'exact']) -> JSON"),
    isSafeByItself: true,
  },
  TO_JSON: scalar('A value as JSON.', '(ANY[, stringify_wide_numbers => BOOL = FALSE]) -> JSON'),
  TO_JSON_STRING: scalar('A value as JSON text.', '(ANY[, BOOL]) -> STRING'),
  BOOL: conversion('BOOL', STRICT),
  INT64: conversion('INT64', STRICT),
  FLOAT64: scalar(
    `A JSON value as FLOAT64; ${STRICT}.`,
    "(JSON[, wide_number_mode => STRING = 'round']) -> FLOAT64",
  ),
  LAX_BOOL: conversion('BOOL', LAX),
  LAX_INT64: conversion('INT64', LAX),
  LAX_FLOAT64: conversion('FLOAT64', LAX),
  LAX_STRING: conversion('STRING', LAX),
  BOOL_ARRAY: conversion('ARRAY<BOOL>', STRICT),
  INT64_ARRAY: conversion('ARRAY<INT64>', STRICT),
  FLOAT64_ARRAY: conversion('ARRAY<FLOAT64>', STRICT),
  STRING_ARRAY: conversion('ARRAY<STRING>', STRICT),
  LAX_BOOL_ARRAY: conversion('ARRAY<BOOL>', LAX),
  LAX_INT64_ARRAY: conversion('ARRAY<INT64>', LAX),
  LAX_FLOAT64_ARRAY: conversion('ARRAY<FLOAT64>', LAX),
  LAX_STRING_ARRAY: conversion('ARRAY<STRING>', LAX),
};
