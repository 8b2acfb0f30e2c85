import { QueryError, toQueryError } from '../../client/query-error.js';

/** @import { Catalogue } from '../editor/vocabulary.js' */

/** What the service offers to the holder of a token. Throws a QueryError. @param {string} baseUrl @param {string} token @returns {Promise<Catalogue>} */
export async function fetchCatalogue(baseUrl, token) {
  const response = await fetch(new URL('explorer/catalogue.json', baseUrl), {
    headers: { 'X-API-KEY': token },
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
