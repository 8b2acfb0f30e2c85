import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AskedSet, AskedSets } from '../../../../shared/warming/asked-set.ts';
import type { WarmingLocks } from '../../../../shared/warming/warming-locks.ts';

const HOURLY: AskedSet = {
  endpointId: 'usage',
  parameters: { project: 'demo', interval: 'hourly' },
  isRedacted: false,
};
const DAILY: AskedSet = { ...HOURLY, parameters: { project: 'demo', interval: 'daily' } };

/** What is remembered, and the hand on the clock that tells when. */
export interface OpenedSets {
  readonly sets: AskedSets;
  /** Resolves when so many of the times that sets were recorded can be read; what is added up in a minute is not yet. */
  settle(times: number): Promise<void>;
  /** Lets that much time pass for the process; not for what other machines measure. */
  advance(seconds: number): void;
}

/** What every way to remember promises. */
export function askedSetsContract(name: string, open: () => Promise<OpenedSets>): void {
  describe(`asked sets in ${name}`, () => {
    let opened: OpenedSets;
    beforeEach(async () => {
      opened = await open();
    });
    const recent = (endpoint = 'usage', max = 100) => opened.sets.recent(endpoint, 3600, max);

    test('are those of one endpoint, each once, whatever the order of its parameters', async () => {
      opened.sets.record(HOURLY);
      opened.sets.record({ ...HOURLY, parameters: { interval: 'hourly', project: 'demo' } });
      opened.sets.record({ ...HOURLY, endpointId: 'other' });
      await opened.settle(2);
      expect(await recent()).toEqual([expect.objectContaining(HOURLY)]);
      expect(await recent('none')).toEqual([]);
    });

    test('tell redacted and unredacted apart', async () => {
      opened.sets.record(HOURLY);
      opened.sets.record({ ...HOURLY, isRedacted: true });
      await opened.settle(2);
      expect((await recent()).map(({ isRedacted }) => isRedacted).sort()).toEqual([false, true]);
    });

    test('come in the order of demand, and no more than are wanted', async () => {
      opened.sets.record(DAILY);
      for (let times = 0; times < 3; times += 1) {
        opened.sets.record(HOURLY);
        opened.advance(61);
      }
      await opened.settle(4);
      expect((await recent()).map(({ parameters }) => parameters.interval)).toEqual(['hourly', 'daily']);
      expect(await recent('usage', 1)).toHaveLength(1);
    });

    test('keep names and values of any text', async () => {
      const odd = { ...HOURLY, parameters: { project: '.*/~[]`\u0000é', interval: '' } };
      opened.sets.record(odd);
      await opened.settle(1);
      expect(await recent()).toEqual([expect.objectContaining(odd)]);
    });
  });
}

/** What every way to lock promises. */
export function locksContract(name: string, open: () => Promise<WarmingLocks>): void {
  describe(`locks in ${name}`, () => {
    test('are had by one, until it frees them', async () => {
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
