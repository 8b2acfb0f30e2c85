import type { LRUCache } from 'lru-cache';
import { nounFor } from '../errors/noun-for.ts';
import { ServiceError } from '../errors/service-error.ts';
import { lazyLru } from '../lru/lazy-lru.ts';
import type { AccessToken } from './access-token.ts';
import { makeSlidingWindow, type Quota, type SlidingWindow } from './sliding-window.ts';

/** A window takes some 500 bytes. */
const MAX_TOKENS = 10_000;
/** Recomputing costs a query where the kept result costs none, so every token has only so much of it. */
const MOST_RECOMPUTATIONS_PER_MINUTE = 10;
/** Of a token with fewer requests a minute, this part may recompute. */
const RECOMPUTED_PART = 10;

type RatedToken = Pick<AccessToken, 'digest' | 'limits'>;

/** Holds tokens to their requests per minute, in this process alone: each instance of the service counts for itself. */
export interface RateLimiter {
  /**
   * Counts a request and answers what is left of the token's quota; null for a token without one. Throws a
   * ServiceError (resource_exhausted, with Retry-After and the RateLimit headers) when nothing is left.
   */
  admitRequest(token: RatedToken): Quota | null;
  /**
   * Counts a request that wants a kept result computed anew, on top of `admitRequest`: a tenth of the token's
   * requests per minute, at least 1 and at most 10, and 10 without such a limit. Throws a ServiceError
   * (resource_exhausted, with Retry-After) when these are used up.
   */
  admitRecomputation(token: RatedToken): void;
}

/**
 * Makes a rate limiter that remembers the `maxTokens` tokens that were used last. `nowMs` is of a clock that never
 * runs backwards, such as `performance.now`.
 */
export function makeRateLimiter(options: { nowMs(): number; readonly maxTokens?: number }): RateLimiter {
  const { nowMs, maxTokens: max = MAX_TOKENS } = options;
  const requests = lazyLru<SlidingWindow>(max);
  const recomputations = lazyLru<SlidingWindow>(max);

  return {
    admitRequest({ digest, limits: { requestsPerMinute } }) {
      if (requestsPerMinute === null) return null;
      const { isAllowed, ...quota } = windowOf(requests, digest).take(nowMs(), requestsPerMinute);
      if (isAllowed) return quota;
      throw refuse(
        `This access token may make ${requestsPerMinute} ${nounFor(requestsPerMinute, 'request')} a minute;`,
        quota,
        rateLimitHeaders(quota),
      );
    },
    admitRecomputation({ digest, limits }) {
      const limit = recomputationsPerMinute(limits.requestsPerMinute);
      const { isAllowed, ...quota } = windowOf(recomputations, digest).take(nowMs(), limit);
      if (isAllowed) return;
      throw refuse(
        `This access token may have ${limit} ${nounFor(limit, 'result')} a minute computed again; leave out "Cache-Control: no-cache", or`,
        quota,
        {},
      );
    },
  };
}

/**
 * The headers that report a caller's quota, in the form of draft-ietf-httpapi-ratelimit-headers-06, 3: three fields,
 * the reset in seconds from now.
 */
export function rateLimitHeaders(quota: Quota): Readonly<Record<string, string>> {
  return {
    'RateLimit-Limit': String(quota.limit),
    'RateLimit-Remaining': String(quota.remaining),
    'RateLimit-Reset': String(quota.resetSeconds),
  };
}

function windowOf(windows: LRUCache<string, SlidingWindow>, digest: string): SlidingWindow {
  const known = windows.get(digest);
  if (known !== undefined) return known;
  const made = makeSlidingWindow();
  windows.set(digest, made);
  return made;
}

function recomputationsPerMinute(requestsPerMinute: number | null): number {
  if (requestsPerMinute === null) return MOST_RECOMPUTATIONS_PER_MINUTE;
  const part = Math.floor(requestsPerMinute / RECOMPUTED_PART);
  return Math.min(MOST_RECOMPUTATIONS_PER_MINUTE, Math.max(1, part));
}

function refuse(rule: string, quota: Quota, headers: Readonly<Record<string, string>>): ServiceError {
  const seconds = String(quota.resetSeconds);
  return new ServiceError(
    'resource_exhausted',
    `${rule} try again in ${seconds} ${nounFor(quota.resetSeconds, 'second')}.`,
    { headers: { ...headers, 'Retry-After': seconds } },
  );
}
