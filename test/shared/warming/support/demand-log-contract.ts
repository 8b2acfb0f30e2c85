import { Timestamp } from '@google-cloud/firestore';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { OpenDatabase } from '../../../../shared/firestore/firestore-connection.ts';
import { type DemandLog, IDLE_MS, type ParameterSet } from '../../../../shared/warming/demand-log.ts';
import {
  DEMAND_COLLECTION,
  type FirestoreDemandLog,
} from '../../../../shared/warming/firestore/firestore-demand-log.ts';
import type { WarmingLocks } from '../../../../shared/warming/warming-locks.ts';

const HOURLY: ParameterSet = {
  endpointId: 'usage',
  parameters: { project: 'demo', interval: 'hourly' },
  isRedacted: false,
};
const DAILY: ParameterSet = { ...HOURLY, parameters: { project: 'demo', interval: 'daily' } };

/** What is to be opened with so many sets for each token. */
export const SETS_PER_TOKEN = 3;

/** What is remembered, as one process has it: `record` writes whenever it is called. */
export interface ProcessSets extends Pick<DemandLog, 'waiting' | 'served'> {
  record(set: ParameterSet, owner: string): Promise<unknown>;
}

export interface OpenedSets {
  /** Processes that remember together; the same one twice where processes share nothing. */
  readonly processes: readonly [ProcessSets, ProcessSets];
  /** Makes all that was noted so much older. */
  age(seconds: number): Promise<void>;
}

/** The parts of the contract over a database. */
export function processOver({ write, ...sets }: FirestoreDemandLog): ProcessSets {
  return { ...sets, record: write };
}

/** Makes all sets in a database older. */
export async function ageSets({ database }: Pick<OpenDatabase, 'database'>, seconds: number): Promise<void> {
  const { docs } = await database.collection(DEMAND_COLLECTION).get();
  for (const document of docs) {
    const earlier = (field: string) => {
      const time: Timestamp = document.get(field);
      return new Timestamp(time.seconds - seconds, time.nanoseconds);
    };
    await document.ref.update({ askedAt: earlier('askedAt'), waitingSince: earlier('waitingSince') });
  }
}

/** What every way to remember promises. */
export function demandLogContract(name: string, open: () => Promise<OpenedSets>): void {
  describe(`asked sets in ${name}`, () => {
    let sets: ProcessSets;
    let other: ProcessSets;
    let age: OpenedSets['age'];
    beforeEach(async () => {
      ({
        processes: [sets, other],
        age,
      } = await open());
    });
    const numbered = (number: number) => ({ ...HOURLY, parameters: { project: String(number) } });
    const record = async (from: number, to: number, owner = 'token') => {
      for (let number = from; number <= to; number += 1) await sets.record(numbered(number), owner);
    };
    const line = async () =>
      (await sets.waiting('usage', 3600, 100)).sets.map(({ parameters }) => Number(parameters.project));

    test('are those of one endpoint, each once, whatever the order of its parameters', async () => {
      await sets.record(HOURLY, 'token');
      await sets.record({ ...HOURLY, parameters: { interval: 'hourly', project: 'demo' } }, 'another');
      await sets.record({ ...HOURLY, endpointId: 'other' }, 'token');
      expect(await sets.waiting('usage', 3600, 100)).toEqual({ sets: [HOURLY], total: 1 });
      expect(await sets.waiting('none', 3600, 100)).toEqual({ sets: [], total: 0 });
    });

    test('distinguish redacted and unredacted', async () => {
      await sets.record(HOURLY, 'token');
      await sets.record({ ...HOURLY, isRedacted: true }, 'token');
      const waiting = await sets.waiting('usage', 3600, 100);
      expect(waiting.sets.map(({ isRedacted }) => isRedacted).sort()).toEqual([false, true]);
    });

    test('keep names and values of any text', async () => {
      const odd = { ...HOURLY, parameters: { project: '.*/~[]`\u0000é', interval: '' } };
      await sets.record(odd, 'token');
      expect(await sets.waiting('usage', 3600, 100)).toEqual({ sets: [odd], total: 1 });
    });

    test('wait in the order in which they were noted, however often they are asked for', async () => {
      await sets.record(DAILY, 'token');
      await sets.record(HOURLY, 'token');
      await sets.record(DAILY, 'token');
      expect((await other.waiting('usage', 3600, 100)).sets).toEqual([DAILY, HOURLY]);
    });

    test('are put at the end of the line once they have had their turn, each before any has its second', async () => {
      await record(1, 3);
      const served: number[] = [];
      for (let turn = 0; turn < 6; turn += 1) {
        const { sets: first, total } = await other.waiting('usage', 3600, 1);
        expect([first.length, total]).toEqual([1, 3]);
        served.push(Number(first[0]?.parameters.project));
        for (const set of first) await sets.served(set);
      }
      expect(served).toEqual([1, 2, 3, 1, 2, 3]);
    });

    test('that were not asked for in the window are left out, and block no other sets', async () => {
      await record(1, 3);
      await age(3601);
      await record(4, 4, 'another');
      expect(await other.waiting('usage', 3600, 1)).toEqual({ sets: [numbered(4)], total: 1 });
      await sets.record(numbered(2), 'token');
      expect((await line()).sort()).toEqual([2, 4]);
    });

    test('are no more of one token than it may have, the new ones not being noted while all are in use', async () => {
      await record(1, 50);
      await record(101, 102, 'another');
      expect(await line()).toEqual([1, 2, 3, 101, 102]);
    });

    test('make room for new ones, those asked for longest ago first, when no caller has asked for them for a while', async () => {
      await record(1, 3);
      await age(IDLE_MS / 1000 - 30);
      await record(4, 4);
      expect(await line()).toEqual([1, 2, 3]);
      await record(1, 1);
      await age(31);
      await record(4, 5);
      expect(await line()).toEqual([1, 4, 5]);
      await record(6, 6);
      expect(await line()).toEqual([1, 4, 5]);
    });

    test('are not forgotten for being warmed', async () => {
      await record(1, 3);
      await age(IDLE_MS / 1000 + 1);
      await sets.served(numbered(1));
      await record(4, 4);
      expect((await line()).sort()).toEqual([2, 3, 4]);
    });

    test('are no more of one token than it may have when processes note them at the same time', async () => {
      const noting = Array.from({ length: 8 }, (_, number) =>
        [sets, other][number % 2]?.record(numbered(number), 'token').catch(() => false),
      );
      await Promise.all(noting);
      const noted = await line();
      expect(noted.length).toBeGreaterThan(0);
      expect(noted.length).toBeLessThanOrEqual(SETS_PER_TOKEN);
    });

    test('that are none are served without complaint', async () => {
      await sets.served(HOURLY);
      expect(await sets.waiting('usage', 3600, 100)).toEqual({ sets: [], total: 0 });
    });
  });
}

/** What every way to lock promises. */
export function locksContract(name: string, open: () => Promise<WarmingLocks>): void {
  describe(`locks in ${name}`, () => {
    test('are held by one instance, until it frees them', async () => {
      const locks = await open();
      const taken = await Promise.all([1, 2, 3].map(() => locks.acquire('usage', 60_000)));
      const [release, ...more] = taken.filter((one) => one !== null);
      expect(more).toEqual([]);
      expect(await locks.acquire('usage', 60_000)).toBeNull();
      await release?.();
      expect(await locks.acquire('usage', 60_000)).not.toBeNull();
    });

    test('are one for each endpoint', async () => {
      const locks = await open();
      expect(await locks.acquire('one', 60_000)).not.toBeNull();
      expect(await locks.acquire('other', 60_000)).not.toBeNull();
    });
  });
}
