import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { byteCapOf } from '../../shared/results/byte-cap.ts';
import { byteText } from '../../shared/warehouse/byte-text.ts';
import { LEAST_BYTES_BILLED } from '../../shared/warehouse/bytes-billed.ts';
import { type BilledBytes, billedBytes, partitionsOf, refreshBytes } from './billed-bytes.ts';
import { refreshesOf, windowHoursOf } from './counts.ts';
import { type CostModel, type CostRow, type CostSection, formatCount, priceOf, TIB } from './model.ts';

/** What callers' queries read. */
export function queriesSection(model: CostModel): CostSection {
  const { volumes, endpoints, deployment } = model;
  const capOf = (endpoint: Endpoint, isUntrusted: boolean) =>
    byteCapOf({ service: deployment.byteCaps, endpoint, token: null }, isUntrusted);
  const stored = endpoints.flatMap((endpoint): CostRow[] => {
    const calls = volumes.calls.get(endpoint.name) ?? 0;
    if (calls === 0) return [];
    const isCached = endpoint.cacheTtlSeconds > 0;
    const queries = isCached ? (calls * volumes.missPercent) / 100 : calls;
    const counted = isCached
      ? `${formatCount(calls)} calls × ${volumes.missPercent} % not kept`
      : `${formatCount(calls)} calls`;
    return [queryRow(model, endpoint, endpoint.name, { queries, counted, cap: capOf(endpoint, false) })];
  });
  const own = endpoints.find(({ sandbox }) => sandbox);
  const queries = volumes.consumerCalls;
  const counted = `${formatCount(queries)} queries`;
  const consumers =
    own === undefined || queries === 0
      ? []
      : [
          queryRow(model, own, `sql and lql over ${own.name}`, {
            queries,
            counted,
            cap: capOf(own, true),
          }),
        ];
  return { title: 'Queries on BigQuery', rows: [...stored, ...consumers] };
}

/** What refreshing sets ahead of calls reads: no more in a round than `LQE_WARM_MAX_BYTES` allows. */
export function warmingSection(model: CostModel): CostSection {
  const rows = model.volumes.sets.map((sets): CostRow => {
    const { endpoint, count, value } = sets;
    const { isSealed, queries, billed } = refreshBytes(model, readsOf(model, endpoint), {
      refreshEverySeconds: endpoint.warmEverySeconds ?? 0,
      windowHours: windowHoursOf(model, endpoint, value),
    });
    const refreshes = refreshesOf(model, sets) / count;
    const most = model.deployment.warmMaxBytes;
    const round = Math.min(count * billed, most);
    const sum = `${formatCount(count)} sets × ${byteText(billed)}${minimumNote(billed / queries)}`;
    const held = round < count * billed ? `${sum}, held to ${byteText(most)} a round` : sum;
    const bytes = refreshes * round;
    return {
      item: `${[endpoint.name, ...(value === null ? [] : [value])].join(' ')}, ${isSealed ? 'hours that are over kept' : 'whole window'}`,
      arithmetic: `${formatCount(refreshes)} refreshes × ${round < count * billed ? `(${held})` : held} = ${tebibytes(model, bytes)}`,
      usd: priceOf(model, 'bigquery-query', bytes / TIB),
    };
  });
  return { title: 'Sets that are kept warm', rows };
}

interface QueryCount {
  readonly queries: number;
  readonly counted: string;
  /** Most bytes that one may bill; null for no cap. */
  readonly cap: number | null;
}

function queryRow(model: CostModel, endpoint: Endpoint, item: string, count: QueryCount): CostRow {
  const partitions = partitionsOf(model, windowHoursOf(model, endpoint, null));
  return billedRow(model, item, count, billedBytes(model, readsOf(model, endpoint), partitions));
}

function billedRow(
  model: CostModel,
  item: string,
  { queries, counted, cap }: QueryCount,
  { estimate, billed }: BilledBytes,
): CostRow {
  if (cap !== null && estimate > cap) {
    const reason = `estimated at ${byteText(estimate)}, above the cap of ${byteText(cap)}: refused`;
    return { item, arithmetic: `${counted}, ${reason}`, usd: 0 };
  }
  const bytes = queries * billed;
  return {
    item,
    arithmetic: `${counted} × ${byteText(billed)}${minimumNote(billed)} = ${tebibytes(model, bytes)}`,
    usd: priceOf(model, 'bigquery-query', bytes / TIB),
  };
}

function minimumNote(billed: number): string {
  return billed === LEAST_BYTES_BILLED ? ' (the minimum)' : '';
}

function tebibytes({ prices }: CostModel, bytes: number): string {
  return `${byteText(bytes)} × ${prices['bigquery-query']} a TiB`;
}

function readsOf({ reads }: CostModel, endpoint: Endpoint) {
  return reads.get(endpoint) ?? [];
}
