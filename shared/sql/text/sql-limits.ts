/** Most bytes of UTF-8 that one query may have. */
export const MAX_QUERY_BYTES = 64 * 1024;
/** Most tokens that one query may have. */
const MAX_QUERY_TOKENS = 10_000;

/** How long and how deep a text may be. */
export interface TextLimits {
  /** Of UTF-8. */
  readonly bytes: number;
  readonly tokens: number;
  /** Of the syntax tree, in nodes: chains inside of parentheses make it deeper than what nests. */
  readonly treeDepth: number;
}

/** Of queries as people write them. */
export const QUERY_LIMITS: TextLimits = { bytes: MAX_QUERY_BYTES, tokens: MAX_QUERY_TOKENS, treeDepth: 800 };

/**
 * Of a query that was put together from a stored one and a consumer's, both within their own limits: printed text
 * needs up to six bytes for one of the original, and spells out what may be left out.
 */
export const COMPOSED_LIMITS: TextLimits = {
  bytes: 1024 * 1024,
  tokens: 4 * MAX_QUERY_TOKENS,
  treeDepth: 900,
};

/** Deepest nesting of parentheses, subqueries and expressions that one query may have. */
export const MAX_QUERY_DEPTH = 100;
