import { ServiceError } from '../../errors/service-error.ts';
import type { Warn } from '../../errors/warn.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import { column, integer, query, select, table } from '../../sql/ast/build.ts';
import { printQuery } from '../../sql/print/print-query.ts';
import { bytesBilledByRule } from '../bytes-billed.ts';
import { readNewestFirst } from '../newest-first/newest-first-warehouse.ts';
import { type PageToken, pageExpired } from '../page-token.ts';
import { textOf } from '../query-text.ts';
import { STORED_DATASET } from '../stored-dataset.ts';
import type {
  CountingWarehouse,
  PageOptions,
  QueryEstimate,
  QueryResult,
  QueryUsage,
  RunOptions,
  WarehouseQuery,
} from '../warehouse.ts';
import type { PartitionBy } from './billing/partitioned-range.ts';
import { makeRefusals } from './billing/refusals.ts';
import { QueryCompiler } from './compile/query-compiler.ts';
import { type BoundQuery, bindQuery } from './jobs/bound-query.ts';
import { dryRunBytes } from './jobs/dry-run.ts';
import { makeQueryJobs } from './jobs/query-jobs.ts';
import { makeTableCheck } from './jobs/table-check.ts';
import { limitedWork } from './limited-work.ts';
import { rowLimitOf } from './paging/row-limit.ts';
import { ApiFailure } from './rest/api-failure.ts';
import { makeRestApi } from './rest/rest-api.ts';
import { backoffMs, type RetryDelay } from './rest/retries.ts';
import { type CollectedRows, collectRows } from './results/collect-rows.ts';
import { makePageMeter } from './results/page-meter.ts';
import { insideNamesOf, locateSources } from './source-tables.ts';
import { valueFailure } from './value-failure.ts';

/** How long a readiness check may take, in ms. */
const PING_DEADLINE_MS = 4_000;

export interface BigQueryOptions {
  /** The schemas of the sources. */
  readonly tables: TableSchemas;
  /** The project that runs the queries and pays for them. */
  readonly project: string;
  /** Where the sources are, under their own names: `dataset` or `project.dataset`; null where all are in `logTables`. */
  readonly dataset: string | null;
  /** Those that lie elsewhere, by source: `dataset.table` or `project.dataset.table`, or null for one that is absent. */
  readonly logTables?: ReadonlyMap<string, string | null>;
  /** Null for the dataset's own. */
  readonly location: string | null;
  /** BIGQUERY_EMULATOR_HOST: `host:port` or a URL; null for Google's service. */
  readonly emulatorHost: string | null;
  readonly warn: Warn;
  readonly retryDelayMs?: RetryDelay;
  /** How finely the log tables are partitioned, as refusals count what would fit; by the hour without it. */
  readonly partitionBy?: PartitionBy;
  /** Milliseconds since some moment, which never run backwards; those of the process without it. */
  readonly monotonicMs?: () => number;
}

/**
 * The warehouse on BigQuery, through @google-cloud/bigquery, which is loaded for the first query. Queries are checked
 * against the schemas here before BigQuery sees them. The clock is that of RunOptions, bound as a parameter wherever a
 * query asks for the time, so that both warehouses answer for the same instant. The newest rows are read in widening
 * windows (newest-first), so that their price does not grow with the logs. The next pages of a result are read from its
 * finished job, which BigQuery keeps for a day and does not bill again. Closing it waits for the jobs that
 * are being cancelled. Throws a ConfigurationError as `locateSources` does.
 */
