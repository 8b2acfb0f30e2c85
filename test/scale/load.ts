import { billedBytes, partitionsOf, refreshBytes } from '../../cli/cost/billed-bytes.ts';
import { windowHoursOf } from '../../cli/cost/counts.ts';
import { type CostModel, MONTH_SECONDS, sumOf } from '../../cli/cost/model.ts';

/** How much more is asked in the busiest minutes than on average. */
export const PEAK = 10;

/** What is asked of a deployment in its busiest minutes. */
export interface Load {
  /** Callers, each with an address and its own token. */
  readonly callers: number;
  /** Calls a second. */
  readonly storedLogs: number;
  readonly consumers: number;
  readonly counts: number;
  /** The part of the calls of counts that finds nothing kept although its set is warm. */
  readonly missShare: number;
  readonly sets: number;
  readonly warmEverySeconds: number;
  readonly cacheTtlSeconds: number;
  readonly storedLogsBytes: number;
  readonly consumerEstimate: number;
  readonly coldSetBytes: number;
  readonly refreshBytes: number;
}

/** The load of so many times the docs' size: logs, projects, callers, calls and sets alike. */
export function loadOf(model: CostModel, multiple: number): Load {
  const logs = endpointOf(model, 'logs.all');
  const counts = endpointOf(model, 'usage.api-counts');
  const { volumes } = model;
  const larger: CostModel = {
    ...model,
    volumes: { ...volumes, projects: volumes.projects * multiple },
    bytesPerHour: new Map([...model.bytesPerHour].map(([source, bytes]) => [source, bytes * multiple])),
  };
  const bytes = (endpoint: typeof logs, partitions: number) =>
    billedBytes(larger, model.reads.get(endpoint) ?? [], partitions);
  const window = partitionsOf(larger, windowHoursOf(larger, logs, null));
  const aSecond = (calls: number) => (calls * multiple * PEAK) / MONTH_SECONDS;
  const warmEverySeconds = counts.warmEverySeconds ?? 300;
  const windowHours = windowHoursOf(larger, counts, null);
  const refresh = { refreshEverySeconds: warmEverySeconds, windowHours };
  return {
    callers: volumes.tokens * multiple,
    storedLogs: aSecond(volumes.calls.get(logs.name) ?? 0),
    consumers: aSecond(volumes.consumerCalls),
    counts: aSecond(volumes.calls.get(counts.name) ?? 0),
    missShare: volumes.missPercent / 100,
    sets: sumOf(volumes.sets.map(({ count }) => count)) * multiple,
    warmEverySeconds,
    cacheTtlSeconds: counts.cacheTtlSeconds,
    storedLogsBytes: bytes(logs, window).billed,
    consumerEstimate: bytes(logs, window).estimate,
    coldSetBytes: bytes(counts, partitionsOf(larger, windowHours)).billed,
    refreshBytes: refreshBytes(larger, model.reads.get(counts) ?? [], refresh).billed,
  };
}

function endpointOf({ endpoints }: CostModel, name: string) {
  const found = endpoints.find((endpoint) => endpoint.name === name);
  if (found === undefined) throw new TypeError(`no endpoint ${name}`);
  return found;
}
