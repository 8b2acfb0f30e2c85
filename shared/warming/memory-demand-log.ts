import type { Clock } from '../concurrency/clock.ts';
import { lazyLru } from '../lru/lazy-lru.ts';
import { type DemandLog, IDLE_MS, type ParameterSet, setKey } from './demand-log.ts';

/** A set takes some 300 bytes; those asked for longest ago are forgotten first. */
const MAX_SETS = 5000;

interface NotedSet extends ParameterSet {
  /** The token that it was first asked for with. */
  readonly owner: string;
  readonly askedAtMs: number;
  /** The smallest is the first of the line. */
  turn: number;
}

/** The demand log of this process alone, with at most `setsPerToken` sets of one token. */
export function memoryDemandLog(clock: Clock, setsPerToken: number): DemandLog {
  const sets = lazyLru<NotedSet>(MAX_SETS);
  let turns = 0;

  /** Makes room for one more set of a token; false where all of its sets are in use. */
  function makeRoom(owner: string, nowMs: number): boolean {
    // The cache lists what was asked for last first.
    const idle = [...sets.entries()].filter(([, set]) => set.owner === owner).slice(setsPerToken - 1);
    if (idle.some(([, { askedAtMs }]) => askedAtMs > nowMs - IDLE_MS)) return false;
    for (const [key] of idle) sets.delete(key);
    return true;
  }

  return {
    async record(set, owner) {
      const key = setKey(set);
      const askedAtMs = clock.monotonicMs();
      const known = sets.get(key);
      if (known !== undefined) sets.set(key, { ...known, askedAtMs });
      else if (makeRoom(owner, askedAtMs)) sets.set(key, { ...set, owner, askedAtMs, turn: ++turns });
    },
    async waiting(endpointId, windowSeconds, max) {
      const sinceMs = clock.monotonicMs() - windowSeconds * 1000;
      for (const [key, set] of [...sets.entries()]) if (set.askedAtMs <= sinceMs) sets.delete(key);
      const own = [...sets.values()].filter((set) => set.endpointId === endpointId);
      const line = own.sort((one, other) => one.turn - other.turn);
      const first = line.slice(0, max);
      return {
        sets: first.map(({ parameters, isRedacted }) => ({ endpointId, parameters, isRedacted })),
        total: line.length,
      };
    },
    async served(set) {
      // Looked at only: being warmed is not being asked for, by which the cache orders its sets.
      const known = sets.peek(setKey(set));
      if (known !== undefined) known.turn = ++turns;
    },
  };
}
