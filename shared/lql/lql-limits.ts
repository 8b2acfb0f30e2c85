/** Most bytes of UTF-8 that a query in LQL may have. */
export const MAX_LQL_BYTES = 16 * 1024;
/** Most clauses that it may have. */
export const MAX_CLAUSES = 100;
/** Most of them that may be `s:`. */
export const MAX_SELECTS = 50;
/** Most rows of a query without `c:`. */
export const MAX_EVENTS = 100;
/** Most characters of a column's name, which is BigQuery's limit. */
export const MAX_ALIAS_LENGTH = 300;
/** Most characters that its regular expressions may have together. */
export const MAX_REGEX_CHARACTERS = 4096;
