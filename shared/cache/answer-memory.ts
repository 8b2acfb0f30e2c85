import type { ByteBudget, Reservation } from '../concurrency/byte-budget.ts';
import { type AnswerHold, NO_HOLD, type SharedHold, shareHold } from './answer-hold.ts';
import type { CacheEntry } from './cache-entry.ts';

/** How long an answer may wait for memory. */
export interface MemoryWait {
  /** In milliseconds from now. */
  readonly deadlineMs?: number;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** The memory of answers that are being computed, read or sent. */
export interface AnswerMemory {
  /**
   * Begins an answer that is computed; null where memory is not counted. The wait for memory ends a little before the caller's
   * deadline, so that the error says that there was no room.
   */
  begin(waiting: MemoryWait): Reservation | null;
  /** Shares what an answer holds among all who get it in this turn of the event loop, and who join them later. */
  share(entry: CacheEntry, reservation: Reservation): void;
  /** What one more caller of an answer holds; nothing where no other caller shares it. */
  take(entry: CacheEntry): AnswerHold;
  /** What sending a cached answer holds: it may be dropped from the cache meanwhile. Throws what `Reservation.grow` throws. */
  holdCached(entry: CacheEntry, waiting: MemoryWait): Promise<AnswerHold>;
}

/** How long an answer waits for memory when its caller sets no time, in milliseconds. */
const WAIT_MS = 30_000;
const WAIT_PART = 0.98;

/** A cached answer below this is sent without being counted. */
const COUNTED_BYTES = 128 * 1024;

/** Counts the memory of answers within a budget; without one, nothing is counted. */
export function makeAnswerMemory(budget: ByteBudget | undefined): AnswerMemory {
  const holds = new WeakMap<CacheEntry, SharedHold>();
  const askingForRoom = new WeakMap<CacheEntry, Promise<void>>();

  const begin = ({ deadlineMs = WAIT_MS, signal }: MemoryWait): Reservation | null =>
    budget?.begin({ deadlineMs: deadlineMs * WAIT_PART, signal }) ?? null;

  const share = (entry: CacheEntry, reservation: Reservation): void => {
    const hold = shareHold(reservation);
    holds.set(entry, hold);
    const firstHold = hold.take();
    setImmediate(() => firstHold?.release());
  };

  const take = (entry: CacheEntry) => holds.get(entry)?.take() ?? NO_HOLD;

  const askForRoom = async (entry: CacheEntry, reservation: Reservation): Promise<AnswerHold> => {
    const growing = reservation.grow(entry.sizeBytes()).finally(() => askingForRoom.delete(entry));
    const sharing = growing.then(() => share(entry, reservation));
    askingForRoom.set(entry, sharing);
    await sharing;
    reservation.settle(entry.sizeBytes());
    return take(entry);
  };

  return {
    begin,
    share,
    take,
    async holdCached(entry, waiting) {
      if (budget === undefined || entry.sizeBytes() <= COUNTED_BYTES) return NO_HOLD;
      for (;;) {
        const taken = holds.get(entry)?.take() ?? null;
        if (taken !== null) return taken;
        // Who has asked for the same answer waits for room already; when it goes away without any, the next one asks.
        const asking = askingForRoom.get(entry);
        if (asking === undefined) {
          const reservation = begin(waiting);
          return reservation === null ? NO_HOLD : askForRoom(entry, reservation);
        }
        await asking.catch(() => {});
        waiting.signal.throwIfAborted();
      }
    },
  };
}
