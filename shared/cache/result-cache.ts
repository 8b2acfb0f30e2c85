import { type Clock, elapsedMs, momentOf } from '../concurrency/clock.ts';
import { makeSingleFlight } from '../concurrency/single-flight.ts';
import type { CachedAnswer } from './answer.ts';
import { type CacheEntry, isFresh, type MeasuredEntry, makeEntry } from './cache-entry.ts';
import { makeMemoryLevel } from './memory-level.ts';
import type { DatedAnswer, SharedLevel } from './shared-level.ts';

/** Where an answer is from: kept, computed for want of a kept one, computed because asked to, or never kept. */
export type CacheState = 'HIT' | 'MISS' | 'REFRESH' | 'BYPASS';

export interface CacheReply {
  readonly entry: CacheEntry;
  readonly state: CacheState;
  /** Milliseconds since computing the answer began. */
  readonly ageMs: number;
  /** The same in whole seconds, which is the value of an Age header (RFC 9111, section 5.1). */
  readonly ageSeconds: number;
}

/** How an answer may be come by. */
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
  /**
   * Runs the query. Its signal is aborted when every caller that shares the computation has gone; it must keep
   * its own deadline.
   */
  compute(signal: AbortSignal): Promise<CachedAnswer>;
}

export interface ResultCache {
  /** The answer that this process keeps, found without waiting; null where `answer` has to be asked. */
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
}

const COUNTED = { HIT: 'hits', MISS: 'misses', REFRESH: 'refreshes', BYPASS: 'bypasses' } as const;

interface Landing {
  readonly entry: MeasuredEntry;
  readonly isComputed: boolean;
  /** When computing it ended, on the monotonic clock; null where it was not computed for those who wait. */
  readonly completedAtMs: number | null;
}

/** Makes the cache of results: what the process keeps before what all instances share before computing. */
export function makeResultCache({ maxBytes, shared, clock }: ResultCacheDeps): ResultCache {
  const memory = makeMemoryLevel(maxBytes);
  const flights = makeSingleFlight<Landing>();
  const counters: CacheCounters = { hits: 0, misses: 0, refreshes: 0, bypasses: 0 };

  const replyOf = (entry: CacheEntry, state: CacheState): CacheReply => {
    const ageMs = elapsedMs(entry.computedAt, clock);
    return { entry, state, ageMs, ageSeconds: Math.floor(ageMs / 1000) };
  };

  const reply = (entry: CacheEntry, state: CacheState): CacheReply => {
    counters[COUNTED[state]] += 1;
    return replyOf(entry, state);
  };

  const freshEntry = (key: string, ttlSeconds: number): MeasuredEntry | undefined => {
    const entry = memory.get(key);
    return entry !== undefined && isFresh(entry, ttlSeconds, clock) ? entry : undefined;
  };

  /** By age: a process whose monotonic clock stood still cannot compare with moments from before. */
  const isYounger = (one: Pick<DatedAnswer, 'computedAt'>, other: Pick<DatedAnswer, 'computedAt'>): boolean =>
    elapsedMs(one.computedAt, clock) < elapsedMs(other.computedAt, clock);

  const toEntry = (key: string, dated: DatedAnswer): MeasuredEntry =>
    makeEntry({
      ...dated,
      checkedAtMs: clock.monotonicMs(),
      onGrowth: (entry) => memory.remeasure(key, entry),
    });

  const keep = (key: string, dated: DatedAnswer): MeasuredEntry => {
    const entry = toEntry(key, dated);
    const current = memory.get(key);
    const isOvertaken = current !== undefined && isYounger(current, dated);
    if (!isOvertaken && isFresh(entry, dated.ttlSeconds, clock)) memory.set(key, entry);
    return entry;
  };

  const isDue = (entry: MeasuredEntry, recheckSeconds: number | null): boolean =>
    shared !== null &&
    recheckSeconds !== null &&
    clock.monotonicMs() - entry.checkedAtMs >= recheckSeconds * 1000;

  /** The kept entry or, where another instance has one that was computed later, that. */
  const recheck = async (key: string, level: SharedLevel, kept: MeasuredEntry): Promise<MeasuredEntry> => {
    kept.checkedAtMs = clock.monotonicMs();
    const other = await level.read(key);
    return other !== null && isYounger(other, kept) ? keep(key, other) : kept;
  };

  const load = async (key: string, request: AnswerRequest, signal: AbortSignal): Promise<Landing> => {
    const { ttlSeconds, refresh } = request;
    let completedAtMs: number | null = null;
    const compute = async (end: AbortSignal): Promise<CachedAnswer> => {
      const answer = await request.compute(end);
      completedAtMs = clock.monotonicMs();
      return answer;
    };
    if (shared !== null && ttlSeconds > 0) {
      const kept = refresh ? undefined : freshEntry(key, ttlSeconds);
      if (kept !== undefined)
        return { entry: await recheck(key, shared, kept), isComputed: false, completedAtMs };
      const obtained = await shared.obtain(key, { ttlSeconds, refresh, signal, compute });
      return { entry: keep(key, obtained), isComputed: obtained.isComputed, completedAtMs };
    }
    const computedAt = momentOf(clock);
    const dated = { answer: await compute(signal), computedAt, ttlSeconds };
    const entry = ttlSeconds > 0 ? keep(key, dated) : toEntry(key, dated);
    return { entry, isComputed: true, completedAtMs };
  };

  /**
   * Whether an answer may be given to who asked at that moment: one that was computed since, however long it took, or one
   * that is fresh still. It may have been neither by the time that the store was heard or the process went on.
   */
  const isTimely = ({ entry, completedAtMs }: Landing, ttlSeconds: number, askedAtMs: number): boolean =>
    (completedAtMs !== null && completedAtMs >= askedAtMs) || isFresh(entry, ttlSeconds, clock);

  const lookup: ResultCache['lookup'] = (key, ttlSeconds, recheckSeconds) => {
    const entry = freshEntry(key, ttlSeconds);
    return entry === undefined || isDue(entry, recheckSeconds) ? null : reply(entry, 'HIT');
  };

  return {
    lookup,
    counters,
    settle: async () => shared?.settle(),
    async answer(key, request) {
      const { ttlSeconds, refresh } = request;
      const askedAtMs = clock.monotonicMs();
      for (;;) {
        const hit = refresh ? null : lookup(key, ttlSeconds, request.recheckSeconds);
        if (hit !== null) return hit;
        // A refresh under way is joined by those who would take a kept answer, never the other way about.
        const refreshing = `${key} refresh`;
        const slot = refresh || flights.isUnderWay(refreshing) ? refreshing : key;
        const landing = await flights.run(slot, request.signal, (signal) => load(key, request, signal));
        if (!isTimely(landing, ttlSeconds, askedAtMs)) continue;
        return reply(landing.entry, stateOf(landing.isComputed, ttlSeconds, refresh));
      }
    },
    async get(key, ttlSeconds) {
      const kept = freshEntry(key, ttlSeconds);
      if (kept !== undefined) return replyOf(kept, 'HIT');
      const other = await shared?.read(key);
      const entry = other ? keep(key, other) : undefined;
      return entry !== undefined && isFresh(entry, ttlSeconds, clock) ? replyOf(entry, 'HIT') : null;
    },
  };
}

function stateOf(isComputed: boolean, ttlSeconds: number, refresh: boolean): CacheState {
  if (!isComputed) return 'HIT';
  if (ttlSeconds === 0) return 'BYPASS';
  return refresh ? 'REFRESH' : 'MISS';
}
