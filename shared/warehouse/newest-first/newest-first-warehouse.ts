import type { TimeWindowParameters } from '../../endpoints/endpoint.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { lazyLru } from '../../lru/lazy-lru.ts';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import { MIN_TIMESTAMP_MICROS } from '../../time/units.ts';
import { type PageToken, pageExpired } from '../page-token.ts';
import type {
  CountingWarehouse,
  PageOptions,
  QueryEstimate,
  QueryResult,
  QueryUsage,
  RunOptions,
  Warehouse,
  WarehouseQuery,
} from '../warehouse.ts';
import type { NewestRows } from './newest-rows.ts';
import { EVERYTHING, nextWindow, WINDOW_MICROS } from './windows.ts';

/** Questions whose window is kept, and for how long: then it is looked for from the narrowest again. */
const KEPT_WINDOWS = 10_000;
const WINDOW_TTL_MS = 10 * 60 * 1_000;

/** `findNewestRows` of a query and the parameter that bounds it from below, as `inner` found when it compiled the query. */
export type NewestRowsOf = (query: WarehouseQuery, start: string, options: RunOptions) => NewestRows | null;

/**
 * A warehouse that reads the newest rows of a source in widening windows, from the upper bound or the present back an
 * hour, a day and so on, until the rows are as many as the query wants: what it costs then depends on how dense the logs
 * are, not on how far back they go. The answer is the one that reading everything gives, since rows come in the order
 * of time and later windows add older rows only. Queries of another shape, or with their own lower bound, and
 * those of endpoints without a time window go to `inner` as they are. The cap on bytes holds for each window by itself;
 * bytes processed and billed are those of all together.
 */
export function readNewestFirst(inner: CountingWarehouse, newestRowsOf: NewestRowsOf): CountingWarehouse;
export function readNewestFirst(inner: Warehouse, newestRowsOf: NewestRowsOf): Warehouse;
export function readNewestFirst(inner: Warehouse, newestRowsOf: NewestRowsOf): Warehouse {
  const windows = lazyLru<number>(KEPT_WINDOWS, { ttl: WINDOW_TTL_MS });

  async function run(query: WarehouseQuery, options: RunOptions): Promise<QueryResult> {
    const { timeWindow, maxRows } = options;
    if (!timeWindow || !isOpen(query.parameters.get(timeWindow.start))) return inner.run(query, options);
    const shape = newestRowsOf(query, timeWindow.start, options);
    if (shape === null) return inner.run(query, options);
    const startedAtMs = performance.now();
    const remaining = (): RunOptions => ({
      ...options,
      deadlineMs: Math.max(1, Math.ceil(options.deadlineMs - (performance.now() - startedAtMs))),
    });
    const within = (window: number): WarehouseQuery =>
      boundQuery(query, timeWindow, window, options.nowMicros);
    const question = questionOf(query, maxRows);
    let window = windows.get(question) ?? 0;
    let usage: QueryUsage = { bytesProcessed: null, bytesBilled: null };
    let rowsScanned: number | undefined;
    let estimates: readonly number[] | null = null;
    for (;;) {
      const result = await inner.run(within(window), remaining());
      usage = addUsage(usage, result);
      if (result.rowsScanned !== undefined) rowsScanned = (rowsScanned ?? 0) + result.rowsScanned;
      if (window === EVERYTHING || isFull(result, shape, maxRows)) {
        windows.set(question, window);
        const isWhole = window === EVERYTHING;
        const scanned = rowsScanned === undefined ? {} : { rowsScanned };
        return { ...(isWhole ? result : ofWindow(result, shape)), ...usage, ...scanned };
      }
      const read = result.bytesProcessed ?? estimates?.[window] ?? 0;
      estimates ??= await estimateWindows(inner, within, { window, read }, remaining());
      window = nextWindow(window, result.bytesProcessed ?? estimates[window] ?? 0, estimates);
    }
  }

  /** What everything reads, at most; the first window shows whether the query is refused at once. */
  async function estimateOf(
    query: WarehouseQuery,
    options: RunOptions,
    estimate: NonNullable<Warehouse['estimate']>,
  ): Promise<QueryEstimate> {
    const { timeWindow, nowMicros } = options;
    const whole = await estimate.call(inner, query, options);
    if (whole.isRefused !== true || !timeWindow || !isOpen(query.parameters.get(timeWindow.start)))
      return whole;
    if (newestRowsOf(query, timeWindow.start, options) === null) return whole;
    const first = await estimate.call(inner, boundQuery(query, timeWindow, 0, nowMicros), options);
    return { ...whole, isRefused: first.isRefused === true ? true : null };
  }

  async function nextPage(token: PageToken, options: PageOptions): Promise<QueryResult> {
    if (inner.nextPage === undefined) throw pageExpired();
    if (token.kind !== 'window') return inner.nextPage(token, options);
    const page = await inner.nextPage(token.page, options);
    return page.pageToken === undefined ? { ...page, truncated: true } : inWindow(page);
  }

  const { estimate, unsupportedFunctions } = inner;
  return {
    tables: inner.tables,
    ...(unsupportedFunctions === undefined ? {} : { unsupportedFunctions }),
    prepare: (query, maxRows) => inner.prepare(query, maxRows),
    run,
    ...(estimate === undefined
      ? {}
      : { estimate: (query: WarehouseQuery, options: RunOptions) => estimateOf(query, options, estimate) }),
    ...(inner.nextPage === undefined ? {} : { nextPage }),
    ping: () => inner.ping(),
    close: () => inner.close(),
  };
}

