/** Most bytes of UTF-8 that one query may have. */
export const MAX_QUERY_BYTES = 64 * 1024;
/** Most tokens that one query may have. */
export const MAX_QUERY_TOKENS = 10_000;
/** Deepest nesting of parentheses, subqueries and expressions that one query may have. */
export const MAX_QUERY_DEPTH = 100;
