import type { AccessToken } from '../../access/access-token.ts';
import { authenticate } from '../../access/authenticate.ts';
import { authorizeRight, type Right } from '../../access/authorize.ts';
import { rateLimitHeaders } from '../../access/rate-limiter.ts';
import type { HttpDeps } from '../http-deps.ts';
import type { Exchange } from '../server/route.ts';

/** Finds the token that a request carries and counts the request towards the token's rate limit. */
export type Admit = (exchange: Exchange) => Promise<AccessToken>;

/**
 * Makes the way in of every route that needs a token. The log gets the token's name, the answer the headers of its rate
 * limit. Throws a ServiceError: unauthenticated, resource_exhausted above the limit, or permission_denied for a token
 * without the right that the route needs.
 */
export function makeAdmit(
  { tokens, limiter, wallClockMs }: Pick<HttpDeps, 'tokens' | 'limiter' | 'wallClockMs'>,
  right: Right = 'read',
): Admit {
  return async ({ req, notes, timing, answerHeaders }) => {
    const token = await authenticate(req.headers, tokens, wallClockMs());
    notes.token = token.name;
    const quota = limiter.admitRequest(token);
    if (quota !== null) answerHeaders.push(...Object.entries(rateLimitHeaders(quota)).flat());
    timing.end('auth');
    authorizeRight(token, right);
    return token;
  };
}
