import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '../../errors/service-error.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import { textOf } from '../query-text.ts';
import type { QueryResult, RunOptions, Warehouse, WarehouseQuery } from '../warehouse.ts';
import type { CompiledQuery, QueryCompiler } from './compile-query.ts';
import { ConnectionPool } from './connection-pool.ts';
import { countScanned } from './count-scanned.ts';
import { toServiceError } from './duckdb-errors.ts';
import { type Ending, interruptible } from './interruptible.ts';
import { LiveCompilers } from './live/live-compilers.ts';
import type { LiveReader } from './live/live-reader.ts';
import { type LiveViews, NOTHING_LIVE } from './live/live-view.ts';
import { OPEN_RESULT_LIMITS, type OpenResultLimits, OpenResults } from './paging/open-results.ts';
import { RecentFirst } from './paging/recent-first.ts';
import { RowReader } from './paging/row-reader.ts';
import { type BoundValues, boundValues, streamRows, wholeRows } from './paging/row-source.ts';
import { sliceRows } from './paging/slice-source.ts';
import type { Store } from './store/open-store.ts';
import { unsupportedFunctions } from './translate/functions/translate-call.ts';
import type { KnownTables } from './translate/passes/known-data.ts';

/** How long a readiness check may take, in ms. */
const PING_DEADLINE_MS = 2_000;

export interface DuckDbWarehouseOptions {
  /** Of `readTimeRanges`; bounds of time that leave nothing out are then not looked at. */
  readonly timeRanges?: KnownTables['timeRanges'];
  /** Of `readLayouts`. */
  readonly layouts: KnownTables['layouts'];
  /** The entries that arrive while the warehouse is open, and what makes the store's engine see them. */
  readonly live?: { readonly views: LiveViews; readonly reader: LiveReader };
  /** The connection to use before others are opened. */
  readonly connection?: DuckDBConnection;
  /** How much of results is kept for their next pages. */
  readonly limits?: OpenResultLimits;
}

