import { describe, expect, it } from '@jest/globals';
import type { CacheStore, NewAnswer } from '../../../../shared/cache/cache-store.ts';

const MIB = 1024 * 1024;
const LEASE_MS = 60_000;

export interface ContractSubject {
  readonly store: CacheStore;
  /** A second instance's way to the same answers. */
  readonly other: CacheStore;
}

/** What every store of answers does; run on each of them. `newKey` gives a key that no test had before. */
export function cacheStoreContract(name: string, open: () => ContractSubject, newKey: () => string): void {
  /** An answer that was computed so long ago by the store's own clock. */
  const answerAged = (ageMs: number, bytes: Uint8Array = Buffer.from('rows')): NewAnswer => ({
    bytes,
    ageMs: () => ageMs,
    ttlSeconds: 900,
  });

  describe(`${name} as a store of answers`, () => {
    it('is empty at first, and reports its time', async () => {
      const reading = await open().store.read(newKey());
      expect(reading).toEqual({ stored: null, storeTimeMs: expect.any(Number) });
      expect(Number.isSafeInteger(reading.storeTimeMs)).toBe(true);
    });

    it.each([
      ['nothing', 0],
      ['a few bytes', 100],
      ['just what fits into one document', 1000 * 1024],
      ['one byte more', 1000 * 1024 + 1],
      ['several documents', 3 * MIB],
      ['as much as it takes', 3.5 * MIB],
    ])('gives all instances what one wrote: %s', async (_, size) => {
      const { store, other } = open();
      const key = newKey();
      const bytes = Buffer.alloc(size, 'abcdefghijklm');
      const stored = answerAged(1000, bytes);
      await store.write(key, stored, null);
      const { stored: read, storeTimeMs } = await other.read(key);
      expect(read?.ttlSeconds).toBe(900);
      const ageMs = storeTimeMs - (read?.computedAtMs ?? 0);
      expect(ageMs).toBeGreaterThanOrEqual(1000);
      expect(ageMs).toBeLessThan(60_000);
      expect(Buffer.compare(read?.bytes ?? Buffer.alloc(1), bytes)).toBe(0);
    });

    it.each([
      ['a smaller one', 3 * MIB, 10],
      ['a larger one', 10, 3 * MIB],
      ['one of as many parts', 3 * MIB, 3 * MIB],
    ])('keeps in place of an answer %s', async (_, before, after) => {
      const { store, other } = open();
      const key = newKey();
      await store.write(key, answerAged(1000, Buffer.alloc(before, 1)), null);
      await other.write(key, answerAged(0, Buffer.alloc(after, 2)), null);
      const { stored } = await store.read(key);
      expect(Buffer.compare(stored?.bytes ?? Buffer.alloc(0), Buffer.alloc(after, 2))).toBe(0);
    });

    it.each([
      ['is kept until it expires', 850_000, true],
      ['is not given once it has expired', 900_000, false],
      ['is not given long after', 90_000_000, false],
    ])('has an answer that %s', async (_, ageMs, isGiven) => {
      const { store } = open();
      const key = newKey();
      await store.write(key, answerAged(ageMs), null);
      expect((await store.read(key)).stored !== null).toBe(isGiven);
    });

    it('keeps an answer against one that was computed before it and comes after it', async () => {
      const { store, other } = open();
      const key = newKey();
      await store.write(key, answerAged(1000, Buffer.from('newer')), null);
      await other.write(key, answerAged(30_000, Buffer.from('older')), null);
      expect(Buffer.from((await store.read(key)).stored?.bytes ?? []).toString()).toBe('newer');
    });

    it('replaces an answer that is dated in the future', async () => {
      const { store, other } = open();
      const key = newKey();
      await store.write(key, answerAged(-120_000, Buffer.from('future')), null);
      await other.write(key, answerAged(0, Buffer.from('now')), null);
      expect(Buffer.from((await store.read(key)).stored?.bytes ?? []).toString()).toBe('now');
    });

    it('keeps answers under different keys apart', async () => {
      const { store } = open();
      const [one, two] = [newKey(), newKey()];
      await store.write(one, answerAged(0, Buffer.from('one')), null);
      await store.write(two, answerAged(0, Buffer.from('two')), null);
      expect(Buffer.from((await store.read(one)).stored?.bytes ?? []).toString()).toBe('one');
    });
  });

  describe(`${name} as the keeper of leases`, () => {
    it('gives a lease to one of many who ask at once', async () => {
      const { store, other } = open();
      const key = newKey();
      const asking = Array.from({ length: 16 }, (_, index) =>
        (index % 2 ? store : other).acquire(key, LEASE_MS),
      );
      const leases = (await Promise.all(asking)).filter(({ lease }) => lease !== null);
      expect(leases).toHaveLength(1);
      expect((await other.readLease(key)).holder).not.toBeNull();
    });

    it('gives it again when it was given back', async () => {
      const { store, other } = open();
      const key = newKey();
      const first = await store.acquire(key, LEASE_MS);
      await first.lease?.release();
      expect((await other.readLease(key)).holder).toBeNull();
      expect((await other.acquire(key, LEASE_MS)).lease).not.toBeNull();
    });

    it('gives it again when it has ended by itself', async () => {
      const { store, other } = open();
      const key = newKey();
      await store.acquire(key, 0);
      expect((await other.readLease(key)).holder).toBeNull();
      const asking = Array.from({ length: 8 }, () => other.acquire(key, LEASE_MS));
      expect((await Promise.all(asking)).filter(({ lease }) => lease !== null)).toHaveLength(1);
    });

    it('lets a lease last when it is renewed', async () => {
      const { store, other } = open();
      const key = newKey();
      const { lease } = await store.acquire(key, LEASE_MS);
      await lease?.renew();
      await lease?.renew();
      expect((await other.acquire(key, LEASE_MS)).lease).toBeNull();
      await lease?.release();
      expect((await other.readLease(key)).holder).toBeNull();
    });

    it('lets who lost a lease neither keep nor end that of the next', async () => {
      const { store, other } = open();
      const key = newKey();
      const lost = await store.acquire(key, 0);
      const next = await other.acquire(key, LEASE_MS);
      expect(next.lease).not.toBeNull();
      await lost.lease?.renew();
      await lost.lease?.release();
      expect((await store.readLease(key)).holder).not.toBeNull();
    });

    it('lets a lease be given back twice, and renewed after that, to no effect', async () => {
      const { store } = open();
      const key = newKey();
      const { lease } = await store.acquire(key, LEASE_MS);
      await lease?.release();
      await lease?.release();
      await lease?.renew();
      expect((await store.readLease(key)).holder).toBeNull();
    });

    it('does not end the lease of the next with the answer of one who lost it', async () => {
      const { store, other } = open();
      const key = newKey();
      const lost = await store.acquire(key, 0);
      const next = await other.acquire(key, LEASE_MS);
      expect(next.lease).not.toBeNull();
      await store.write(key, answerAged(0), lost.lease?.holder ?? null);
      expect((await store.readLease(key)).holder).not.toBeNull();
    });

    it('ends a lease together with the writing of its answer, renewed or not', async () => {
      const { store, other } = open();
      const key = newKey();
      const { lease } = await store.acquire(key, LEASE_MS);
      await lease?.renew();
      await store.write(key, answerAged(0), lease?.holder ?? null);
      expect((await other.readLease(key)).holder).toBeNull();
      await lease?.release();
      expect((await other.acquire(key, LEASE_MS)).lease).not.toBeNull();
    });
  });
}
