import type { TimeWindow, Warehouse } from '../warehouse/warehouse.ts';
import type { WantedResult } from './obtain-result.ts';
import { type RunDeps, runOptions } from './run-options.ts';

/**
 * The most bytes that obtaining a result anew bills; null where the warehouse does not count. Runs nothing. Throws a
 * ServiceError.
 */
export type EstimateResult = (wanted: WantedResult) => Promise<number | null>;

/** Newest rows that are read in widening windows are read less than three times in all (docs/operations.md, "Cost"). */
const WINDOWED_FACTOR = 3;

/** Makes the estimator of results. */
export function makeEstimateResult(deps: RunDeps & { readonly warehouse: Warehouse }): EstimateResult {
  const { warehouse } = deps;
  return async (wanted) => {
    const { endpoint, query } = wanted;
    const estimate = await warehouse.estimate?.(query, runOptions(deps, endpoint, query, wanted));
    if (estimate === undefined) return null;
    const windowed = isReadInWindows(wanted, endpoint.timeWindow) ? WINDOWED_FACTOR : 1;
    return windowed * estimate.bytesBilled;
  };
}

/** Whether a warehouse may look for the newest rows window by window, for want of a lower bound. */
function isReadInWindows({ values }: WantedResult, timeWindow: TimeWindow | null): boolean {
  return timeWindow !== null && values.get(timeWindow.start)?.value === null;
}
