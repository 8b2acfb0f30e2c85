import { memoryAskedSets } from '../../../shared/warming/memory-asked-sets.ts';
import { memoryLocks } from '../../../shared/warming/warming-locks.ts';
import { askedSetsContract, locksContract, SETS_PER_TOKEN } from './support/asked-sets-contract.ts';

askedSetsContract('the process', async () => {
  const time = { ms: 1_000_000 };
  const clock = { monotonicMs: () => time.ms, wallMs: () => time.ms, sleep: async () => {} };
  const sets = memoryAskedSets(clock, SETS_PER_TOKEN);
  return {
    processes: [sets, sets],
    age: async (seconds) => {
      time.ms += seconds * 1000;
    },
  };
});

locksContract('the process', async () => memoryLocks());
