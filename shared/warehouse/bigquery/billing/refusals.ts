import { SPAN_MICROS } from '../../../time/units.ts';
import type { RunOptions, WarehouseQuery } from '../../warehouse.ts';
import { ApiFailure } from '../rest/api-failure.ts';
import { type EstimateBudget, makeEstimateBudget } from './estimate-budget.ts';
import { type EstimateBilled, findLongestWindow, type WindowAdvice } from './longest-window.ts';
import { type PartitionBy, partitionStart } from './partitioned-range.ts';
import { parseBilledBytes, tooManyBytes } from './too-many-bytes.ts';

/** How long a refusal may look for a window that fits, in ms. */
const SEARCH_MS = 3_000;

export interface RefusalDeps {
  readonly partitionBy: PartitionBy;
  /** What a query would bill, in bytes, by a dry run. */
  readonly billed: (query: WarehouseQuery, options: RunOptions, signal: AbortSignal) => Promise<number>;
}

/** A query that runs. */
export interface RunningQuery {
  readonly query: WarehouseQuery;
  readonly options: RunOptions;
  /** Aborted when no caller waits for it any longer. */
  readonly signal: AbortSignal;
  /** When it began, by `performance.now()`. */
  readonly startedAtMs: number;
}

/**
 * Makes what turns BigQuery's refusal of a query that would bill too much into one that gives its caller the estimate, the
 * cap and the longest window of time that fits; any other failure is thrown as it is. The window is looked for by dry
 * runs, within the query's deadline; those of an owner are counted (EstimateBudget).
 */
export function makeRefusals({ partitionBy, billed }: RefusalDeps) {
  const budget = makeEstimateBudget();

  return async (failure: unknown, running: RunningQuery): Promise<never> => {
    if (!(failure instanceof ApiFailure) || !failure.has('bytesBilledLimitExceeded')) throw failure;
    const { query, options } = running;
    const cap = options.maxBytesBilled ?? null;
    const needed = parseBilledBytes(failure);
    const { timeWindow, lookback } = options;
    const advice: WindowAdvice =
      needed === null || cap === null
        ? { kind: 'unknown' }
        : await findLongestWindow(
            { query, options, billed: needed, cap },
            partitionBy,
            estimating(running, budget, billed),
          );
    const start = timeWindow?.start;
    const isOpen = start !== undefined && query.parameters.get(start)?.value === null;
    throw tooManyBytes(
      {
        billed: needed,
        cap,
        advice,
        timeParameters: timeWindow ? [timeWindow.start] : lookback ? [lookback.parameter] : [],
        missingBound: isOpen ? start : null,
        isConsumers: query.isUntrusted === true,
      },
      failure,
    );
  };
}

/** Estimates for a refusal, in the time that is left for them. A window is not worth failing for. */
function estimating(
  { options, signal, startedAtMs }: RunningQuery,
  budget: EstimateBudget,
  billed: RefusalDeps['billed'],
): EstimateBilled {
  const leftMs = options.deadlineMs - (performance.now() - startedAtMs);
  const searchMs = Math.max(0, Math.ceil(Math.min(SEARCH_MS, leftMs / 2)));
  const ending = AbortSignal.any([signal, AbortSignal.timeout(searchMs)]);
  return (query) =>
    budget
      .spend(options.owner ?? '', keyOf(query, options), () => billed(query, options, ending))
      .catch(() => null);
}

/** No table has finer partitions than hours, which are read as a whole: instants of the same hour have the same estimate. */
function keyOf({ sql, parameters }: WarehouseQuery, { nowMicros }: RunOptions): string {
  const width = SPAN_MICROS.hour;
  const values = [...parameters].map(([name, { type, value }]) => [
    name,
    type,
    type === 'TIMESTAMP' && typeof value === 'bigint' ? String(partitionStart(value, width)) : String(value),
  ]);
  return JSON.stringify([sql, values, String(partitionStart(nowMicros, width))]);
}
