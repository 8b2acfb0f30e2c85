import { QueryError, toQueryError } from '../../client/query-error.js';

/** @import { PastQuery } from '../state/session.js' */

/**
 * A value that a query is made to ask for, or to leave out.
 *
 * @typedef {object} ValueFilter
 * @property {'result' | 'source'} of What the path begins with: a column of the result, or of the source.
 * @property {readonly string[]} path Names from the column to the value.
 * @property {unknown} value
 * @property {boolean} negated
 * @property {string} type Of a column of the result.
 * @property {string} [source] Where the query is of another source: the one to begin with.
 *
 * @typedef {({ readonly action: 'filter' } & ValueFilter) | { readonly action: 'format' | 'to_sql' } | { readonly action: 'around', readonly source: string, readonly micros: string } | { readonly action: 'related', readonly ids: readonly string[] }} QueryEdit
 */

/**
 * Has the service change the text of a query: it has the parsers and the printers. Throws a QueryError.
 *
 * @param {string} baseUrl With a slash at its end.
 * @param {string} token
 * @param {string} endpoint
 * @param {PastQuery} written
 * @param {QueryEdit} edit
 * @returns {Promise<PastQuery>}
 */
export async function editQuery(baseUrl, token, endpoint, written, edit) {
  const response = await fetch(new URL('explorer/edit', baseUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': token },
    body: JSON.stringify({ endpoint, ...written, ...edit }),
  }).catch((cause) => {
    throw new QueryError('The service cannot be reached; check the network.', {
      code: 0,
      status: 'UNREACHABLE',
      cause,
    });
  });
  const text = await response.text();
  if (!response.ok) throw toQueryError(response, text);
  return JSON.parse(text);
}
