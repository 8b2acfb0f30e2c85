import type { ByteBudget } from '../concurrency/byte-budget.ts';
import { type Clock, elapsedMs, momentOf } from '../concurrency/clock.ts';
import { makeSingleFlight } from '../concurrency/single-flight.ts';
import type { CachedAnswer } from './answer.ts';
import { type AnswerHold, NO_HOLD } from './answer-hold.ts';
import { makeAnswerMemory } from './answer-memory.ts';
import { type CacheEntry, isFresh, makeEntry } from './cache-entry.ts';
import { makeMemoryLevel } from './memory-level.ts';
import type { DatedAnswer, SharedLevel } from './shared-level.ts';

/** Where an answer is from: kept, computed for want of a kept one, computed because asked to, or never kept. */
export type CacheState = 'HIT' | 'MISS' | 'REFRESH' | 'BYPASS';

/** An answer, cached or just computed, as one request receives it. */
export interface CacheReply {
  readonly entry: CacheEntry;
  readonly state: CacheState;
  /** Milliseconds since computing the answer began. */
  readonly ageMs: number;
  /** The same in whole seconds, which is the value of an Age header (RFC 9111, section 5.1). */
  readonly ageSeconds: number;
  /** To be released when the answer is sent. */
  readonly hold: AnswerHold;
}

/** How an answer may be obtained. */
export interface AnswerRequest {
  /**
   * No answer older than this is given, but for one that was still being computed when it was asked for; 0 for one that
   * is never kept.
   */
  readonly ttlSeconds: number;
  /** Computes anew whatever is kept, and keeps what comes of it. */
  readonly refresh: boolean;
  /**
   * How long an answer of this process is good without a look whether another instance has a newer one; null
   * for as long as it may be served at all.
   */
  readonly recheckSeconds: number | null;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** What bounds the computation, as text: those who are bound differently share the answer, but no computation, as it may fail by its bounds. */
  readonly bounds?: string;
  /** How long the answer may wait for memory, in milliseconds; not needed where memory is not counted. */
  readonly deadlineMs?: number;
  /**
   * Runs the query. Its signal is aborted when every caller that shares the computation has gone; it must keep
   * its own deadline. `grow` is of `Reservation.grow`, to be awaited before rows take more memory.
   */
  compute(signal: AbortSignal, grow: Grow): Promise<CachedAnswer>;
}

/** Waits until an answer may take so many bytes in all. */
export type Grow = (bytes: number) => Promise<void>;

/** The answers of endpoints by key: in this process, and in the store that all instances share where there is one. */
export interface ResultCache {
  /** The answer that this process keeps, found without waiting and not counted; null where `answer` has to be asked. */
  lookup(key: string, ttlSeconds: number, recheckSeconds: number | null): CacheReply | null;
  /**
   * The answer under a key: kept, or computed once for all who ask for it at the same time. Throws what
   * `compute` throws, which is never kept, or the signal's reason.
   */
  answer(key: string, request: AnswerRequest): Promise<CacheReply>;
  /** The kept answer, here or shared, without ever computing one, and without being counted. */
  get(key: string, ttlSeconds: number): Promise<CacheReply | null>;
  readonly counters: Readonly<CacheCounters>;
  /** Resolves when nothing is being written any more. */
  settle(): Promise<void>;
}

/** How many answers were given, by where they were from. */
export interface CacheCounters {
  hits: number;
  misses: number;
  refreshes: number;
  bypasses: number;
}

export interface ResultCacheDeps {
  /** Most bytes of the heap that kept answers take, with the bodies made of them. */
  readonly maxBytes: number;
  /** What other instances share; null where there are none. */
  readonly shared: SharedLevel | null;
  readonly clock: Clock;
  /** What answers under way may take; without it their memory is not counted. */
  readonly budget?: ByteBudget;
}

const COUNTED = { HIT: 'hits', MISS: 'misses', REFRESH: 'refreshes', BYPASS: 'bypasses' } as const;

