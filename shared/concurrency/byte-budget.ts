import { ServiceError } from '../errors/service-error.ts';

/** Holds the answers that are under way at the same time to a number of bytes. */
export interface ByteBudget {
  /** Begins an answer, which holds nothing yet. */
  begin(ending: BudgetEnding): Reservation;
  /** What all of them hold together. */
  readonly heldBytes: number;
}

/** How long an answer waits for room. */
export interface BudgetEnding {
  /** In milliseconds from its beginning. */
  readonly deadlineMs: number;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** What one answer holds. */
export interface Reservation {
  /**
   * Resolves when the answer may take `bytes` in all; never less than before. Throws a ServiceError: unavailable when there
   * is no room until the deadline, resource_exhausted when no answer may have so much.
   */
  grow(bytes: number): Promise<void>;
  /** Sets what the answer takes now that it grows no more. It may be more than there was room for. */
  settle(bytes: number): void;
  /** Gives all back. */
  release(): void;
  readonly heldBytes: number;
}

export interface ByteBudgetOptions {
  /** Most bytes of all answers together. */
  readonly capacityBytes: number;
  /** Most bytes of one answer; three fifths of the capacity when nothing is said. */
  readonly mostBytes?: number;
  /** An answer below this is not counted: there may be as many as there are connections. */
  readonly freeBytes?: number;
  /** Milliseconds since some moment; never runs backwards. */
  nowMs(): number;
}

const FREE_BYTES = 128 * 1024;
const MOST_PART = 0.6;

interface Holder {
  heldBytes: number;
  isGrowing: boolean;
}

interface Waiter {
  readonly holder: Holder;
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * Makes a budget in which no two answers wait for each other: room is given only where the largest answer that grows
 * could still become as large as any may (the banker's algorithm, Dijkstra 1965, for claims that are all the same). What
 * has grown already goes first, the largest first; what has nothing yet comes in the order in which it asked.
 */
export function makeByteBudget(options: ByteBudgetOptions): ByteBudget {
  const {
    capacityBytes,
    mostBytes = Math.floor(capacityBytes * MOST_PART),
    freeBytes = FREE_BYTES,
    nowMs,
  } = options;
  const holders = new Set<Holder>();
  const waiting = new Set<Waiter>();
  let heldBytes = 0;

  const fits = ({ holder, bytes }: Pick<Waiter, 'holder' | 'bytes'>): boolean => {
    if (heldBytes - holder.heldBytes + bytes > capacityBytes) return false;
    let growing = bytes;
    let largest = bytes;
    for (const other of holders) {
      if (other === holder || !other.isGrowing) continue;
      growing += other.heldBytes;
      largest = Math.max(largest, other.heldBytes);
    }
    return growing - largest <= capacityBytes - mostBytes;
  };

  const hold = (holder: Holder, bytes: number) => {
    heldBytes += bytes - holder.heldBytes;
    holder.heldBytes = bytes;
    if (bytes > 0) holders.add(holder);
    else holders.delete(holder);
  };

  const admitWaiting = () => {
    const begun = [...waiting].filter(({ holder }) => holder.heldBytes > 0);
    const fresh = [...waiting].filter(({ holder }) => holder.heldBytes === 0);
    for (const waiter of begun.sort((a, b) => b.holder.heldBytes - a.holder.heldBytes)) {
      if (fits(waiter)) waiter.admit();
    }
    for (const waiter of fresh) {
      if (!fits(waiter)) return;
      waiter.admit();
    }
  };

  const wait = (holder: Holder, bytes: number, leftMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        waiting.delete(waiter);
      };
      const fail = (reason: unknown) => {
        end();
        reject(reason);
        admitWaiting();
      };
      const onAbort = () => fail(signal.reason);
      const timer = setTimeout(() => fail(noRoom()), leftMs);
      const waiter: Waiter = {
        holder,
        bytes,
        admit: () => {
          end();
          hold(holder, bytes);
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiting.add(waiter);
    });

  return {
    get heldBytes() {
      return heldBytes;
    },
    begin({ deadlineMs, signal }) {
      const dueAtMs = nowMs() + deadlineMs;
      const holder: Holder = { heldBytes: 0, isGrowing: true };
      let isReleased = false;
      const isOvertaking = () => holder.heldBytes === 0 && waiting.size > 0;
      return {
        get heldBytes() {
          return holder.heldBytes;
        },
        async grow(bytes) {
          if (bytes <= freeBytes || bytes <= holder.heldBytes) return;
          if (bytes > mostBytes) throw tooLong();
          signal.throwIfAborted();
          if (!isOvertaking() && fits({ holder, bytes })) hold(holder, bytes);
          else await wait(holder, bytes, Math.max(0, dueAtMs - nowMs()), signal);
          // It was given up while it waited.
          if (isReleased) {
            hold(holder, 0);
            admitWaiting();
          }
        },
        settle(bytes) {
          if (isReleased) return;
          holder.isGrowing = false;
          hold(holder, bytes <= freeBytes ? 0 : bytes);
          admitWaiting();
        },
        release() {
          isReleased = true;
          holder.isGrowing = false;
          hold(holder, 0);
          admitWaiting();
        },
      };
    },
  };
}

function noRoom(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The service has as many long answers under way as its memory holds; try again in a moment, or select fewer columns or rows.',
  );
}

function tooLong(): ServiceError {
  return new ServiceError(
    'resource_exhausted',
    'The answer takes more memory than one answer may have; select fewer columns or rows.',
  );
}
