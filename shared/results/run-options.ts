import type { Endpoint } from '../endpoints/endpoint.ts';
import type { QueryUsage, RunOptions, WarehouseQuery } from '../warehouse/warehouse.ts';
import { type ByteCaps, byteCapOf } from './byte-cap.ts';

/** For whom a query runs, and what it may take. */
export interface Caller {
  /** Most rows, where the caller may have fewer than the endpoint gives; null where it may have them all. */
  readonly maxRows: number | null;
  /** Most bytes that a query of this caller may bill; null without such a cap. */
  readonly maxBytesBilled: number | null;
  /** The account under which the warehouse bills the query. */
  readonly account: string;
  /** Milliseconds after which a consumer's query is cancelled; null for those that all have. */
  readonly sqlDeadlineMs: number | null;
  /** CPU seconds a minute of consumers' queries; null for those that all have. */
  readonly cpuSecondsPerMinute: number | null;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /**
   * Of `RunOptions`: receives what was read and billed for this caller, for failed queries as well, maybe after the outcome.
   * A shared run is reported to the caller that began it, and a cached answer to no caller.
   */
  readonly onUsage?: (usage: QueryUsage) => void;
}

/** What every run of a process has in common. */
export interface RunEnvironment {
  nowMicros(): bigint;
  /** A query is cancelled after this many milliseconds. */
  readonly deadlineMs: number;
  /** A consumer's query is cancelled after this many milliseconds where its caller has no deadline. */
  readonly sqlDeadlineMs: number;
  /** What any query may bill, whatever its endpoint and its caller may. */
  readonly byteCaps: ByteCaps;
}

/** Milliseconds after which a consumer's query is cancelled; never more than any query has. */
export function consumerDeadlineMs(
  { deadlineMs, sqlDeadlineMs }: Pick<RunEnvironment, 'deadlineMs' | 'sqlDeadlineMs'>,
  caller: Pick<Caller, 'sqlDeadlineMs'>,
): number {
  return Math.min(deadlineMs, caller.sqlDeadlineMs ?? sqlDeadlineMs);
}

/** How a query of an endpoint is run, or asked about: whatever reaches the warehouse is bounded and accounted alike. */
export function runOptions(
  { nowMicros, deadlineMs, byteCaps }: Pick<RunEnvironment, 'nowMicros' | 'deadlineMs' | 'byteCaps'>,
  endpoint: Endpoint,
  { isUntrusted = false }: Pick<WarehouseQuery, 'isUntrusted'>,
  { maxRows, maxBytesBilled, account, signal, onUsage }: Caller,
): RunOptions {
  return {
    maxRows: rowCap(endpoint, maxRows),
    deadlineMs,
    nowMicros: nowMicros(),
    signal,
    maxBytesBilled: byteCapOf({ service: byteCaps, endpoint, token: maxBytesBilled }, isUntrusted),
    timeWindow: endpoint.timeWindow,
    lookback: endpoint.lookback,
    owner: account,
    ...(onUsage === undefined ? {} : { onUsage }),
    labels: { endpoint: endpoint.name, kind: isUntrusted ? 'consumer' : 'stored', token: account },
  };
}

/** Most rows of an answer for a caller that may have `maxRows`, or with null as many as the endpoint gives. */
export function rowCap(endpoint: Pick<Endpoint, 'maxRows'>, maxRows: number | null): number {
  return Math.min(endpoint.maxRows, maxRows ?? Infinity);
}
