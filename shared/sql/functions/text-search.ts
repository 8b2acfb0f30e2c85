import { type Entries, type FunctionEntry, raising, scalar } from './entry.ts';

/** What is sought is the same for all rows, and not NULL. */
const sought = (entry: FunctionEntry): FunctionEntry => ({
  ...entry,
  constantExpressions: { from: 1, refusesNull: true },
  options: 'constant',
});
const ANALYZER = "analyzer => STRING = 'LOG_ANALYZER', analyzer_options => STRING";

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/search_functions and text-analysis-functions */
export const TEXT_SEARCH_FUNCTIONS: Entries = {
  CONTAINS_SUBSTR: {
    ...sought(
      scalar(
        'Whether a value contains a text, case ignored.',
        "(ANY, STRING[, json_scope => STRING = 'JSON_VALUES']) -> BOOL",
      ),
    ),
    isSafeByItself: true,
  },
  SEARCH: sought(
    raising(
      'Whether a value has the words of a search query.',
      `(ANY, STRING[, json_scope => STRING = 'JSON_VALUES', ${ANALYZER}]) -> BOOL`,
    ),
  ),
  TEXT_ANALYZE: {
    ...scalar('The words of a text, in lower case.', `(STRING[, ${ANALYZER}]) -> ARRAY<STRING>`),
    options: 'constant',
  },
};