export function makeBigQueryWarehouse(options: BigQueryOptions): CountingWarehouse {
  const { tables: schemas, location, warn, project, dataset, logTables = new Map() } = options;
  const delayMs = options.retryDelayMs ?? backoffMs;
  const nowMs = options.monotonicMs ?? (() => performance.now());
  const tables = locateSources({ sources: schemas.keys(), project, dataset, logTables });
  const compiler = new QueryCompiler({ schemas, tables });
  const api = makeRestApi({ project, emulatorHost: options.emulatorHost });
  const jobs = makeQueryJobs({ api, location, delayMs, warn });
  const checkTables = makeTableCheck({ api, schemas, tables, warn, nowMs });
  const failed = { query: { insideNames: insideNamesOf(project, tables) }, warn };

  /** Compiles a query and does the work with it, within its limits. */
  function withQuery<T>(
    query: WarehouseQuery,
    runOptions: RunOptions,
    work: (bound: BoundQuery, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const bound = bindQuery(compiler, query, runOptions);
    return limitedWork(runOptions, failed, (signal) => work(bound, signal));
  }

  const estimating = async (
    { tables: read, ...request }: BoundQuery,
    { maxBytesBilled = null }: RunOptions,
    signal: AbortSignal,
  ): Promise<QueryEstimate> => {
    const bytes = await dryRunBytes(api, request, { location, signal, delayMs });
    // The least that is billed is for tables of which something is read.
    const bytesBilled = bytes === 0 ? 0 : bytesBilledByRule(bytes, read.size);
    return { bytes, bytesBilled, isRefused: maxBytesBilled !== null && bytesBilled > maxBytesBilled };
  };

  const refuse = makeRefusals({
    partitionBy: options.partitionBy ?? 'hour',
    billed: async (query, runOptions, signal) => {
      const bound = bindQuery(compiler, query, runOptions);
      return (await estimating(bound, runOptions, signal)).bytesBilled;
    },
  });

  async function run(query: WarehouseQuery, runOptions: RunOptions): Promise<QueryResult> {
    const { maxRows, deadlineMs, maxBytesBilled = null, onEnding } = runOptions;
    const startedAtMs = performance.now();
    return withQuery(query, runOptions, async (bound, signal) => {
      const limits = { maxResults: maxRows + 1, maximumBytesBilled: maxBytesBilled, deadlineMs, onEnding };
      const { rows: meter, onBytes } = makePageMeter(runOptions.grow);
      let usage: QueryUsage = UNKNOWN_USAGE;
      const onUsage = (taken: QueryUsage) => {
        usage = taken;
        runOptions.onUsage?.(taken);
      };
      const pages = jobs.run({ ...bound, ...limits, onBytes, onUsage }, signal);
      const reading = collectRows(pages, bound.columns, maxRows, meter);
      // Both at once: the check takes less time than most queries, and no row leaves before it is done.
      const check = query.isUntrusted === true ? checkTables(bound, { location, signal, delayMs }) : null;
      const collected = reading.catch(async (error: unknown) => {
        const ofValue = check === null ? null : valueFailure(error);
        if (ofValue === null) return refuse(error, { query, options: runOptions, signal, startedAtMs });
        // What BigQuery has against the text of the query, it says without reading any row.
        await check;
        throw ofValue;
      });
      const place = { startIndex: 0, rowLimit: rowLimitOf(maxRows) };
      const [rows] = await Promise.all([collected, check]);
      return withPageToken({ ...rows, ...usage }, place);
    });
  }

  async function nextPage(token: PageToken, { maxRows, ...limits }: PageOptions): Promise<QueryResult> {
    if (token.kind !== 'job') throw pageExpired();
    const { jobId, location: region, startIndex, rowLimit } = token;
    const job = { jobId, location: region };
    // One row after those that can be read shows whether there are more.
    const count = Math.min(maxRows, rowLimit - startIndex);
    if (count < 1) throw pageExpired();
    return limitedWork(limits, { query: { insideNames: [] }, warn }, async (signal) => {
      const { rows: meter, onBytes } = makePageMeter(limits.grow);
      const pages = jobs.rows({ job, startIndex, maxResults: count + 1, onBytes }, signal);
      const collected = await collectRows(pages, null, count, meter).catch((error: unknown) => {
        throw error instanceof ApiFailure && isGone(error) ? pageExpired({ cause: error }) : error;
      });
      return withPageToken({ ...collected, ...UNKNOWN_USAGE, job }, token);
    });
  }

  async function estimate(query: WarehouseQuery, runOptions: RunOptions): Promise<QueryEstimate> {
    return withQuery(query, runOptions, async (bound, signal) => {
      const estimated = await estimating(bound, runOptions, signal);
      const absentSources = [...bound.sources].filter((source) => tables.get(source) === null);
      return absentSources.length === 0 ? estimated : { ...estimated, absentSources };
    });
  }

  const warehouse: CountingWarehouse = {
    tables: schemas,
    prepare: async (query) => compiler.prepare(query),
    run,
    nextPage,
    estimate,
    ping: async () => {
      const sources = [...tables.keys()];
      const source = sources.find((one) => tables.get(one) !== null) ?? sources[0] ?? '';
      const query = { sql: noRowsOf(source), parameters: new Map() };
      const pinged = estimate(query, { maxRows: 1, deadlineMs: PING_DEADLINE_MS, nowMicros: 0n });
      await pinged.catch((error: unknown) => {
        throw new ServiceError('unavailable', 'The warehouse does not answer.', { cause: error });
      });
    },
    close: () => jobs.close(),
  };
  return readNewestFirst(
    warehouse,
    (query, start) => compiler.prepare(textOf(query)).newestRows.get(start) ?? null,
  );
}

/** Of rows that are read again: their query was counted when it ran. */
const UNKNOWN_USAGE: QueryUsage = { bytesProcessed: null, bytesBilled: null };

/** Whether BigQuery no longer knows a job, or has dropped its result, which it keeps for a day. */
function isGone(failure: ApiFailure): boolean {
  return failure.status === 404 || failure.status === 410 || failure.has('notFound');
}

/** The page that begins at `startIndex`, with the place of the rows after it where they can be read. */
function withPageToken(
  { job, ...page }: CollectedRows & QueryUsage,
  { startIndex, rowLimit }: { readonly startIndex: number; readonly rowLimit: number },
): QueryResult {
  const next = startIndex + page.rows.length;
  if (!page.truncated || job === null || next >= rowLimit) return page;
  return { ...page, pageToken: { kind: 'job', ...job, startIndex: next, rowLimit } };
}

/** A query that reads nothing of a source. */
function noRowsOf(source: string): string {
  const one = select([column(integer(1))], { from: table([STORED_DATASET, source]) });
  return printQuery(query(one, { limit: integer(0) }));
}
