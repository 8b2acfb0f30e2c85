import type { EdgeEntry } from './edge-entries.ts';

/** A row of usage.api-counts. */
export interface ApiCounts {
  readonly timestamp: string;
  readonly total_rest_requests: number;
  readonly total_storage_requests: number;
  readonly total_auth_requests: number;
  readonly total_realtime_requests: number;
}

const MINUTE = 60_000_000n;

/** Microseconds: how far back each interval reaches, and how long its buckets are. */
export const INTERVALS = {
  minutely: { window: 60n * MINUTE, bucket: MINUTE },
  hourly: { window: 60n * MINUTE, bucket: 60n * MINUTE },
  daily: { window: 7n * 24n * 60n * MINUTE, bucket: 24n * 60n * MINUTE },
} as const;

export type Interval = keyof typeof INTERVALS;

/** What usage.api-counts has to answer, counted entry by entry without any of the service's code. */
export function countByHand(
  entries: readonly EdgeEntry[],
  interval: Interval,
  pattern: RegExp,
  nowMicros: bigint,
): ApiCounts[] {
  const { window, bucket } = INTERVALS[interval];
  const buckets = new Map<bigint, EdgeEntry[]>();
  for (const entry of entries) {
    const isInWindow = entry.micros >= nowMicros - window && entry.micros <= nowMicros;
    if (!isInWindow || !requestsOf(entry).some(({ url }) => typeof url === 'string' && pattern.test(url)))
      continue;
    // Buckets in UTC begin at multiples of their length from the epoch, which lies before all entries here.
    const start = entry.micros - (entry.micros % bucket);
    buckets.set(start, [...(buckets.get(start) ?? []), entry]);
  }
  return [...buckets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([start, members]) => {
      const count = (part: string) =>
        members.filter((entry) => requestsOf(entry).some(({ path }) => path?.includes(part))).length;
      return {
        timestamp: new Date(Number(start / 1000n)).toISOString().slice(0, 19),
        total_rest_requests: count('/rest'),
        total_storage_requests: count('/storage'),
        total_auth_requests: count('/auth'),
        total_realtime_requests: count('/realtime'),
      };
    });
}

function requestsOf({ metadata }: EdgeEntry) {
  return metadata.flatMap(({ request }) => request ?? []);
}
