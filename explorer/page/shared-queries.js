import { askService } from './ask-service.js';

/** @import { PastQuery } from '../state/session.js' */

/**
 * A query that the service's operator saved for all.
 *
 * @typedef {PastQuery & {
 *   readonly name: string,
 *   readonly description: string,
 *   readonly endpoint: string,
 *   readonly window: Readonly<Record<string, string>> | null,
 * }} SharedQuery
 */

/** The queries that the service has for the holder of a token. Throws a QueryError. @param {string} baseUrl @param {string} token @returns {Promise<readonly SharedQuery[]>} */
export async function fetchSharedQueries(baseUrl, token) {
  const { queries } = await askService(baseUrl, 'explorer/saved.json', token);
  return queries;
}
