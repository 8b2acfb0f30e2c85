import { growingLru } from '../cache/growing-lru.ts';
import type { Clock } from '../concurrency/clock.ts';
import { type AskedSets, byDemand, type CountedSet, setKey } from './asked-set.ts';

/** A set takes some 300 bytes; those asked for longest ago are forgotten first. */
const MAX_SETS = 5000;

/** Remembers the sets that this process was asked for. */
export function memoryAskedSets(clock: Clock): AskedSets {
  const sets = growingLru<CountedSet>(MAX_SETS);
  return {
    record(set) {
      const key = setKey(set);
      const count = (sets.get(key)?.count ?? 0) + 1;
      sets.set(key, { ...set, count, lastAskedAtMs: clock.monotonicMs() });
    },
    async recent(endpointId, windowSeconds, max) {
      const sinceMs = clock.monotonicMs() - windowSeconds * 1000;
      for (const [key, set] of [...sets.entries()]) if (set.lastAskedAtMs <= sinceMs) sets.delete(key);
      const own = [...sets.values()].filter((set) => set.endpointId === endpointId);
      return own.sort(byDemand).slice(0, max);
    },
  };
}