/** What two queries took together; what was not counted stays null. */
export function addUsage(one: QueryUsage, other: QueryUsage): QueryUsage {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : a + b);
  return {
    bytesProcessed: sum(one.bytesProcessed, other.bytesProcessed),
    bytesBilled: sum(one.bytesBilled, other.bytesBilled),
  };
}

/**
 * The first page of a window that does not hold everything. Where its rows end, older ones may follow that no query has
 * looked for: the last page says so. A query with its own LIMIT, which may end there, goes no further than this page.
 */
function ofWindow(page: QueryResult, { limit }: NewestRows): QueryResult {
  return limit === null ? inWindow(page) : { ...page, pageToken: undefined };
}

/** A page of a window, the next of which is one of the window as well. */
function inWindow(page: QueryResult): QueryResult {
  const { pageToken } = page;
  return pageToken === undefined ? page : { ...page, pageToken: { kind: 'window', page: pageToken } };
}

/** Whether a parameter is a bound that is not given. */
function isOpen(parameter: QueryParameter | undefined): boolean {
  return parameter?.type === 'TIMESTAMP' && parameter.value === null;
}

/** Whether the rows of a window are all that the query wants. */
function isFull({ rows, truncated }: QueryResult, { limit }: NewestRows, maxRows: number): boolean {
  return truncated || (limit !== null && limit <= BigInt(maxRows) && BigInt(rows.length) >= limit);
}

/** The query with its lower bound where a window begins. Windows reach back from the upper bound, or the present. */
function boundQuery(
  query: WarehouseQuery,
  { start, end }: TimeWindowParameters,
  window: number,
  nowMicros: bigint,
): WarehouseQuery {
  const width = WINDOW_MICROS[window];
  const upper = query.parameters.get(end)?.value;
  const until = typeof upper === 'bigint' && upper < nowMicros ? upper : nowMicros;
  // A bound at the very beginning is none: nothing is earlier, and it would leave out that instant itself.
  if (width === undefined || until - width <= MIN_TIMESTAMP_MICROS) return query;
  const bound: QueryParameter = { type: 'TIMESTAMP', value: until - width };
  return { ...query, parameters: new Map([...query.parameters, [start, bound]]) };
}

/**
 * What each window wider than the one tried would read, the last of them everything. Nothing where that cannot be
 * known, or where everything is hardly more than what was read: then everything is next.
 */
async function estimateWindows(
  { estimate }: Warehouse,
  within: (window: number) => WarehouseQuery,
  tried: { readonly window: number; readonly read: number },
  options: RunOptions,
): Promise<readonly number[]> {
  const windows = WINDOW_MICROS.map((_, window) => window);
  // Where nothing is counted, each window is as good as twice the one before.
  if (estimate === undefined) return [...windows.map((window) => 2 ** window), Infinity];
  const bytesOf = async (window: number) => (await estimate(within(window), options)).bytes;
  try {
    const everything = await bytesOf(EVERYTHING);
    if (everything <= 2 * tried.read) return [];
    const narrower = windows.map((window) => (window <= tried.window ? 0 : bytesOf(window)));
    return [...(await Promise.all(narrower)), everything];
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

function questionOf({ sql, parameters }: WarehouseQuery, maxRows: number): string {
  const values = [...parameters].map(([name, { value }]) => [name, String(value)]);
  return JSON.stringify([sql, values, maxRows]);
}