/** Makes the cache of results: what the process keeps before what all instances share before computing. */
export function makeResultCache({ maxBytes, shared, clock, budget }: ResultCacheDeps): ResultCache {
  const memory = makeMemoryLevel(maxBytes);
  const flights = makeSingleFlight<CacheEntry>();
  const counters: CacheCounters = { hits: 0, misses: 0, refreshes: 0, bypasses: 0 };

  const held = makeAnswerMemory(budget);

  const replyOf = (entry: CacheEntry, state: CacheState, hold: AnswerHold = NO_HOLD): CacheReply => {
    const ageMs = elapsedMs(entry.computedAt, clock);
    return { entry, state, ageMs, ageSeconds: Math.floor(ageMs / 1000), hold };
  };

  const reply = (entry: CacheEntry, state: CacheState, hold?: AnswerHold): CacheReply => {
    counters[COUNTED[state]] += 1;
    return replyOf(entry, state, hold);
  };

  const freshEntry = (key: string, ttlSeconds: number): CacheEntry | undefined => {
    const entry = memory.get(key);
    return entry !== undefined && isFresh(entry, ttlSeconds, clock) ? entry : undefined;
  };

  /** By age: a process whose monotonic clock stood still cannot compare with moments from before. */
  const isYounger = (one: Pick<DatedAnswer, 'computedAt'>, other: Pick<DatedAnswer, 'computedAt'>): boolean =>
    elapsedMs(one.computedAt, clock) < elapsedMs(other.computedAt, clock);

  const toEntry = (key: string, dated: DatedAnswer, completedAtMs: number | null = null): CacheEntry =>
    makeEntry({
      ...dated,
      completedAtMs,
      checkedAtMs: clock.monotonicMs(),
      onGrowth: (entry) => memory.remeasure(key, entry),
    });

  const keep = (key: string, dated: DatedAnswer, completedAtMs: number | null = null): CacheEntry => {
    const entry = toEntry(key, dated, completedAtMs);
    const current = memory.get(key);
    const isOvertaken = current !== undefined && isYounger(current, dated);
    if (!isOvertaken && isFresh(entry, dated.ttlSeconds, clock)) memory.set(key, entry);
    return entry;
  };

  const isDue = (entry: CacheEntry, recheckSeconds: number | null): boolean =>
    shared !== null &&
    recheckSeconds !== null &&
    clock.monotonicMs() - entry.checkedAtMs >= recheckSeconds * 1000;

  /** The kept entry or, where another instance has one that was computed later, that. */
  const recheck = async (key: string, level: SharedLevel, cached: CacheEntry): Promise<CacheEntry> => {
    cached.checkedAtMs = clock.monotonicMs();
    const other = await level.read(key);
    return other !== null && isYounger(other, cached) ? keep(key, other) : cached;
  };

  const load = async (
    key: string,
    request: AnswerRequest,
    signal: AbortSignal,
    grow: Grow,
  ): Promise<CacheEntry> => {
    const { ttlSeconds, refresh } = request;
    let completedAtMs: number | null = null;
    const compute = async (end: AbortSignal): Promise<CachedAnswer> => {
      const answer = await request.compute(end, grow);
      completedAtMs = clock.monotonicMs();
      return answer;
    };
    if (shared !== null && ttlSeconds > 0) {
      const cached = refresh ? undefined : freshEntry(key, ttlSeconds);
      if (cached !== undefined) return recheck(key, shared, cached);
      const obtained = await shared.obtain(key, { ttlSeconds, refresh, signal, compute });
      return keep(key, obtained, completedAtMs);
    }
    const computedAt = momentOf(clock);
    const dated = { answer: await compute(signal), computedAt, ttlSeconds };
    return (ttlSeconds > 0 ? keep : toEntry)(key, dated, completedAtMs);
  };

  /** Whether this process has computed an answer for those who asked at that moment. */
  const isComputed = ({ completedAtMs }: CacheEntry, askedAtMs: number): boolean =>
    completedAtMs !== null && completedAtMs >= askedAtMs;

  /** The same, counted: the memory is given back when the last of those who wait for it has sent it. */
  const loadHeld = async (key: string, request: AnswerRequest, signal: AbortSignal): Promise<CacheEntry> => {
    const startedAtMs = clock.monotonicMs();
    const reservation = held.begin({ ...request, signal });
    if (reservation === null) return load(key, request, signal, unlimited);
    try {
      const entry = await load(key, request, signal, (bytes) => reservation.grow(bytes));
      if (isComputed(entry, startedAtMs) && reservation.heldBytes === 0) return entry;
      reservation.settle(entry.sizeBytes() + entry.answer.rows.reduce((sum, { length }) => sum + length, 0));
      held.share(entry, reservation);
      return entry;
    } catch (error) {
      reservation.release();
      throw error;
    }
  };

  const servable = (key: string, ttlSeconds: number, recheckSeconds: number | null) => {
    const entry = freshEntry(key, ttlSeconds);
    return entry === undefined || isDue(entry, recheckSeconds) ? undefined : entry;
  };

  return {
    lookup(key, ttlSeconds, recheckSeconds) {
      const entry = servable(key, ttlSeconds, recheckSeconds);
      return entry === undefined ? null : replyOf(entry, 'HIT');
    },
    counters,
    settle: async () => shared?.settle(),
    async answer(key, request) {
      const { ttlSeconds, refresh } = request;
      const askedAtMs = clock.monotonicMs();
      for (;;) {
        const cached = refresh ? undefined : servable(key, ttlSeconds, request.recheckSeconds);
        if (cached !== undefined) {
          const hold = await held.holdCached(cached, request);
          if (isFresh(cached, ttlSeconds, clock)) return reply(cached, 'HIT', hold);
          // It grew too old while room for it was waited for.
          hold.release();
          continue;
        }
        // A refresh under way is joined by those who would take a kept answer, never the other way about.
        const computation = `${key} ${request.bounds ?? ''}`;
        const refreshing = `${computation} refresh`;
        const slot = refresh || flights.isUnderWay(refreshing) ? refreshing : computation;
        const entry = await flights.run(slot, request.signal, (signal) => loadHeld(key, request, signal));
        // One that was computed since then may be given however long it took; any other only while it is fresh, which it
        // may be no longer by the time that the store was heard or the process went on.
        const isNew = isComputed(entry, askedAtMs);
        if (!isNew && !isFresh(entry, ttlSeconds, clock)) continue;
        return reply(entry, stateOf(isNew, ttlSeconds, refresh), held.take(entry));
      }
    },
    async get(key, ttlSeconds) {
      const cached = freshEntry(key, ttlSeconds);
      if (cached !== undefined) return replyOf(cached, 'HIT');
      const other = await shared?.read(key);
      const entry = other ? keep(key, other) : undefined;
      return entry !== undefined && isFresh(entry, ttlSeconds, clock) ? replyOf(entry, 'HIT') : null;
    },
  };
}

/** How long an answer may wait for memory: a little less than its query's deadline. */
async function unlimited(): Promise<void> {}

function stateOf(isNew: boolean, ttlSeconds: number, refresh: boolean): CacheState {
  if (ttlSeconds === 0) return 'BYPASS';
  if (refresh) return 'REFRESH';
  return isNew ? 'MISS' : 'HIT';
}
