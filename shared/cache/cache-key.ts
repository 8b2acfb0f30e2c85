import { hash } from 'node:crypto';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';

/** Counts up when the same key could come to mean another answer, such as with a new way to write values. */
const KEY_VERSION = 1;

/** The inputs of an answer, and nothing else: neither the caller nor an ignored parameter. */
export interface CacheKeyParts {
  /** The endpoint's UUID, whichever way it was addressed. */
  readonly endpointId: string;
  /** Of `definitionVersion`: another query is another answer. */
  readonly definitionVersion: string;
  /** The declared parameters as they are bound, and those that a consumer's query names. */
  readonly parameters: ReadonlyMap<string, QueryParameter>;
  /** The consumer query as canonical text; null for the endpoint's stored query. */
  readonly consumerQuery: string | null;
  /** Names of what is replaced in the rows; empty where nothing is. Their order is of no account. */
  readonly redaction: readonly string[];
  /** Most rows in the answer, where that is less than the definition allows; null where it is not. */
  readonly maxRows: number | null;
}

/**
 * The key that an answer is kept under: 64 hexadecimal digits. Two sets of parts have the same key only when they
 * are equal; the order of parameters is of no account.
 */
export function cacheKey(parts: CacheKeyParts): string {
  const parameters = [...parts.parameters]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { type, value }]) => [name, type, valueText(value)]);
  // JSON quotes every text, so that no two lists are written alike, and escapes lone surrogates, which UTF-8 merges.
  const canonical = JSON.stringify([
    KEY_VERSION,
    parts.endpointId,
    parts.definitionVersion,
    parameters,
    parts.consumerQuery,
    // A part that keys have no more; without its place, what is stored would not be found again.
    null,
    [...new Set(parts.redaction)].sort(),
    parts.maxRows,
  ]);
  return hash('sha256', canonical, 'hex');
}

/**
 * The version of an endpoint's definition: changes with whatever in its settings changes its answers, and with the tables that
 * they come from where `origin` names these.
 */
export function definitionVersion(endpoint: Endpoint, origin: string | null = null): string {
  const { sql, maxRows, parameters, timeWindow } = endpoint;
  const types = parameters.map(({ name, type }) => [name, type]);
  const window = timeWindow && [timeWindow.start, timeWindow.end];
  const parts = [sql, maxRows, types, window, ...(origin === null ? [] : [origin])];
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}

function valueText(value: QueryParameter['value']): string | null {
  if (value === null) return null;
  return Object.is(value, -0) ? '-0' : String(value);
}
