import { describe, expect, it } from '@jest/globals';
import { firestoreTokenRegistry } from '../../../shared/access/firestore/firestore-token-registry.ts';
import { firestoreCacheStore } from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import { firestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { tokenRecord } from '../../shared/access/support/token-record.ts';
import { openSimulated } from './client.ts';
import { CODES, RpcError } from './documents.ts';
import { directNetwork, type Network } from './network.ts';
import { SimulatedServer } from './server.ts';

/** A server whose answers to calls of some kind are lost, the first time: the client then makes the call again. */
function openLossy() {
  const losing = { label: '' };
  const network: Network = {
    sleep: directNetwork.sleep,
    async call(label, retried, handle) {
      const result = await directNetwork.call(label, retried, handle);
      if (losing.label === '' || !label.startsWith(losing.label)) return result;
      losing.label = '';
      if (!retried.includes(CODES.UNAVAILABLE)) throw new RpcError('UNAVAILABLE', 'answer lost');
      return directNetwork.call(label, retried, handle);
    },
  };
  const server = new SimulatedServer({
    concurrency: 'pessimistic',
    nowMicros: () => Date.now() * 1000,
    later: (ms, run) => void setTimeout(run, ms).unref(),
  });
  const opened = openSimulated(server, network);
  const connection = firestoreConnection(
    { googleProject: 'p', database: 'd' },
    { connect: async () => opened },
  );
  return {
    losing,
    registry: firestoreTokenRegistry(connection),
    store: firestoreCacheStore(async () => opened, { clock: systemClock, random: systemRandom }),
  };
}

describe('a write that Firestore did, and whose answer was lost,', () => {
  it('has added a token, whose name is not taken by another', async () => {
    const { losing, registry } = openLossy();
    losing.label = 'create tokens';
    expect(await registry.add(tokenRecord('a'))).toBe('added');
    expect(await registry.add(tokenRecord('b', { name: 'a' }))).toBe('name_taken');
    expect((await registry.list()).tokens).toEqual([tokenRecord('a')]);
  });

  it('has revoked a token, which was not revoked before', async () => {
    const { losing, registry } = openLossy();
    const { digest } = tokenRecord('a');
    await registry.add(tokenRecord('a'));
    losing.label = 'update tokens';
    expect(await registry.revoke(digest, 7)).toBe('revoked');
    expect(await registry.revoke(digest, 8)).toBe('revoked_before');
  });

  it.each([
    ['taken', 'create leases'],
    ['renewed', 'update leases'],
    ['taken over', 'update leases'],
  ])('leaves a lease, %s, with whom it is for', async (what, label) => {
    const { losing, store } = openLossy();
    if (what === 'taken over') await store.acquire('k', 0);
    if (what !== 'renewed') losing.label = label;
    const { lease } = await store.acquire('k', 60_000);
    expect(lease).not.toBeNull();
    if (what === 'renewed') losing.label = label;
    await lease?.renew();
    await lease?.renew();
    expect(losing.label).toBe('');
    expect((await store.readLease('k')).holder).not.toBeNull();
    await lease?.release();
    expect((await store.readLease('k')).holder).toBeNull();
  });

  it('has written an answer once, and ended the lease of its writer', async () => {
    const { losing, store } = openLossy();
    const { lease } = await store.acquire('k', 60_000);
    losing.label = 'set cache';
    const bytes = Buffer.from('rows');
    await store.write('k', { bytes, ageMs: () => 0, ttlSeconds: 60 }, lease?.holder ?? null);
    expect((await store.read('k')).stored?.bytes).toEqual(bytes);
    expect((await store.readLease('k')).holder).toBeNull();
  });
});

describe('an answer', () => {
  it('is not kept when the store took so long to date it that it would pass for much older', async () => {
    const { store } = openLossy();
    const ages = [0, 5_000];
    const answer = { bytes: Buffer.from('rows'), ageMs: () => ages.shift() ?? 5_000, ttlSeconds: 60 };
    await expect(store.write('k', answer, null)).rejects.toThrow('too slow');
    expect((await store.read('k')).stored).toBeNull();
  });
});
