import { randomUUID } from 'node:crypto';
import { FieldValue, Firestore, Timestamp } from '@google-cloud/firestore';
import { afterAll, expect, test } from '@jest/globals';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import {
  ASKED_COLLECTION,
  firestoreAskedSets,
} from '../../../shared/warming/firestore/firestore-asked-sets.ts';
import { firestoreLocks } from '../../../shared/warming/firestore/firestore-locks.ts';
import { askedSetsContract, locksContract } from '../../shared/warming/support/asked-sets-contract.ts';

const databases: Firestore[] = [];
afterAll(() => Promise.all(databases.map((one) => one.terminate())));

/** A database of its own. */
function openDatabase(): Firestore {
  const firestore = new Firestore({ projectId: `p-${randomUUID()}` });
  databases.push(firestore);
  return firestore;
}

const opened = (database: Firestore) => ({ database, timestamps: Timestamp, fieldValues: FieldValue });

function openSets() {
  const firestore = openDatabase();
  const time = { ms: Date.now() };
  const warnings: string[] = [];
  const clock = { monotonicMs: () => time.ms, wallMs: () => time.ms, sleep: systemClock.sleep };
  const warn = (message: string) => void warnings.push(message);
  const sets = firestoreAskedSets({ open: async () => opened(firestore), clock, warn });
  return { firestore, time, warnings, sets };
}

/** Resolves when sets were asked for so often, as the documents tell; more than that fails the test. */
async function settled(firestore: Firestore, times: number): Promise<void> {
  for (;;) {
    const snapshot = await firestore.collection(ASKED_COLLECTION).get();
    const total = snapshot.docs.reduce((sum, one) => sum + (one.get('count') as number), 0);
    expect(total).toBeLessThanOrEqual(times);
    if (total === times) return;
  }
}

askedSetsContract('Firestore', async () => {
  const { firestore, time, sets } = openSets();
  return {
    sets,
    settle: (times) => settled(firestore, times),
    advance: (seconds) => {
      time.ms += seconds * 1000;
    },
  };
});

locksContract('Firestore', async () => {
  const firestore = openDatabase();
  return firestoreLocks({
    open: async () => opened(firestore),
    clock: systemClock,
    random: systemRandom,
    warn: () => {},
  });
});

test('a process writes a set at most once a minute, and adds up what was asked in between', async () => {
  const { firestore, time, sets } = openSets();
  const set = { endpointId: 'usage', parameters: { project: 'demo' }, isRedacted: false };
  for (let times = 0; times < 5; times += 1) sets.record(set);
  await settled(firestore, 1);
  time.ms += 60_000;
  sets.record(set);
  await expect(sets.recent('usage', 3600, 10)).resolves.toHaveLength(1);
  await settled(firestore, 6);
  const [asked] = await sets.recent('usage', 3600, 10);
  expect(asked?.count).toBe(6);
});

test('a malformed document is nobody’s set, and the others are still read', async () => {
  const { firestore, sets } = openSets();
  await firestore.collection(ASKED_COLLECTION).add({ endpoint: 'usage', parameters: 'none', count: 1 });
  sets.record({ endpointId: 'usage', parameters: {}, isRedacted: false });
  await settled(firestore, 2);
  expect(await sets.recent('usage', 3600, 10)).toHaveLength(1);
});

test('without Firestore recording says nothing to the caller, and reading says that it cannot', async () => {
  const warnings: string[] = [];
  const sets = firestoreAskedSets({
    open: () => Promise.reject(new Error('no connection')),
    clock: { monotonicMs: () => 0, wallMs: () => 0, sleep: systemClock.sleep },
    warn: (message) => void warnings.push(message),
  });
  sets.record({ endpointId: 'usage', parameters: {}, isRedacted: false });
  await expect(sets.recent('usage', 3600, 10)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(warnings).toHaveLength(1);
});
