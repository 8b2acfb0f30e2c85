import type { Clock } from '../concurrency/clock.ts';
import { bindParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Warn } from '../errors/warn.ts';
import type { EstimateResult } from '../results/estimate-result.ts';
import type { ObtainResult, ResultRequest } from '../results/obtain-result.ts';
import type { RedactedEndpoints } from '../results/redacted-endpoints.ts';
import type { QueryUsage } from '../warehouse/warehouse.ts';
import type { DemandLog, ParameterSet } from './demand-log.ts';
import { type BytesReservation, makeRoundBytes, type RoundBytes } from './round-bytes.ts';
import type { WarmingLocks } from './warming-locks.ts';

/** Most sets of one round: more than it can refresh in its time. The others are the first of the next round. */
export const MAX_SETS = 1000;

/** After so many sets in a row for which a round has no bytes left, it looks for no smaller one. */
const MAX_MISFITS = 20;

/** Whom the warehouse is to account the queries under. */
const ACCOUNT = 'warming';

/** What a round of warming did. */
export interface WarmingReport {
  /** Sets whose results were computed anew. */
  readonly refreshed: number;
  /** Sets left alone: fresh enough, or another round refreshes them. */
  readonly skipped: number;
  /** Sets whose query failed, or would bill more than any round may; the log says why. */
  readonly failed: number;
  /** Sets that the deadline, the bytes or the number of sets of a round left for the next one, which begins with them. */
  readonly left: number;
  /** Bytes that the queries of the round billed, failed ones included, where the warehouse counts them. */
  readonly bytesBilled: number;
}

/** Which sets a round of warming refreshes, and what it may take. */
export interface WarmingLimits {
  /** A set that no caller asked for in so many seconds goes cold. */
  readonly windowSeconds: number;
  /** Sets that are refreshed at the same time. */
  readonly concurrency: number;
  /** After so many milliseconds nothing new is begun. */
  readonly deadlineMs: number;
  /** Bytes that the queries of a round bill at most: each is estimated, and begun when there is room for it. */
  readonly maxBytes: number;
}

export interface WarmerDeps {
  readonly obtain: ObtainResult;
  readonly estimate: EstimateResult;
  readonly redacted: RedactedEndpoints;
  readonly demand: DemandLog;
  readonly locks: WarmingLocks;
  readonly clock: Clock;
  readonly limits: WarmingLimits;
  readonly warn: Warn;
}

/** Refreshes the results of an endpoint that were asked for lately. Throws a ServiceError where these cannot be read. */
export type Warm = (
  endpoint: Endpoint,
  signal: AbortSignal,
  /** Receives what each query took; of one that failed maybe after the round. */
  onUsage?: (usage: QueryUsage) => void,
) => Promise<WarmingReport>;

type Outcome = 'refreshed' | 'skipped' | 'failed' | 'left';

/** One round, for the sets in it. */
interface Round {
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
  readonly bytes: RoundBytes;
  onUsage(usage: QueryUsage): void;
  isOver(): boolean;
}

/**
 * Makes the warmer. The sets that were warmed longest ago come first, so that each has its turn however many there are;
 * one that fails stops no other. One that the round leaves stays at the head of the line, where the next round has all its
 * bytes for it. Of rounds that overlap, here or in other instances, one does the work.
 */
