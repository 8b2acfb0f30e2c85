import type { Query } from '../ast/query.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { QUERY_LIMITS, type TextLimits } from '../text/sql-limits.ts';
import { parseTokens } from './parse-query.ts';

/** A query as text and as the syntax tree of that text: whoever has both need not read the text again. */
export interface QueryTree {
  readonly text: string;
  /** The places of its nodes are offsets in `text` where that was parsed; a printed text has no places of its own. */
  readonly tree: Query;
}

/** A query that was read from text. */
export interface ParsedQuery extends QueryTree {
  readonly tokens: readonly Token[];
}

/** Reads one whole query. Throws as `tokenize` and `parseTokens` do. */
export function parseText(text: string, limits: TextLimits = QUERY_LIMITS): ParsedQuery {
  const tokens = tokenize(text, limits);
  return { text, tokens, tree: parseTokens(text, tokens, limits) };
}
