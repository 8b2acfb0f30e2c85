import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { type CostModel, sumOf } from './model.ts';
import type { WarmSets } from './volumes.ts';

/** All calls of a month. */
export function callsOf({ volumes }: Pick<CostModel, 'volumes'>): number {
  return sumOf(volumes.calls.values()) + volumes.consumerCalls;
}

/** Endpoints' functions and the gateway. */
export function publicFunctions({ endpoints }: Pick<CostModel, 'endpoints'>): number {
  return endpoints.length + 1;
}

/** Refreshes of all sets in a month. */
export function refreshesOf({ volumes }: Pick<CostModel, 'volumes'>, { endpoint, count }: WarmSets): number {
  return (count * volumes.warmHours * 3600) / (endpoint.warmEverySeconds ?? Number.POSITIVE_INFINITY);
}

/** How far back a query reads: as its lookback says (the widest, unless one is named), as its bounds do, or everything. */
export function windowHoursOf(
  { volumes }: Pick<CostModel, 'volumes'>,
  endpoint: Endpoint,
  value: string | null,
): number {
  const { lookback, timeWindow } = endpoint;
  if (lookback !== null) {
    const seconds = value === null ? undefined : lookback.seconds[value];
    return (seconds ?? Math.max(...Object.values(lookback.seconds))) / 3600;
  }
  return timeWindow === null ? volumes.retentionDays * 24 : volumes.windowHours;
}
