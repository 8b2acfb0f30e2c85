import { describe, expect, it } from '@jest/globals';
import { makeRateLimiter, rateLimitHeaders } from '../../../shared/access/rate-limiter.ts';
import { NO_LIMITS } from '../../../shared/access/token-limits.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';

const token = (digest: string, requestsPerMinute: number | null) => ({
  digest,
  limits: { ...NO_LIMITS, requestsPerMinute },
});

function refusal(call: () => unknown): ServiceError {
  try {
    call();
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('it went well, or failed in another way');
}

describe('makeRateLimiter', () => {
  it('admits the requests of a minute, then answers 429 with what to wait for, then admits again', () => {
    let nowMs = 5000;
    const limiter = makeRateLimiter({ nowMs: () => nowMs });
    const two = token('a', 2);
    expect(limiter.admitRequest(two)).toEqual({ limit: 2, remaining: 1, resetSeconds: 61 });
    expect(limiter.admitRequest(two)).toEqual({ limit: 2, remaining: 0, resetSeconds: 61 });
    nowMs += 31_000;
    const error = refusal(() => limiter.admitRequest(two));
    expect(error.code).toBe(429);
    expect(error.message).toBe('This access token may make 2 requests a minute; try again in 30 seconds.');
    expect(error.headers).toEqual({
      'RateLimit-Limit': '2',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '30',
      'Retry-After': '30',
    });
    nowMs += 30_000;
    expect(limiter.admitRequest(two)).not.toBeNull();
  });

  it('counts every token by itself', () => {
    const limiter = makeRateLimiter({ nowMs: () => 0 });
    limiter.admitRequest(token('a', 1));
    expect(limiter.admitRequest(token('b', 1))).toMatchObject({ remaining: 0 });
    expect(refusal(() => limiter.admitRequest(token('a', 1))).message).toContain('1 request a minute');
  });

  it('lets a token without the limit make any number of requests', () => {
    const limiter = makeRateLimiter({ nowMs: () => 0 });
    const free = token('a', null);
    for (let n = 0; n < 10_000; n += 1) expect(limiter.admitRequest(free)).toBeNull();
  });

  it('follows a limit that was changed', () => {
    const limiter = makeRateLimiter({ nowMs: () => 0 });
    limiter.admitRequest(token('a', 1));
    expect(limiter.admitRequest(token('a', 3))).toMatchObject({ limit: 3, remaining: 1 });
  });

  it.each([
    [null, 10],
    [1, 1],
    [9, 1],
    [30, 3],
    [100, 10],
    [100_000, 10],
  ])('with %s requests a minute, may bypass the cache %s times a minute', (requestsPerMinute, expected) => {
    let nowMs = 0;
    const limiter = makeRateLimiter({ nowMs: () => nowMs });
    const own = token('a', requestsPerMinute);
    for (let n = 0; n < expected; n += 1) limiter.admitRecomputation(own);
    const error = refusal(() => limiter.admitRecomputation(own));
    expect(error.code).toBe(429);
    expect(error.message).toMatch(
      /^This access token may have \d+ results? a minute computed again; leave out "Cache-Control: no-cache", or try again in 61 seconds\.$/,
    );
    expect(error.headers).toEqual({ 'Retry-After': '61' });
    expect(limiter.admitRequest(token('a', 5))).toMatchObject({ remaining: 4 });
    nowMs = 61_000;
    limiter.admitRecomputation(own);
  });

  it('remembers the tokens that were used last', () => {
    const limiter = makeRateLimiter({ nowMs: () => 0, maxTokens: 2 });
    for (const digest of ['a', 'b', 'a', 'c']) {
      try {
        limiter.admitRequest(token(digest, 1));
      } catch {}
    }
    expect(refusal(() => limiter.admitRequest(token('a', 1))).code).toBe(429);
    expect(limiter.admitRequest(token('b', 1))).toMatchObject({ remaining: 0 });
  });
});

describe('rateLimitHeaders', () => {
  it('names limit, what is left, and the seconds until there is more', () => {
    expect(rateLimitHeaders({ limit: 60, remaining: 59, resetSeconds: 61 })).toEqual({
      'RateLimit-Limit': '60',
      'RateLimit-Remaining': '59',
      'RateLimit-Reset': '61',
    });
  });
});
