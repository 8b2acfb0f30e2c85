import type { Lookback, TimeWindowParameters } from '../../../endpoints/endpoint.ts';
import type { LongestWindow } from '../../../errors/service-error.ts';
import type { QueryParameter } from '../../../sql/types/query-parameter.ts';
import { formatMicros } from '../../../time/iso-timestamp.ts';
import type { BoundedTimeRange } from '../../../time/time-range.ts';
import { MICROS_PER_SECOND } from '../../../time/units.ts';
import type { RunOptions, WarehouseQuery } from '../../warehouse.ts';
import { durationText, isoDuration } from './duration.ts';
import { type FittingPartitions, mostPartitions } from './most-partitions.ts';
import { type PartitionBy, partitionRange } from './partitioned-range.ts';

/** How often a refusal may ask for an estimate. */
const MOST_ESTIMATES = 3;
/** The partitions of a day, which are asked about first where a query has no lower bound of time. */
const PARTITIONS_A_DAY: Readonly<Record<PartitionBy, number>> = { hour: 24, day: 1 };

/** A query that was refused for what it would bill. */
export interface RefusedQuery {
  readonly query: WarehouseQuery;
  readonly options: Pick<RunOptions, 'nowMicros' | 'timeWindow' | 'lookback'>;
  /** What it would bill, and what it may, in bytes. */
  readonly billed: number;
  readonly cap: number;
}

/** What its author can do about time. */
export type WindowAdvice =
  | { readonly kind: 'longest'; readonly window: LongestWindow; readonly span: string; readonly send: string }
  /** Not even the shortest time that is read at once fits: an hour, a day, or the shortest of a lookback. */
  | { readonly kind: 'none'; readonly shortest: string }
  | { readonly kind: 'unknown' };

/** What the query would bill with other values of its parameters, in bytes; null where that cannot be known. */
export type EstimateBilled = (query: WarehouseQuery) => Promise<number | null>;

const UNKNOWN: WindowAdvice = { kind: 'unknown' };

/** Finds the longest window of time in which a refused query bills no more than it may, by three estimates at most. */
export async function findLongestWindow(
  refused: RefusedQuery,
  partitionBy: PartitionBy,
  estimate: EstimateBilled,
): Promise<WindowAdvice> {
  const { timeWindow, lookback } = refused.options;
  if (timeWindow) return longestRange(refused, timeWindow, partitionBy, estimate);
  return lookback ? longestLookback(refused, lookback, estimate) : UNKNOWN;
}

async function longestRange(
  { query, options, ...sizes }: RefusedQuery,
  timeWindow: TimeWindowParameters,
  partitionBy: PartitionBy,
  estimate: EstimateBilled,
): Promise<WindowAdvice> {
  const range = partitionRange(rangeOf(query, timeWindow, options.nowMicros), partitionBy);
  if (range === null) return UNKNOWN;
  const fit = await mostPartitions(
    { ...sizes, partitions: range.partitions },
    {
      estimate: (partitions) => estimate(withRange(query, timeWindow, range.newest(partitions))),
      most: MOST_ESTIMATES,
      first: PARTITIONS_A_DAY[partitionBy],
    },
  );
  if (fit === undefined) return UNKNOWN;
  return fit === null
    ? { kind: 'none', shortest: `one ${partitionBy}` }
    : rangeAdvice(range.newest(fit.partitions), fit, timeWindow);
}

/** What bounds the time of a query: its parameters, its own conditions as far as they are known, and the present. */
function rangeOf(
  { parameters, timeRange }: WarehouseQuery,
  { start, end }: TimeWindowParameters,
  nowMicros: bigint,
) {
  const instants = (values: readonly unknown[]) => values.filter((value) => typeof value === 'bigint');
  const starts = instants([parameters.get(start)?.value, timeRange?.after]);
  const ends = instants([parameters.get(end)?.value, timeRange?.upTo, nowMicros]);
  return {
    after: starts.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null),
    upTo: ends.reduce((least, one) => (one < least ? one : least), nowMicros),
  };
}

function withRange(
  query: WarehouseQuery,
  { start, end }: TimeWindowParameters,
  { after, upTo }: BoundedTimeRange,
): WarehouseQuery {
  const bound = (value: bigint): QueryParameter => ({ type: 'TIMESTAMP', value });
  const bounds: [string, QueryParameter][] = [
    [start, bound(after)],
    [end, bound(upTo)],
  ];
  return { ...query, parameters: new Map([...query.parameters, ...bounds]) };
}

function rangeAdvice(
  { after, upTo }: BoundedTimeRange,
  { isVerified }: FittingPartitions,
  { start, end }: TimeWindowParameters,
): WindowAdvice {
  // An end just before a partition begins makes whole hours of what is a microsecond less.
  const micros = upTo - after + MICROS_PER_SECOND / 2n;
  const seconds = Math.max(1, Number(micros / MICROS_PER_SECOND));
  const parameters = { [start]: formatMicros(after), [end]: formatMicros(upTo) };
  const send = Object.entries(parameters).map(([name, text]) => `${name}=${text}`);
  return {
    kind: 'longest',
    window: { seconds, duration: isoDuration(seconds), parameters, isVerified },
    span: durationText(seconds),
    send: send.join(' and '),
  };
}

/** The longest of the time spans that the values of a parameter stand for, shorter than that of its value now. */
async function longestLookback(
  { query, cap }: RefusedQuery,
  { parameter, seconds }: Lookback,
  estimate: EstimateBilled,
): Promise<WindowAdvice> {
  const type = query.parameters.get(parameter)?.type ?? 'STRING';
  const spanNow = seconds[String(query.parameters.get(parameter)?.value)] ?? Infinity;
  const spans = [...new Set(Object.values(seconds))].toSorted((one, other) => other - one);
  const shorter = spans.filter((span) => span < spanNow);
  const shortest = spans.at(-1);
  if (shortest === undefined) return UNKNOWN;
  // The longest ones, and the shortest in any case: it decides whether any fits.
  const candidates =
    shorter.length <= MOST_ESTIMATES ? shorter : [...shorter.slice(0, MOST_ESTIMATES - 1), shortest];
  for (const span of candidates) {
    const [value = '', ...alike] = Object.keys(seconds).filter((one) => seconds[one] === span);
    const parameters = new Map([...query.parameters, [parameter, { type, value } as QueryParameter]]);
    const billed = await estimate({ ...query, parameters });
    if (billed === null) return UNKNOWN;
    if (billed > cap) continue;
    const window = {
      seconds: span,
      duration: isoDuration(span),
      parameters: { [parameter]: value },
      isVerified: true,
    };
    const send = [value, ...alike].map((one) => `${parameter}=${one}`).join(' or ');
    return { kind: 'longest', window, span: durationText(span), send };
  }
  return { kind: 'none', shortest: durationText(shortest) };
}
