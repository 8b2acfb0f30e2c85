import { type Entries, type FunctionEntry, perText, sameFor, scalar, strict, total } from './entry.ts';

/** The second argument is a regular expression. */
const pattern = (description: string, signature: (type: string) => string): FunctionEntry => ({
  ...scalar(description, ...perText(signature)),
  patternArgument: 1,
});

/** Regular expressions are RE2. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions */
export const REGEXP_FUNCTIONS: Entries = {
  REGEXP_CONTAINS: strict(
    total(pattern('Whether a value matches a regular expression.', (type) => `(${type}, ${type}) -> BOOL`)),
  ),
  ...sameFor(['REGEXP_EXTRACT', 'REGEXP_SUBSTR'], () =>
    pattern(
      'What a regular expression matches, or its capturing group.',
      (type) => `(${type}, ${type}[, INT64, INT64]) -> ${type}`,
    ),
  ),
  REGEXP_EXTRACT_ALL: pattern(
    'Everything that a regular expression matches.',
    (type) => `(${type}, ${type}) -> ARRAY<${type}>`,
  ),
  REGEXP_INSTR: pattern(
    'The position of what a regular expression matches, from 1.',
    (type) => `(${type}, ${type}[, INT64, INT64, INT64]) -> INT64`,
  ),
  REGEXP_REPLACE: pattern(
    'Replaces what a regular expression matches; \\1 is a group.',
    (type) => `(${type}, ${type}, ${type}) -> ${type}`,
  ),
};
