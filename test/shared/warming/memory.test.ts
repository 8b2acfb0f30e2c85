import { expect, test } from '@jest/globals';
import { memoryAskedSets } from '../../../shared/warming/memory-asked-sets.ts';
import { memoryLocks } from '../../../shared/warming/warming-locks.ts';
import { askedSetsContract, locksContract } from './support/asked-sets-contract.ts';

function makeClock() {
  const time = { ms: 1_000_000 };
  return {
    time,
    clock: { monotonicMs: () => time.ms, wallMs: () => time.ms, sleep: async () => {} },
  };
}

askedSetsContract('the process', async () => {
  const { time, clock } = makeClock();
  return {
    sets: memoryAskedSets(clock),
    settle: async () => {},
    advance: (seconds) => {
      time.ms += seconds * 1000;
    },
  };
});

locksContract('the process', async () => memoryLocks());

test('a set that nobody asks for any more is forgotten', async () => {
  const { time, clock } = makeClock();
  const sets = memoryAskedSets(clock);
  sets.record({ endpointId: 'usage', parameters: {}, isRedacted: false });
  time.ms += 3_599_000;
  expect(await sets.recent('usage', 3600, 10)).toHaveLength(1);
  time.ms += 1000;
  expect(await sets.recent('usage', 3600, 10)).toEqual([]);
});
