import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { AnswerTooLargeError } from '../../../shared/cache/cache-store.ts';
import {
  CACHE_COLLECTION,
  CHUNK_COLLECTION,
  firestoreCacheStore,
  LEASE_COLLECTION,
} from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import { firestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { cacheStoreContract } from '../../shared/cache/support/cache-store-contract.ts';

const MIB = 1024 * 1024;
const newKey = () => randomBytes(32).toString('hex');
const MACHINE = { clock: systemClock, random: systemRandom };
const clients = [1, 2].map(() =>
  firestoreConnection({ googleProject: 'cache-tests', database: '(default)' }),
);
const [store, other] = clients.map(({ open }) => firestoreCacheStore(open, MACHINE));
if (store === undefined || other === undefined) throw new TypeError('two stores');

afterAll(() => Promise.all(clients.map((client) => client.close())));

cacheStoreContract('Firestore', () => ({ store, other }), newKey);

/** Writes an answer of some size and gives its documents. */
async function written(bytes: number) {
  const key = newKey();
  const stored = { bytes: Buffer.alloc(bytes, 7), ageMs: () => 0, ttlSeconds: 900 };
  await store!.write(key, stored, null);
  const { database: db } = await clients[0]!.open();
  const chunk = (index: number) => db.collection(CHUNK_COLLECTION).doc(`${key}_${index}`);
  return { key, head: db.collection(CACHE_COLLECTION).doc(key), chunk };
}

describe('a document that is not whole', () => {
  it.each<[string, Record<string, unknown>]>([
    ['without bytes', { data: null }],
    ['with text for bytes', { data: 'rows' }],
    ['of no generation', { generation: 7 }],
    ['with an invalid number of parts', { chunks: 'two' }],
    ['with too many parts', { chunks: 1_000_000 }],
    ['with fewer than no parts', { chunks: -1 }],
    ['with a date for a number', { computedAtMs: new Date(0) }],
    ['from before all time', { computedAtMs: -1 }],
    ['that never ends', { ttlSeconds: Number.POSITIVE_INFINITY }],
    ['that never began', { ttlSeconds: Number.NaN }],
  ])('is no answer: %s', async (_, damage) => {
    const { key, head } = await written(100);
    await head.update(damage);
    expect((await store.read(key)).stored).toBeNull();
  });

  it.each([
    ['a part is gone', (part: FirebaseFirestore.DocumentReference) => part.delete()],
    ['a part is of another write', (part) => part.update({ generation: 'other' })],
    ['a part has no bytes', (part) => part.set({ generation: 'other' })],
  ] as [string, (part: FirebaseFirestore.DocumentReference) => Promise<unknown>][])(
    'is no answer when %s',
    async (_, damage) => {
      const { key, chunk } = await written(3 * MIB);
      expect((await store.read(key)).stored).not.toBeNull();
      await damage(chunk(2));
      expect((await store.read(key)).stored).toBeNull();
    },
  );

  it('is none for a lease either', async () => {
    const key = newKey();
    const { database: db } = await clients[0]!.open();
    await db.collection(LEASE_COLLECTION).doc(key).set({ durationMs: 'long' });
    expect((await store.readLease(key)).holder).toBeNull();
    expect((await store.acquire(key, 60_000)).lease).not.toBeNull();
  });

  it('keeps no claim for a lease waiting for ever', async () => {
    const key = newKey();
    const { database: db } = await clients[0]!.open();
    await db.collection(LEASE_COLLECTION).doc(key).set({ durationMs: Number.POSITIVE_INFINITY });
    expect((await store.readLease(key)).holder).not.toBeNull();
    await db.collection(LEASE_COLLECTION).doc(key).set({ durationMs: Number.NaN });
    expect((await store.readLease(key)).holder).toBeNull();
  });
});

describe('an answer in Firestore', () => {
  it('has an expiry that a TTL policy can delete it by, on every document', async () => {
    const { head, chunk } = await written(3 * MIB);
    const documents = await Promise.all([head.get(), chunk(1).get(), chunk(3).get()]);
    const expiries = documents.map((document) => document.get('expiresAt').toMillis());
    expect(expiries).toEqual(Array(3).fill(documents[0]?.get('computedAtMs') + 900_000));
  });

  it('is refused when it takes more than one commit', async () => {
    const stored = { bytes: Buffer.alloc(3.5 * MIB + 1), ageMs: () => 0, ttlSeconds: 900 };
    const key = newKey();
    await expect(store.write(key, stored, null)).rejects.toThrow(AnswerTooLargeError);
    expect((await store.read(key)).stored).toBeNull();
  });

  it('is read whole or not at all while others write it again', async () => {
    const { key } = await written(3 * MIB);
    const fills = [1, 2, 3, 4, 5, 6];
    const writing = (async () => {
      for (const fill of fills) {
        const bytes = Buffer.alloc(1.5 * MIB, fill);
        await other!.write(key, { bytes, ageMs: () => 0, ttlSeconds: 900 }, null);
      }
    })();
    const mixed: number[] = [];
    for (let count = 0; count < 15; count += 1) {
      const bytes = (await store.read(key)).stored?.bytes;
      if (bytes && Buffer.compare(bytes, Buffer.alloc(bytes.length, bytes[0])) !== 0) mixed.push(count);
    }
    await writing;
    expect(mixed).toEqual([]);
    expect((await store.read(key)).stored?.bytes[0]).toBe(6);
  });
});
