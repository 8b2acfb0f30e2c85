import { describe, expect, it } from '@jest/globals';
import { type AccessToken, digestToken } from '../../../shared/access/access-token.ts';
import { authenticate } from '../../../shared/access/authenticate.ts';
import { cachingTokenStore } from '../../../shared/access/caching-token-store.ts';
import type { TokenStore } from '../../../shared/access/token-store.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { type ManualClock, manualClock } from '../cache/support/manual-clock.ts';
import { tokenRecord } from './support/token-record.ts';

/** A store that can be changed, that can fail, and that tells what it was asked. */
function changeableStore() {
  const state = {
    tokens: new Map<string, AccessToken>(),
    asked: [] as string[],
    isDown: false,
    /** Resolved before a look is answered; what is found was read before. */
    gate: Promise.resolve(),
  };
  const store: TokenStore = {
    async find(digest) {
      state.asked.push(digest);
      const found = state.tokens.get(digest) ?? null;
      await state.gate;
      if (state.isDown) throw new ServiceError('unavailable', 'down');
      return found;
    },
  };
  const put = (token: AccessToken) => state.tokens.set(token.digest, token);
  return { state, store, put };
}

function setUp(options: { readonly maxKnown?: number; readonly maxUnknown?: number } = {}) {
  const clock: ManualClock = manualClock();
  const behind = changeableStore();
  const token = tokenRecord('a');
  behind.put(token);
  return { clock, token, ...behind, cached: cachingTokenStore(behind.store, { clock, ...options }) };
}

describe('cachingTokenStore', () => {
  it('asks the store once in 60 seconds, a little less for clocks that run slow', async () => {
    const { cached, clock, state, token } = setUp();
    expect(await cached.find(token.digest)).toEqual(token);
    await clock.advance(59_939);
    expect(await cached.find(token.digest)).toEqual(token);
    expect(state.asked).toHaveLength(1);
    await clock.advance(61);
    await cached.find(token.digest);
    expect(state.asked).toHaveLength(2);
  });

  it('lets a revocation hold within 60 seconds', async () => {
    const { cached, clock, put, token } = setUp();
    const ask = () => authenticate({ 'x-api-key': 'a' }, cached, clock.wallMs());
    await ask();
    put({ ...token, revokedAtMs: clock.wallMs() });
    await clock.advance(59_000);
    expect((await ask()).name).toBe('a');
    await clock.advance(1000);
    await expect(ask()).rejects.toThrow('was revoked');
  });

  it('counts the 60 seconds from asking, not from the answer', async () => {
    const { cached, clock, put, state, token } = setUp();
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const first = cached.find(token.digest);
    put({ ...token, revokedAtMs: 1 });
    await clock.advance(50_000);
    gate.resolve();
    expect((await first)?.revokedAtMs).toBeNull();
    await clock.advance(10_000);
    expect((await cached.find(token.digest))?.revokedAtMs).toBe(1);
  });

  it('notices expiry at once, for it needs no look', async () => {
    const { cached, clock, put } = setUp();
    put({ ...tokenRecord('b'), expiresAtMs: clock.wallMs() + 10 });
    const ask = () => authenticate({ 'x-api-key': 'b' }, cached, clock.wallMs());
    await ask();
    await clock.advance(10);
    await expect(ask()).rejects.toThrow('has expired');
  });

  it('remembers for 60 seconds that no token has a digest', async () => {
    const { cached, clock, state, put } = setUp();
    const late = tokenRecord('late');
    expect(await cached.find(late.digest)).toBeNull();
    put(late);
    await clock.advance(59_939);
    expect(await cached.find(late.digest)).toBeNull();
    expect(state.asked).toHaveLength(1);
    await clock.advance(61);
    expect(await cached.find(late.digest)).toEqual(late);
  });

  it('forgets a token that was deleted', async () => {
    const { cached, clock, state, token } = setUp();
    await cached.find(token.digest);
    state.tokens.clear();
    await clock.advance(60_000);
    expect(await cached.find(token.digest)).toBeNull();
    expect(await cached.find(token.digest)).toBeNull();
    expect(state.asked).toHaveLength(2);
  });

  it.each([
    ['forwards', 120_000, 2],
    ['backwards', -120_000, 1],
  ])('keeps nothing longer when the clock is set %s', async (_, byMs, looks) => {
    const { cached, clock, state, token } = setUp();
    await cached.find(token.digest);
    clock.setWall(byMs);
    await cached.find(token.digest);
    expect(state.asked).toHaveLength(looks);
    await clock.advance(60_000);
    await cached.find(token.digest);
    expect(state.asked).toHaveLength(looks + 1);
  });

  it('shares one look among those who ask at once', async () => {
    const { cached, state, token } = setUp();
    const others = [tokenRecord('x').digest, tokenRecord('y').digest];
    const asked = Array.from({ length: 50 }, () => cached.find(token.digest));
    const found = await Promise.all([...asked, ...others.map((digest) => cached.find(digest))]);
    expect(found).toEqual([...Array(50).fill(token), null, null]);
    expect(state.asked).toEqual([token.digest, ...others]);
  });

  it('lets no caller join a lookup that began 60 seconds ago, as in a process that stood still', async () => {
    const { cached, clock, put, state, token } = setUp();
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const first = cached.find(token.digest);
    put({ ...token, revokedAtMs: 1 });
    await clock.advance(60_000);
    const late = cached.find(token.digest);
    gate.resolve();
    expect((await first)?.revokedAtMs).toBeNull();
    expect((await late)?.revokedAtMs).toBe(1);
    expect((await cached.find(token.digest))?.revokedAtMs).toBe(1);
  });

  it('serves what it knows while the store is down, and refuses everything else', async () => {
    const { cached, clock, state, token } = setUp();
    await cached.find(token.digest);
    state.isDown = true;
    await clock.advance(59_939);
    expect(await cached.find(token.digest)).toEqual(token);
    await expect(cached.find(tokenRecord('b').digest)).rejects.toMatchObject({ code: 503 });
    await clock.advance(61);
    await expect(cached.find(token.digest)).rejects.toMatchObject({ code: 503 });
  });

  it('keeps no failure', async () => {
    const { cached, state, token } = setUp();
    state.isDown = true;
    const failures = await Promise.allSettled([cached.find(token.digest), cached.find(token.digest)]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(state.asked).toHaveLength(1);
    state.isDown = false;
    expect(await cached.find(token.digest)).toEqual(token);
  });

  it('keeps the tokens that were used last, and lets guesses push none of them out', async () => {
    const { cached, put, state, token } = setUp({ maxKnown: 2, maxUnknown: 3 });
    const [b, c] = [tokenRecord('b'), tokenRecord('c')];
    put(b);
    put(c);
    for (const one of [token, b, token, c]) await cached.find(one.digest);
    for (let n = 0; n < 100; n += 1) await cached.find(digestToken(`guess ${n}`));
    state.asked.length = 0;
    await cached.find(token.digest);
    await cached.find(c.digest);
    await cached.find(digestToken('guess 99'));
    expect(state.asked).toEqual([]);
    await cached.find(b.digest);
    await cached.find(digestToken('guess 0'));
    expect(state.asked).toEqual([b.digest, digestToken('guess 0')]);
  });
});
