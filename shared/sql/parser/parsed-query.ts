import type { Query } from '../ast/query.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { QUERY_LIMITS, type TextLimits } from '../text/sql-limits.ts';
import { parseTokens } from './parse-query.ts';

/** A query that was read from text. */
export interface ParsedQuery {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The places of its nodes are offsets in `text`. */
  readonly tree: Query;
}

/** Reads one whole query. Throws as `tokenize` and `parseTokens` do. */
export function parseText(text: string, limits: TextLimits = QUERY_LIMITS): ParsedQuery {
  const tokens = tokenize(text, limits);
  return { text, tokens, tree: parseTokens(text, tokens, limits) };
}
