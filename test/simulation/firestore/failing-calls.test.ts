import { expect, it } from '@jest/globals';
import { firestoreCacheStore } from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import type { OpenDatabase } from '../../../shared/firestore/firestore-connection.ts';
import { openSimulated } from './client.ts';
import { directNetwork } from './network.ts';
import { SimulatedServer } from './server.ts';

const START_MS = Date.UTC(2026, 0, 2);

/** A database whose clock the test moves. */
function openAt(time: { ms: number }): OpenDatabase {
  const server = new SimulatedServer({
    concurrency: 'pessimistic',
    nowMicros: () => time.ms * 1000,
    later: () => {},
  });
  return openSimulated(server, directNetwork);
}

it('lets a lease last as long as a round of warming may', async () => {
  const time = { ms: START_MS };
  const store = firestoreCacheStore(async () => openedOnce, { clock: systemClock, random: systemRandom });
  const openedOnce = openAt(time);
  await store.acquire('warming', 30 * 60_000);
  time.ms += 30 * 60_000 - 1;
  expect((await store.readLease('warming')).holder).not.toBeNull();
  time.ms += 1;
  expect((await store.readLease('warming')).holder).toBeNull();
});