export function makeWarmer(deps: WarmerDeps): Warm {
  const { demand, locks, clock, limits, warn } = deps;

  async function requestOf({ endpoint, signal }: Round, set: ParameterSet): Promise<ResultRequest> {
    const isRedacted = endpoint.redactPii || set.isRedacted;
    return resultRequest(isRedacted ? await deps.redacted(endpoint) : endpoint, set, signal);
  }

  /** Reserves what a set will bill and then has it refreshed. */
  async function warmSet(round: Round, set: ParameterSet): Promise<Outcome> {
    const requesting = requestOf(round, set);
    // Before anything is waited for, so that sets have their turn in the order of the line.
    const reserving = round.bytes.reserve(requesting.then(deps.estimate));
    try {
      const [request, reservation] = await Promise.all([requesting, reserving]);
      if (reservation.kind === 'left') return 'left';
      if (reservation.kind === 'reserved') return await refresh(round, request, reservation);
      warn('A result was not warmed: it would bill more than a round may', {
        endpoint: round.endpoint.name,
        bytes: reservation.mostBytes,
        maxBytes: limits.maxBytes,
      });
    } catch (error) {
      const reason = error instanceof ServiceError ? error.kind : 'internal';
      warn('A result could not be warmed', { endpoint: round.endpoint.name, reason, error });
    }
    return 'failed';
  }

  async function refresh(
    round: Round,
    request: ResultRequest,
    reservation: BytesReservation,
  ): Promise<Outcome> {
    const { mostBytes } = reservation;
    let billedBytes = 0;
    const onUsage = (usage: QueryUsage) => {
      billedBytes += usage.bytesBilled ?? 0;
      round.onUsage(usage);
    };
    try {
      if (round.isOver()) return 'left';
      const reply = await deps.obtain({ ...request, maxBytesBilled: mostBytes, onUsage });
      reply.hold.release();
      return reply.state === 'HIT' ? 'skipped' : 'refreshed';
    } catch (error) {
      // What a failed query billed is reported later, or never.
      billedBytes = Math.max(billedBytes, mostBytes ?? 0);
      throw error;
    } finally {
      reservation.settle(billedBytes);
    }
  }

  return async (endpoint, signal, onUsage = () => {}) => {
    const endsAtMs = clock.monotonicMs() + limits.deadlineMs;
    const { sets, total } = await demand.waiting(endpoint.id, limits.windowSeconds, MAX_SETS);
    const counts: Record<Outcome, number> = { refreshed: 0, skipped: 0, failed: 0, left: 0 };
    if (sets.length === 0) return { ...counts, left: total, bytesBilled: 0 };
    const release = await locks.acquire(endpoint.id, limits.deadlineMs);
    if (release === null) return { ...counts, skipped: total, bytesBilled: 0 };
    const bytes = makeRoundBytes(limits.maxBytes);
    const isOver = () => signal.aborted || clock.monotonicMs() >= endsAtMs;
    let bytesBilled = 0;
    const count = (usage: QueryUsage) => {
      bytesBilled += usage.bytesBilled ?? 0;
      onUsage(usage);
    };
    const round: Round = { endpoint, signal, bytes, onUsage: count, isOver };
    const line = [...sets];
    let misfits = 0;
    const work = async () => {
      for (let set = line.shift(); set !== undefined; set = line.shift()) {
        if (isOver() || misfits >= MAX_MISFITS) return;
        const outcome = await warmSet(round, set);
        misfits = outcome === 'left' ? misfits + 1 : 0;
        if (outcome !== 'left') await demand.served(set);
        counts[outcome] += 1;
      }
    };
    try {
      await Promise.all(Array.from({ length: limits.concurrency }, work));
    } finally {
      await release();
    }
    const left = total - counts.refreshed - counts.skipped - counts.failed;
    return { ...counts, left, bytesBilled };
  };
}

/** A request for the endpoint's stored query with a set, checked as a request's parameters are. */
async function resultRequest(
  endpoint: Endpoint,
  { parameters, isRedacted }: ParameterSet,
  signal: AbortSignal,
): Promise<ResultRequest> {
  const { values } = await bindParameters(
    endpoint,
    new Map(Object.entries(parameters).map(([name, text]) => [name, [text]])),
  );
  return {
    endpoint,
    values,
    query: { sql: endpoint.sql, parameters: values },
    bypassCache: true,
    isRedacted,
    maxRows: null,
    maxBytesBilled: null,
    account: ACCOUNT,
    sqlDeadlineMs: null,
    cpuSecondsPerMinute: null,
    signal,
  };
}
