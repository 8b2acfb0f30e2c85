import { expect, it } from '@jest/globals';
import { firestoreCacheStore } from '../../../shared/cache/firestore/firestore-cache-store.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import type { OpenDatabase } from '../../../shared/firestore/firestore-connection.ts';
import { firestoreAskedSets } from '../../../shared/warming/firestore/firestore-asked-sets.ts';
import { openSimulated } from './client.ts';
import { directNetwork } from './network.ts';
import { SimulatedServer } from './server.ts';

const SET = { endpointId: 'usage', parameters: { project: 'demo' }, isRedacted: false };
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

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('records a set that could not be recorded when somebody asks for it ten seconds later, with all who asked', async () => {
  const opened = openAt({ ms: START_MS });
  const state = { isDown: true, ms: 0 };
  const warnings: string[] = [];
  const sets = firestoreAskedSets({
    open: async () => {
      if (state.isDown) throw new Error('no connection');
      return opened;
    },
    clock: { ...systemClock, monotonicMs: () => state.ms },
    warn: (message) => void warnings.push(message),
  });
  sets.record(SET);
  sets.record(SET);
  await settled();
  state.isDown = false;
  state.ms = 10_000;
  sets.record(SET);
  await settled();
  expect(warnings).toHaveLength(1);
  expect(await sets.recent('usage', 60, 10)).toMatchObject([{ ...SET, count: 3 }]);
});

it('lets a lease last as long as a round of warming may', async () => {
  const time = { ms: START_MS };
  const store = firestoreCacheStore(async () => openedOnce, { clock: systemClock, random: systemRandom });
  const openedOnce = openAt(time);
  await store.acquire('warming', 30 * 60_000);
  time.ms += 30 * 60_000 - 1;
  expect((await store.readLease('warming')).isHeld).toBe(true);
  time.ms += 1;
  expect((await store.readLease('warming')).isHeld).toBe(false);
});
