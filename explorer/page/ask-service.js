import { QueryError, toQueryError } from '../../client/query-error.js';

/**
 * Asks one of the page's own addresses of the service, and answers the JSON that it sends. Throws a QueryError.
 *
 * @param {string} baseUrl With a slash at its end.
 * @param {string} path
 * @param {string} token
 * @param {unknown} [body] Sent as JSON with POST; without it the address is read.
 */
export async function askService(baseUrl, path, token, body) {
  const headers = { 'X-API-KEY': token };
  const init =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        };
  const response = await fetch(new URL(path, baseUrl), init).catch((cause) => {
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
