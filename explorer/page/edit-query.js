import { askService } from './ask-service.js';

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
export function editQuery(baseUrl, token, endpoint, written, edit) {
  return askService(baseUrl, 'explorer/edit', token, { endpoint, ...written, ...edit });
}
