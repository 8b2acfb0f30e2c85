/** @import { ErrorDetail, QueryErrorOptions } from './client.d.ts' */

/** Every failure of a request but its being aborted. */
export class QueryError extends Error {
  /** @param {string} message @param {QueryErrorOptions} options */
  constructor(message, { code, status, details = [], requestId = null, retryAfterSeconds = null, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'QueryError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * What an answer says went wrong. One without the service's envelope comes from something in between, and is told by
 * its code.
 *
 * @param {Response} response
 * @param {string} text
 */
export function toQueryError(response, text) {
  const error = readEnvelope(text);
  const { headers, status: code } = response;
  const retryAfter = headers.get('retry-after');
  return new QueryError(error?.message ?? strangeAnswer(response), {
    code,
    status: error?.status ?? 'UNKNOWN',
    details: error?.details,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
  });
}

/** @param {Response} response */
function strangeAnswer({ ok, status, statusText }) {
  if (ok) return 'The answer does not come from this service; check the address.';
  return `The answer was ${status}${statusText === '' ? '' : ` ${statusText}`}, and not from this service; check the address and what stands in front of it.`;
}

/** @param {string} text @returns {{ message: string, status: string, details: readonly ErrorDetail[] } | null} */
function readEnvelope(text) {
  try {
    const { message, status, details } = JSON.parse(text).error;
    if (typeof message !== 'string' || typeof status !== 'string') return null;
    return { message, status, details: Array.isArray(details) ? details : [] };
  } catch {
    return null;
  }
}
