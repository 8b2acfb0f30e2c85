import { createHash } from 'node:crypto';
import type { QueryResult } from '../warehouse/warehouse.ts';

/** A JSON value, for an answer's metadata. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** What is kept of a query's answer: the rows as they are sent, redacted already where they must be. */
export interface CachedAnswer extends QueryResult {
  /** What else belongs to the answer, such as warnings about the query. */
  readonly facts: { readonly [name: string]: JsonValue };
}

const ROWS_AT_ONCE = 16;

/**
 * A digest of what callers can see of an answer: columns, rows, whether rows were cut off, where they go on, and facts. What the
 * query cost is not in it, so computing the same rows anew gives the same digest.
 */
export function contentHashOf(answer: CachedAnswer): string {
  const digest = createHash('sha256').update(
    JSON.stringify([answer.columns, answer.truncated, { ...answer.facts, pageToken: answer.pageToken }]),
  );
  // JSON writes control characters as escapes, so the separator stands in no row. A piece at a time: all rows in one
  // text would take their memory once more.
  for (let start = 0; start < Math.max(1, answer.rows.length); start += ROWS_AT_ONCE) {
    digest.update(`\u0000${answer.rows.slice(start, start + ROWS_AT_ONCE).join('\u0000')}`);
  }
  return digest.digest('base64url').slice(0, 27);
}

/**
 * A strong validator (RFC 9110, section 8.8.1) of one representation of an answer. `representation` names the
 * format and the content coding, for example `json`, `json-br` or `csv-gzip`: bytes that differ need tags that differ.
 */
export function etagOf(contentHash: string, representation: string): string {
  return `"${contentHash}-${representation}"`;
}
