import type { TimeWindowParameters } from '../endpoints/endpoint.ts';
import { makeRedactor } from '../privacy/redactor.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { ResultRequest } from './obtain-result.ts';
import { type RunEnvironment, runOptions } from './run-options.ts';
import type { SealedQueries } from './sealed/sealed-queries.ts';

/**
 * The most bytes that obtaining a result anew bills; null where the warehouse does not count. Runs nothing. Throws a
 * ServiceError.
 */
export type EstimateResult = (request: ResultRequest) => Promise<number | null>;

/** Newest rows that are read in widening windows are read less than three times in all (docs/operations.md, "Cost"). */
const WINDOWED_FACTOR = 3;

export interface EstimateDeps extends RunEnvironment {
  readonly warehouse: Warehouse;
  readonly sealed?: SealedQueries;
}

/** Makes the estimator of results. */
export function makeEstimateResult(deps: EstimateDeps): EstimateResult {
  const { warehouse } = deps;
  return async (request) => {
    const { endpoint, query } = request;
    if (warehouse.estimate === undefined) return null;
    const options = runOptions(deps, endpoint, query, request);
    const isRedacted = endpoint.redactPii || request.isRedacted;
    const redaction = isRedacted ? makeRedactor(endpoint.redactAlso).kinds : [];
    const byParts = await deps.sealed?.estimate({ endpoint, query, options, redaction });
    if (typeof byParts === 'number') return byParts;
    const estimate = await warehouse.estimate(query, options);
    const windowed = isReadInWindows(request, endpoint.timeWindow) ? WINDOWED_FACTOR : 1;
    return windowed * estimate.bytesBilled;
  };
}

/** Whether a warehouse may look for the newest rows window by window, for want of a lower bound. */
function isReadInWindows({ values }: ResultRequest, timeWindow: TimeWindowParameters | null): boolean {
  return timeWindow !== null && values.get(timeWindow.start)?.value === null;
}
