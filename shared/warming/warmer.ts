import type { CacheReply } from '../cache/result-cache.ts';
import type { Clock } from '../concurrency/clock.ts';
import { bindParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Warn } from '../errors/warn.ts';
import type { ObtainResult } from '../results/obtain-result.ts';
import type { RedactedEndpoints } from '../results/redacted-endpoints.ts';
import type { RunFor } from '../results/run-options.ts';
import type { QueryUsage } from '../warehouse/warehouse.ts';
import type { AskedSet, AskedSets } from './asked-set.ts';
import type { WarmingLocks } from './warming-locks.ts';

/** Most sets of one round: more than it can refresh in its time. The others are the first of the next round. */
export const MAX_SETS = 1000;

/** Whom the warehouse is to account the queries under. */
const ACCOUNT = 'warming';

/** What a round of warming did. */
export interface WarmingReport {
  /** Sets whose results were computed anew. */
  readonly refreshed: number;
  /** Sets left alone: fresh enough, or another round refreshes them. */
  readonly skipped: number;
  /** Sets whose query failed; the log says why. */
  readonly failed: number;
  /** Sets that the deadline, the bytes or the number of sets of a round left for the next one, which begins with them. */
  readonly left: number;
  /** Bytes that the queries of the round billed, failed ones included, where the warehouse counts them. */
  readonly bytesBilled: number;
}

export interface WarmingLimits {
  /** A set that nobody asked for in so many seconds goes cold. */
  readonly windowSeconds: number;
  /** Sets that are refreshed at the same time. */
  readonly concurrency: number;
  /** After so many milliseconds nothing new is begun. */
  readonly deadlineMs: number;
  /** When the queries of a round have billed so many bytes, nothing new is begun. */
  readonly maxBytes: number;
}

export interface WarmerDeps {
  readonly obtain: ObtainResult;
  readonly redacted: RedactedEndpoints;
  readonly asked: AskedSets;
  readonly locks: WarmingLocks;
  readonly clock: Clock;
  readonly limits: WarmingLimits;
  readonly warn: Warn;
}

/** Refreshes the results of an endpoint that were asked for lately. Throws a ServiceError when nobody knows which. */
export type Warm = (
  endpoint: Endpoint,
  signal: AbortSignal,
  /** Told of what each query took; of one that failed maybe after the round. */
  onUsage?: (usage: QueryUsage) => void,
) => Promise<WarmingReport>;

/** What the queries of one round have in common. */
type Round = Required<Pick<RunFor, 'signal' | 'onUsage'>>;

type Outcome = 'refreshed' | 'skipped' | 'failed';

/**
 * Makes the warmer. The sets that were warmed longest ago come first, so that each has its turn however many there are;
 * one that fails stops no other. Of rounds that overlap, here or in other instances, one does the work.
 */
export function makeWarmer(deps: WarmerDeps): Warm {
  const { asked, locks, clock, limits, warn } = deps;

  async function refresh(endpoint: Endpoint, set: AskedSet, round: Round): Promise<CacheReply | null> {
    try {
      const isRedacted = endpoint.redactPii || set.isRedacted;
      const asked = isRedacted ? await deps.redacted(endpoint) : endpoint;
      return await obtainSet(deps.obtain, asked, set, round);
    } catch (error) {
      const reason = error instanceof ServiceError ? error.kind : 'internal';
      warn('A result could not be warmed', { endpoint: endpoint.name, reason, error });
      return null;
    }
  }

  return async (endpoint, signal, onUsage) => {
    const began = clock.monotonicMs();
    const { sets, total } = await asked.waiting(endpoint.id, limits.windowSeconds, MAX_SETS);
    const counts: Record<Outcome, number> = { refreshed: 0, skipped: 0, failed: 0 };
    if (sets.length === 0) return { ...counts, left: total, bytesBilled: 0 };
    const release = await locks.acquire(endpoint.id, limits.deadlineMs);
    if (release === null) return { ...counts, skipped: total, left: 0, bytesBilled: 0 };
    const waiting = [...sets];
    let bytes = 0;
    const count = (usage: QueryUsage) => {
      bytes += usage.bytesBilled ?? 0;
      onUsage?.(usage);
    };
    const isOver = () =>
      signal.aborted || bytes >= limits.maxBytes || clock.monotonicMs() - began >= limits.deadlineMs;
    const work = async () => {
      for (let set = waiting.shift(); set !== undefined; set = waiting.shift()) {
        if (isOver()) return;
        const reply = await refresh(endpoint, set, { signal, onUsage: count });
        await asked.served(set);
        reply?.hold.release();
        counts[outcomeOf(reply)] += 1;
      }
    };
    try {
      await Promise.all(Array.from({ length: limits.concurrency }, work));
    } finally {
      await release();
    }
    const left = total - counts.refreshed - counts.skipped - counts.failed;
    return { ...counts, left, bytesBilled: bytes };
  };
}

function outcomeOf(reply: CacheReply | null): Outcome {
  if (reply === null) return 'failed';
  return reply.state === 'HIT' ? 'skipped' : 'refreshed';
}

/** Runs the endpoint's own query for a set, checked as a request's parameters are. */
async function obtainSet(
  obtain: ObtainResult,
  endpoint: Endpoint,
  { parameters, isRedacted }: AskedSet,
  round: Round,
): Promise<CacheReply> {
  const { values } = await bindParameters(
    endpoint,
    new Map(Object.entries(parameters).map(([name, text]) => [name, [text]])),
  );
  return obtain({
    endpoint,
    values,
    query: { sql: endpoint.sql, parameters: values },
    isFresh: true,
    isRedacted,
    maxRows: null,
    maxBytesBilled: null,
    account: ACCOUNT,
    sqlDeadlineMs: null,
    cpuSecondsPerMinute: null,
    ...round,
  });
}
