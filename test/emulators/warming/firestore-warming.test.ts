import { randomUUID } from 'node:crypto';
import { FieldValue, Firestore, Timestamp } from '@google-cloud/firestore';
import { afterAll, expect, test } from '@jest/globals';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import { IDLE_MS } from '../../../shared/warming/demand-log.ts';
import {
  DEMAND_COLLECTION,
  firestoreDemandLog,
} from '../../../shared/warming/firestore/firestore-demand-log.ts';
import { firestoreLocks } from '../../../shared/warming/firestore/firestore-locks.ts';
import {
  ageSets,
  demandLogContract,
  locksContract,
  processOver,
  SETS_PER_TOKEN,
} from '../../shared/warming/support/demand-log-contract.ts';

const databases: Firestore[] = [];
afterAll(() => Promise.all(databases.map((one) => one.terminate())));

/** A separate database. */
function openDatabase(): Firestore {
  const firestore = new Firestore({ projectId: `p-${randomUUID()}` });
  databases.push(firestore);
  return firestore;
}

const opened = (database: Firestore) => ({ database, timestamps: Timestamp, fieldValues: FieldValue });

function openSets(firestore = openDatabase()) {
  const open = async () => opened(firestore);
  return firestoreDemandLog({ open, clock: systemClock, warn: () => {}, setsPerToken: SETS_PER_TOKEN });
}

demandLogContract('Firestore', async () => {
  const firestore = openDatabase();
  return {
    processes: [processOver(openSets(firestore)), processOver(openSets(firestore))],
    age: (seconds) => ageSets(opened(firestore), seconds),
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

const SET = { endpointId: 'usage', parameters: { project: 'demo' }, isRedacted: false };

test('a malformed document is no set, and the others are still read', async () => {
  const firestore = openDatabase();
  const sets = openSets(firestore);
  await firestore.collection(DEMAND_COLLECTION).add({
    endpoint: 'usage',
    parameters: 'none',
    askedAt: FieldValue.serverTimestamp(),
    waitingSince: FieldValue.serverTimestamp(),
  });
  await sets.write(SET, 'token');
  expect(await sets.waiting('usage', 3600, 10)).toEqual({ sets: [SET], total: 1 });
});

test('a number of sets for each token that was lowered is kept to as they fall idle', async () => {
  const firestore = openDatabase();
  const numbered = (number: number) => ({ ...SET, parameters: { project: String(number) } });
  const many = firestoreDemandLog({
    open: async () => opened(firestore),
    clock: systemClock,
    warn: () => {},
    setsPerToken: 20,
  });
  for (let number = 0; number < 20; number += 1) await many.write(numbered(number), 'token');
  const few = openSets(firestore);
  expect(await few.write(numbered(100), 'token')).toBe(false);
  await ageSets(opened(firestore), IDLE_MS / 1000 + 1);
  for (let number = 100; number < 103; number += 1) await few.write(numbered(number), 'token');
  expect((await few.waiting('usage', 3600, 1)).total).toBe(SETS_PER_TOKEN);
});

test('without Firestore sets cannot be read, and what was served stays where it is', async () => {
  const warnings: string[] = [];
  const sets = firestoreDemandLog({
    open: () => Promise.reject(new Error('no connection')),
    clock: systemClock,
    warn: (message) => void warnings.push(message),
    setsPerToken: SETS_PER_TOKEN,
  });
  await expect(sets.write(SET, 'token')).rejects.toThrow('no connection');
  await expect(sets.waiting('usage', 3600, 10)).rejects.toMatchObject({ kind: 'unavailable' });
  await sets.served(SET);
  expect(warnings).toEqual(['A set could not be put at the end of the line; it is warmed early again']);
});
