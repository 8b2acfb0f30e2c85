import { ZodError } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import { CompiledQueries } from '../../sql/sandbox/compiled-queries.ts';
import { readNewestFirst } from '../newest-first/newest-first-warehouse.ts';
import type { QueryEstimate, QueryResult, RunOptions, Warehouse, WarehouseQuery } from '../warehouse.ts';
import type { CompiledQuery } from './compile/compile-query.ts';
import { QueryCompiler, typesOf } from './compile/query-compiler.ts';
import { parseDatasetReference } from './dataset-reference.ts';
import { type FailedQuery, toServiceError } from './failures.ts';
import { dryRunBytes, dryRunTables } from './jobs/dry-run.ts';
import { makeQueryJobs } from './jobs/query-jobs.ts';
import { abandoned, tooLong, tooSlow, unusable } from './query-problems.ts';
import { abortable } from './rest/abortable.ts';
import { ApiFailure } from './rest/api-failure.ts';
import { jobLabels } from './rest/labels.ts';
import { type RestParameter, restParameter } from './rest/query-parameters.ts';
import { makeRestApi } from './rest/rest-api.ts';
import { backoffMs, type RetryDelay } from './rest/retries.ts';
import { UnusableAnswer } from './rest/unusable-answer.ts';
import { makeRowWriter } from './results/row-writer.ts';
import type { Warn } from './warn.ts';

/** The most characters of an answer's rows; what is answered is held in memory several times over. */
const MAX_RESULT_LENGTH = 32 * 1024 * 1024;

/** How long a readiness check may take, in ms. */
const PING_DEADLINE_MS = 4_000;

/** Most bytes of text of the queries that are known to read what they may. */
const MAX_CHECKED_BYTES = 4 * 1024 * 1024;

export interface BigQueryOptions {
  /** The schemas of the log tables. */
  readonly tables: TableSchemas;
  /** The project that runs the queries and pays for them. */
  readonly project: string;
  /** Where the tables are: `dataset` or `project.dataset`. */
  readonly dataset: string;
  /** Null for the dataset's own. */
  readonly location: string | null;
  /** BIGQUERY_EMULATOR_HOST: `host:port` or a URL; null for Google's service. */
  readonly emulatorHost: string | null;
  readonly warn: Warn;
  readonly retryDelayMs?: RetryDelay;
  /**
   * Whether BigQuery is asked, too, which tables a consumer's query reads. Left out, it is but for an emulator: those
   * run what they are asked about in full, and name no tables.
   */
  readonly checksTables?: boolean;
}

/** The names of the warehouse that no consumer may write, and that no message to one carries. */
export function bigQueryNames({ project, dataset }: Pick<BigQueryOptions, 'project' | 'dataset'>): string[] {
  const reference = parseDatasetReference(dataset, project);
  return [...new Set([project, reference.project, reference.dataset])];
}

/**
 * The warehouse on BigQuery, through @google-cloud/bigquery, which is loaded for the first query. Queries are checked
 * against the schemas here before BigQuery sees them. The clock is that of RunOptions, bound as a parameter wherever a
 * query asks for the time, so that both warehouses answer for the same instant. The newest rows are read in widening
 * windows (newest-first), so that their price does not grow with the logs. Closing it waits for the jobs that
 * are being cancelled.
 */
