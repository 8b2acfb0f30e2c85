import type { CachedAnswer } from '../../cache/answer.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { type Caller, runOptions } from '../../results/run-options.ts';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import { formatMicros } from '../../time/iso-timestamp.ts';
import { isEmptyRange, type TimeRange } from '../../time/time-range.ts';
import { MICROS_PER_SECOND } from '../../time/units.ts';
import type { WarehouseQuery } from '../../warehouse/warehouse.ts';
import type { HttpDeps } from '../http-deps.ts';
import type { Planner } from './consumer-query.ts';

const EXCLUDING = 'The bounds of time exclude each other: the start does not lie before the end.';

/** What a hint may cost an answer, in ms; one that takes longer is left out. */
const HINT_MS = 100;

/** The answer without rows that a hint explains, and its request. */
export interface HintRequest {
  readonly endpoint: Endpoint;
  readonly values: ReadonlyMap<string, QueryParameter>;
  /** All that bounds time; null where nothing does. */
  readonly bounds: TimeRange | null;
  readonly sources: () => Promise<readonly string[]>;
  readonly answer: CachedAnswer;
  readonly caller: Caller;
  /** The longest span, in seconds, that the caller may read at once; null for any. */
  readonly maxWindowSeconds: number | null;
}

/**
 * Makes the hints for answers without rows. A hint says that the bounds of time exclude each other, or, when
 * nothing of its one source lies within them, when the newest entry was that the caller may read. Nothing is looked for where the warehouse bills
 * what is read. Never throws.
 */
export function makeHints(
  deps: HttpDeps,
  planner: Planner,
): (request: HintRequest) => Promise<readonly string[]> {
  const isFree = deps.warehouse.estimate === undefined;
  const { hintMs = HINT_MS } = deps;

  async function newest(
    { endpoint, caller }: HintRequest,
    query: WarehouseQuery,
    signal: AbortSignal,
  ): Promise<string | null> {
    const run = { ...runOptions(deps, endpoint, query, caller), maxRows: 1, deadlineMs: hintMs, signal };
    const [row] = (await deps.warehouse.run(query, run)).rows;
    const [, micros] = /^\{"timestamp":(-?\d+)\}$/.exec(row ?? '') ?? [];
    return micros === undefined ? null : formatMicros(BigInt(micros));
  }

  async function find(request: HintRequest, signal: AbortSignal): Promise<readonly string[]> {
    const { endpoint, bounds, sources } = request;
    const [source, ...others] = await sources();
    if (source === undefined || others.length > 0) return [];
    const within = async (window: TimeRange | null) =>
      newest(request, await planner.newestEntry(endpoint, source, bounded(request, window)), signal);
    if ((await within(bounds)) !== null) return [];
    const widest = widestFor(request, deps.nowMicros());
    const last = await within(widest);
    const where = widest === null ? '' : ` in the ${request.maxWindowSeconds} seconds up to their end`;
    if (last !== null) {
      return [`${source} has no entries within the bounds of time; the newest${where} is of ${last}.`];
    }
    return [
      widest === null
        ? `${source} has no entries at all for these parameters.`
        : `${source} has no entries within the bounds of time, nor any${where}.`,
    ];
  }

  return async (request) => {
    const { answer, bounds } = request;
    if (answer.rows.length > 0 || bounds === null) return [];
    if (isEmptyRange(bounds)) return [EXCLUDING];
    if (!isFree || !isBounded(request, bounds)) return [];
    // A hint is not worth failing for, nor waiting.
    return withinMs(hintMs, request.caller.signal, (signal) => find(request, signal)).catch(() => []);
  };
}

/**
 * The longest time with the end of the bounds that the caller may read at once; null for all time. A hint reveals nothing
 * that the caller could not have asked for.
 */
function widestFor({ bounds, maxWindowSeconds }: HintRequest, nowMicros: bigint): TimeRange | null {
  if (maxWindowSeconds === null) return null;
  const upTo = bounds?.upTo ?? nowMicros;
  return { after: upTo - BigInt(maxWindowSeconds) * MICROS_PER_SECOND, upTo };
}

/** Does work until its time is over or its signal aborted; rejects then, and aborts the work. */
async function withinMs<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(new Error('the time for a hint is over'));
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work(ending.signal), over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    ending.abort();
  }
}

/** Whether something bounds time, and the endpoint has parameters to look within the same bounds. */
function isBounded({ endpoint }: HintRequest, { after, upTo }: TimeRange): boolean {
  return endpoint.timeWindow !== null && (after !== null || upTo !== null);
}

function bounded(
  { endpoint: { timeWindow }, values }: HintRequest,
  window: TimeRange | null,
): HintRequest['values'] {
  if (timeWindow === null) return values;
  const bound = (value: bigint | null = null): QueryParameter => ({ type: 'TIMESTAMP', value });
  return new Map([
    ...values,
    [timeWindow.start, bound(window?.after)],
    [timeWindow.end, bound(window?.upTo)],
  ]);
}
