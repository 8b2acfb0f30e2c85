import { memoryDemandLog } from '../../../shared/warming/memory-demand-log.ts';
import { memoryLocks } from '../../../shared/warming/warming-locks.ts';
import { demandLogContract, locksContract, SETS_PER_TOKEN } from './support/demand-log-contract.ts';

demandLogContract('the process', async () => {
  const time = { ms: 1_000_000 };
  const clock = { monotonicMs: () => time.ms, wallMs: () => time.ms, sleep: async () => {} };
  const sets = memoryDemandLog(clock, SETS_PER_TOKEN);
  return {
    processes: [sets, sets],
    age: async (seconds) => {
      time.ms += seconds * 1000;
    },
  };
});

locksContract('the process', async () => memoryLocks());
