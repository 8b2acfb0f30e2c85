import { QueryError } from '../../client/client.js';

const CODE = 'code';

/**
 * Takes the code of a link that signs in out of the address, where neither the history nor a shared address should
 * have it. Null where there is none.
 *
 * @returns {string | null}
 */
export function takeSignInCode() {
  const values = new URLSearchParams(location.hash.replace(/^#/, ''));
  const code = values.get(CODE);
  if (code === null) return null;
  values.delete(CODE);
  const rest = values.size === 0 ? location.pathname + location.search : `#${values}`;
  history.replaceState(history.state, '', rest);
  return code;
}

/**
 * Exchanges the code of a link for the access token. Throws a QueryError for a code that does not work, or that this
 * service does not take.
 *
 * @param {string} baseUrl With a slash at its end.
 * @param {string} code
 * @returns {Promise<string>}
 */
export async function exchangeCode(baseUrl, code) {
  const response = await fetch(new URL('explorer/sign-in', baseUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
    cache: 'no-store',
    credentials: 'omit',
  }).catch(() => null);
  if (response === null) {
    throw new QueryError('The service cannot be reached.', { code: 0, status: 'UNREACHABLE' });
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && typeof answer?.token === 'string') return answer.token;
  const isRefused = response.status === 401 || response.status === 403;
  const reason = isRefused && typeof answer?.error?.message === 'string' ? answer.error.message : NOT_HERE;
  throw new QueryError(reason, { code: 401, status: 'UNAUTHENTICATED' });
}

const NOT_HERE = 'This service does not sign in by links; paste an access token.';