/** The warehouse on embedded DuckDB, over a store that is loaded and locked. Closing it closes the store. */
export function makeDuckDbWarehouse(
  store: Store,
  tables: TableSchemas,
  {
    layouts,
    timeRanges = new Map(),
    live,
    connection: first,
    limits = OPEN_RESULT_LIMITS,
  }: DuckDbWarehouseOptions,
): Warehouse & Required<Pick<Warehouse, 'nextPage'>> {
  const compilers = new LiveCompilers({ tables, timeRanges, layouts });
  const openResults = new OpenResults(limits);
  const recentFirst = new RecentFirst();
  const pool = new ConnectionPool(async () => {
    try {
      return await store.connect();
    } catch (error) {
      throw toServiceError(error);
    }
  }, first);

  live?.reader.onGoneTables(() => pool.renewStatements());
  const current = () => compilers.of(live?.views.current ?? NOTHING_LIVE);

  /** Does work with a query, compiled for the tables as they are now, while all entries that there are now can be seen. */
  async function withEntries<T>(
    compile: (compiler: QueryCompiler) => CompiledQuery,
    work: (compiled: CompiledQuery) => Promise<T>,
  ): Promise<T> {
    if (live === undefined) return work(compile(compilers.of(NOTHING_LIVE).compiler));
    const { view, release } = live.views.acquire();
    let areSeen = false;
    try {
      const compiled = compile(compilers.of(view.snapshot).compiler);
      return await live.reader.use(view, compiled.units, () => {
        areSeen = true;
        return work(compiled);
      });
    } catch (error) {
      throw areSeen || error instanceof ServiceError ? error : toServiceError(error);
    } finally {
      release();
    }
  }

  async function run(query: WarehouseQuery, options: RunOptions): Promise<QueryResult> {
    const { parameters } = query;
    const nulls = [...parameters].filter(([, { value }]) => value === null);
    const nullParameters = new Set(nulls.map(([name]) => name));
    const text = textOf(query);
    const shape = { pageRows: options.maxRows, nullParameters };
    const withCompiled: WithCompiled = (work) =>
      withEntries((compiler) => compiler.prepare(text, shape), work);
    const startedAtMs = performance.now();
    const result = await withCompiled((compiled) => runCompiled(compiled, withCompiled, query, options));
    if (options.countsRows !== true || result.pageToken !== undefined) return result;
    const ending = { ...options, deadlineMs: leftMs(options, startedAtMs) };
    const values = boundValues(parameters, options.nowMicros);
    const rowsScanned = await withCompiled((compiled) => {
      const { paging } = compiled;
      const read = { ...recentFirst.lastRead(compiled, values), paging };
      return countScanned(pool, read, values, ending);
    });
    return rowsScanned === null ? result : { ...result, rowsScanned };
  }

  async function runCompiled(
    compiled: CompiledQuery,
    withCompiled: WithCompiled,
    { parameters }: WarehouseQuery,
    options: RunOptions,
  ): Promise<QueryResult> {
    const values = boundValues(parameters, options.nowMicros);
    const open = () => readerOf({ pool, recentFirst }, compiled, withCompiled, values);
    const startedAtMs = performance.now();
    try {
      return await firstPage(open(), compiled, options.maxRows, options);
    } catch (error) {
      if (!isOutOfMemory(error) || openResults.count === 0) throw error;
      // Whoever asks now goes before those who may ask for a next page.
      await openResults.clear();
      const deadlineMs = leftMs(options, startedAtMs);
      return await firstPage(open(), compiled, options.maxRows, { ...options, deadlineMs });
    }
  }

  async function firstPage(
    reader: RowReader,
    { columns }: CompiledQuery,
    maxRows: number,
    ending: Ending,
  ): Promise<QueryResult> {
    const { rows, truncated, hasNext } = await reader.page(maxRows, ending);
    if (hasNext) {
      return {
        columns,
        rows,
        truncated,
        bytesProcessed: null,
        bytesBilled: null,
        pageToken: openResults.keep(reader, columns, rows.length),
      };
    }
    await reader.close();
    return { columns, rows, truncated, bytesProcessed: null, bytesBilled: null };
  }

  return {
    get tables() {
      return current().tables;
    },
    unsupportedFunctions: async () => unsupportedFunctions(),
    prepare: async (query, maxRows) => current().compiler.prepare(query, { pageRows: maxRows }),
    run,
    nextPage: (token, options) => openResults.nextPage(token, options),
    ping: () =>
      pool.use(async ({ connection }) => {
        await interruptible(connection, { deadlineMs: PING_DEADLINE_MS }, () => connection.run('SELECT 1'));
      }),
    close: async () => {
      await openResults.clear();
      await store.close();
    },
  };
}

/** What is left of a run's deadline, in ms. */
function leftMs({ deadlineMs }: Ending, startedAtMs: number): number {
  return Math.max(1, Math.ceil(deadlineMs - (performance.now() - startedAtMs)));
}

/** Does work with the query compiled for the tables as they are now, which stay so meanwhile. */
type WithCompiled = <T>(work: (compiled: CompiledQuery) => Promise<T>) => Promise<T>;

function readerOf(
  { pool, recentFirst }: { readonly pool: ConnectionPool; readonly recentFirst: RecentFirst },
  compiled: CompiledQuery,
  withCompiled: WithCompiled,
  values: BoundValues,
): RowReader {
  const { paging } = compiled;
  switch (paging.kind) {
    case 'one-page':
      return new RowReader(
        wholeRows(pool, (pooled) => recentFirst.rows(pooled, compiled, values)),
        { rows: Infinity, isCut: false },
      );
    case 'stream':
      return new RowReader(streamRows(pool, compiled, values), { rows: paging.maxRows, isCut: true });
    case 'slices': {
      const rows = paging.mostRows ?? Infinity;
      const slices = sliceRows(pool, (work) => withCompiled((now) => work(now, now.paging)), values);
      return new RowReader(slices, { rows, isCut: false });
    }
    default: {
      const unreachable: never = paging;
      throw new TypeError(`paging ${JSON.stringify(unreachable)}`);
    }
  }
}

/** Whether DuckDB ran out of what all queries share; where only an answer is too long there is no cause. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'resource_exhausted' && error.cause !== undefined;
}
