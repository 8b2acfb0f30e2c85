import { type Clock, momentOf } from '../concurrency/clock.ts';
import { type CachedAnswer, contentHashOf } from './answer.ts';
import { isFresh, makeEntry } from './cache-entry.ts';
import { makeMemoryLevel } from './memory-level.ts';
import type { DatedAnswer, SharedParts } from './shared-level.ts';

/** The longest that a part is kept after it was written last: what Firestore's documents allow. */
const MAX_TTL_SECONDS = 7 * 24 * 60 * 60;

/** What all instances have of a part of answers. */
export interface SharedPart {
  /** Null where there is none. */
  readonly part: CachedAnswer | null;
  /** What the clock of the shared store showed, in milliseconds since the epoch; null where there is no shared store. */
  readonly storeTimeMs: number | null;
}

/** Keeps what answers are made of, in this process and, where there is a shared store, for all instances. */
export interface PartStore {
  /** What this process keeps. */
  here(key: string): CachedAnswer | null;
  /** What all instances keep; null where the shared store fails. Never throws. */
  look(key: string): Promise<SharedPart | null>;
  /** Keeps a part in place of the one before. Never throws. */
  keep(key: string, part: CachedAnswer, ttlSeconds: number): Promise<void>;
}

export interface PartStoreDeps {
  /** Most bytes of the heap that parts take. */
  readonly maxBytes: number;
  readonly shared: SharedParts | null;
  readonly clock: Clock;
}

/** Makes the store of parts: what the process keeps before what all instances share. */
export function makePartStore({ maxBytes, shared, clock }: PartStoreDeps): PartStore {
  const memory = makeMemoryLevel(maxBytes);
  const hold = (key: string, dated: DatedAnswer) =>
    memory.set(key, makeEntry({ ...dated, checkedAtMs: clock.monotonicMs(), onGrowth: () => {} }));
  return {
    here(key) {
      const entry = memory.get(key);
      return entry !== undefined && isFresh(entry, entry.ttlSeconds, clock) ? entry.answer : null;
    },
    async look(key) {
      if (shared === null) return { part: null, storeTimeMs: null };
      const found = await shared.look(key);
      if (found === null) return null;
      const { dated, storeTimeMs } = found;
      if (dated !== null) hold(key, dated);
      return { part: dated?.answer ?? null, storeTimeMs };
    },
    async keep(key, part, wantedSeconds) {
      const ttlSeconds = Math.min(wantedSeconds, MAX_TTL_SECONDS);
      const dated = {
        answer: part,
        contentHash: contentHashOf(part),
        computedAt: momentOf(clock),
        ttlSeconds,
      };
      hold(key, dated);
      await shared?.keep(key, dated);
    },
  };
}
