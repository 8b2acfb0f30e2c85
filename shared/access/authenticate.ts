import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';
import { type AccessToken, digestToken, tokenState } from './access-token.ts';
import type { TokenStore } from './token-store.ts';

const HOW_TO_SEND = 'send one in the header "X-API-KEY", or as "Authorization: Bearer <access token>"';
/** Visible ASCII. Longer than any token that is issued, short enough to be hashed on every request. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;
/** RFC 9110, 11.4: the scheme's case does not matter, and one or more spaces follow it. */
const BEARER = /^bearer(?: +|$)/i;

/**
 * The access token that a request carries in `X-API-KEY` or as `Authorization: Bearer` (RFC 6750, 2.1). Tokens are
 * compared by digest only.
 *
 * Throws a ServiceError (unauthenticated), with the WWW-Authenticate header of RFC 6750, 3, when there is none,
 * when the two headers differ, or when the token is malformed, unknown, expired at `nowMs` or revoked. Only who
 * holds a token learns that it expired or was revoked. What the store throws goes through.
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  store: TokenStore,
  nowMs: number,
): Promise<AccessToken> {
  const digest = readDigest(headers);
  const token = await store.find(digest);
  if (token === null) {
    throw refuse('The access token is unknown; check that it is complete, and that this service issued it.');
  }
  const state = tokenState(token, nowMs);
  if (state === 'active') return token;
  const happened = state === 'expired' ? 'has expired' : 'was revoked';
  throw refuse(`The access token ${happened}; ask for a new one.`);
}

function readDigest(headers: IncomingHttpHeaders): string {
  const digests = [readApiKey(headers), readBearer(headers)].filter((text) => text !== '').map(digestOf);
  const [first, second] = digests;
  if (first === undefined) {
    throw new ServiceError('unauthenticated', `The request has no access token; ${HOW_TO_SEND}.`, {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  if (second !== undefined && second !== first) {
    throw refuse('"X-API-KEY" and "Authorization" carry different access tokens; send one of the two.');
  }
  return first;
}

function readApiKey(headers: IncomingHttpHeaders): string {
  const values = headers['x-api-key'] ?? '';
  return Array.isArray(values) ? values.join(', ') : values;
}

/** The empty text when another scheme stands there: it may be meant for a proxy. */
function readBearer(headers: IncomingHttpHeaders): string {
  const value = headers.authorization ?? '';
  return BEARER.test(value) ? value.replace(BEARER, '') : '';
}

function digestOf(text: string): string {
  if (TOKEN.test(text)) return digestToken(text);
  throw refuse(
    `The access token is malformed: it has 1 to 512 visible ASCII characters without spaces; ${HOW_TO_SEND}.`,
  );
}

function refuse(message: string): ServiceError {
  return new ServiceError('unauthenticated', message, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}