export function makeBigQueryWarehouse(options: BigQueryOptions): Warehouse {
  const { tables, location, warn, project } = options;
  const delayMs = options.retryDelayMs ?? backoffMs;
  const dataset = parseDatasetReference(options.dataset, project);
  const compiler = new QueryCompiler({ tables, dataset });
  const api = makeRestApi({ project, emulatorHost: options.emulatorHost });
  const jobs = makeQueryJobs({ api, location, delayMs, warn });
  const insideNames = bigQueryNames(options);
  const checked = new CompiledQueries<true>(MAX_CHECKED_BYTES);

  function prepare(
    { sql, parameters }: WarehouseQuery,
    { maxRows, nowMicros, labels }: RunOptions,
  ): Prepared {
    const compiled = compiler.compile(sql, typesOf(parameters), maxRows + 1);
    return {
      compiled,
      queryParameters: boundParameters(compiled, parameters, nowMicros),
      labels: jobLabels(labels ?? {}),
    };
  }

  const checksTables = options.checksTables ?? options.emulatorHost === null;
  const requestOf = ({ compiled, queryParameters, labels }: Prepared) => {
    return { query: compiled.sql, queryParameters, labels };
  };

  async function estimate(query: WarehouseQuery, runOptions: RunOptions): Promise<QueryEstimate> {
    const request = requestOf(prepare(query, runOptions));
    const failed = failedQuery(query, runOptions, insideNames);
    const bytes = await limited(runOptions, failed, (signal) =>
      dryRunBytes(api, request, { location, signal, delayMs }),
    );
    return { bytes };
  }

  /** Resolves when BigQuery, too, says that a consumer's query reads no other tables than our analyzer found. */
  async function checkTables(prepared: Prepared, signal: AbortSignal): Promise<void> {
    const { sql, tables: named } = prepared.compiled;
    if (checked.get(sql)) return;
    const referenced = await dryRunTables(api, requestOf(prepared), { location, signal, delayMs });
    const foreign = referenced.filter(
      (table) =>
        table.project !== dataset.project || table.dataset !== dataset.dataset || !named.has(table.table),
    );
    if (foreign.length > 0) {
      warn('a query was stopped: BigQuery says that it reads other tables than those of its sources', {
        foreign,
      });
      throw new ServiceError('invalid_argument', 'The query may only read the sources of the endpoint.');
    }
    checked.set(sql, true, 2 * sql.length);
  }

  async function collect(
    prepared: Prepared,
    runOptions: RunOptions,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    const { compiled, queryParameters, labels } = prepared;
    const { maxRows, deadlineMs } = runOptions;
    const names = compiled.columns.map(({ name }) => name);
    const pages = jobs.run(
      {
        query: compiled.sql,
        queryParameters,
        labels,
        maxResults: maxRows + 1,
        maximumBytesBilled: runOptions.maxBytesBilled ?? null,
        deadlineMs,
      },
      signal,
    );
    const rows: string[] = [];
    let length = 0;
    let bytesProcessed: number | null = null;
    let write: ((row: unknown) => string) | undefined;
    for await (const page of pages) {
      write ??= makeRowWriter(page.schema?.fields ?? [], names);
      bytesProcessed ??= page.totalBytesProcessed ?? null;
      for (const row of page.rows ?? []) {
        const text = write(row);
        length += text.length;
        if (length > MAX_RESULT_LENGTH) throw tooLong();
        rows.push(text);
      }
      if (rows.length > maxRows) break;
    }
    const truncated = rows.length > maxRows;
    return {
      columns: compiled.columns,
      rows: truncated ? rows.slice(0, maxRows) : rows,
      truncated,
      bytesProcessed,
    };
  }

  /** Runs `work` until the deadline passes or the caller goes away, and says of what it throws what may be said. */
  async function limited<T>(
    { deadlineMs, signal }: Pick<RunOptions, 'deadlineMs' | 'signal'>,
    failed: FailedQuery,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted) throw abandoned();
    const controller = new AbortController();
    const onAbort = () => controller.abort(abandoned());
    const timer = setTimeout(() => controller.abort(tooSlow(deadlineMs)), deadlineMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await abortable(work(controller.signal), controller.signal);
    } catch (error) {
      if (error instanceof ApiFailure) throw toServiceError(error, failed, warn);
      if (error instanceof ZodError || error instanceof UnusableAnswer) {
        warn('BigQuery answered something that cannot be used', { error: error.message });
        throw unusable(error);
      }
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      // Whatever of the work goes on beside what has failed has nobody waiting for it.
      controller.abort(abandoned());
    }
  }

  async function run(query: WarehouseQuery, runOptions: RunOptions): Promise<QueryResult> {
    const prepared = prepare(query, runOptions);
    return limited(runOptions, failedQuery(query, runOptions, insideNames), async (signal) => {
      if (query.isUntrusted !== true || !checksTables) return collect(prepared, runOptions, signal);
      // Both at once: the check takes less time than most queries, and no row leaves before it is done.
      const [result] = await Promise.all([
        collect(prepared, runOptions, signal),
        checkTables(prepared, signal),
      ]);
      return result;
    });
  }

  return readNewestFirst({
    tables,
    describe: ({ sql, parameterTypes }) => compiler.compile(sql, parameterTypes, 1).columns,
    run,
    estimate,
    ping: async () => {
      const [table = ''] = tables.keys();
      const query = { sql: `SELECT 1 FROM logs.\`${table}\` LIMIT 0`, parameters: new Map() };
      const pinged = estimate(query, { maxRows: 1, deadlineMs: PING_DEADLINE_MS, nowMicros: 0n });
      await pinged.catch((error: unknown) => {
        throw new ServiceError('unavailable', 'The warehouse does not answer.', { cause: error });
      });
    },
    close: () => jobs.close(),
  });
}

/** A query with all that BigQuery is told of it. */
interface Prepared {
  readonly compiled: CompiledQuery;
  readonly queryParameters: readonly RestParameter[];
  readonly labels: Readonly<Record<string, string>>;
}

function boundParameters(
  { parameters: used, clockParameter }: CompiledQuery,
  parameters: WarehouseQuery['parameters'],
  nowMicros: bigint,
): readonly RestParameter[] {
  const bound = [...parameters]
    .filter(([name]) => used.has(name.toLowerCase()))
    .map(([name, parameter]) => restParameter(name, parameter));
  if (clockParameter === null) return bound;
  return [...bound, restParameter(clockParameter, { type: 'TIMESTAMP', value: nowMicros })];
}

function failedQuery(
  { parameters }: WarehouseQuery,
  { maxBytesBilled, timeWindow }: RunOptions,
  insideNames: readonly string[],
): FailedQuery {
  const start = timeWindow?.start;
  const isMissing = start !== undefined && parameters.get(start)?.value === null;
  return { maxBytesBilled: maxBytesBilled ?? null, missingBound: isMissing ? start : null, insideNames };
}
