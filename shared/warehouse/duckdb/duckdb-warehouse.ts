import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { ParameterType, QueryParameter } from '../../endpoints/query-parameter.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import type { QueryResult, RunOptions, Warehouse, WarehouseQuery } from '../warehouse.ts';
import { bindValue } from './bind-values.ts';
import { type CompiledQuery, QueryCompiler } from './compile-query.ts';
import { ConnectionPool } from './connection-pool.ts';
import { toServiceError } from './duckdb-errors.ts';
import { exactNumbers } from './exact-numbers.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import type { Store } from './store/open-store.ts';
import { NOW_PARAMETER } from './translate/print-expression.ts';

/** How often a query that has to stop is told so, in ms. */
const INTERRUPT_EVERY_MS = 20;

/** The most characters of an answer's rows; what is answered is held in memory several times over. */
const MAX_RESULT_LENGTH = 32 * 1024 * 1024;

/** How long a readiness check may take, in ms. */
const PING_DEADLINE_MS = 2_000;

/** The warehouse on embedded DuckDB, over a store that is loaded and locked. Closing it closes the store. */
export function makeDuckDbWarehouse(store: Store, tables: TableSchemas): Warehouse {
  const compiler = new QueryCompiler(tables);
  const pool = new ConnectionPool(async () => {
    try {
      return await store.connect();
    } catch (error) {
      throw toServiceError(error);
    }
  });
  return {
    tables,
    describe: ({ sql, parameterTypes }) => compiler.compile(sql, parameterTypes, 1).columns,
    run: (query, options) => run(compiler, pool, query, options),
    ping: () =>
      pool.use(async ({ connection }) => {
        await interruptible(connection, { deadlineMs: PING_DEADLINE_MS }, () => connection.run('SELECT 1'));
      }),
    close: () => store.close(),
  };
}

async function run(
  compiler: QueryCompiler,
  pool: ConnectionPool,
  { sql, parameters }: WarehouseQuery,
  options: RunOptions,
): Promise<QueryResult> {
  const types = new Map<string, ParameterType>();
  for (const [name, { type }] of parameters) types.set(name, type);
  const compiled = compiler.compile(sql, types, options.maxRows + 1);
  const values = [...boundValues(compiled, parameters, options.nowMicros)];
  const rows = await pool.use(({ connection, statements }) =>
    interruptible(connection, options, () => fetchRows(statements, compiled, values)),
  );
  const truncated = rows.length > options.maxRows;
  return {
    columns: compiled.columns,
    rows: truncated ? rows.slice(0, options.maxRows) : rows,
    truncated,
    bytesProcessed: null,
  };
}

function* boundValues(
  compiled: CompiledQuery,
  parameters: WarehouseQuery['parameters'],
  nowMicros: bigint,
): Generator<QueryParameter> {
  for (const name of compiled.parameters) {
    const parameter =
      name === NOW_PARAMETER ? { type: 'TIMESTAMP' as const, value: nowMicros } : parameters.get(name);
    if (parameter === undefined)
      throw new TypeError(`the query parameter ${name} was compiled but is not bound`);
    yield parameter;
  }
}

function fetchRows(
  statements: PreparedStatements,
  compiled: CompiledQuery,
  values: readonly QueryParameter[],
): Promise<string[]> {
  return statements.use(compiled.sql, async (statement) => {
    for (const [index, value] of values.entries()) bindValue(statement, index + 1, value);
    const rows = readRows(await (await statement.run()).fetchAllChunks());
    const { rawNumbers } = compiled;
    return rawNumbers === null ? rows : rows.map((row) => exactNumbers(row, rawNumbers));
  });
}

/** The texts of the rows, as long as they are not too long to be answered. */
function readRows(chunks: readonly DuckDBDataChunk[]): string[] {
  const rows: string[] = [];
  let length = 0;
  for (const chunk of chunks) {
    const column = chunk.getColumnVector(0);
    for (let index = 0; index < chunk.rowCount; index++) {
      const row = String(column.getItem(index));
      length += row.length;
      if (length > MAX_RESULT_LENGTH) throw tooLong();
      rows.push(row);
    }
  }
  return rows;
}

/** Runs `work` and interrupts the connection when the deadline passes or the caller goes away. */
async function interruptible<T>(
  connection: DuckDBConnection,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw abandoned();
  let cause: ServiceError | null = null;
  let interrupting: NodeJS.Timeout | undefined;
  const stop = (reason: ServiceError) => {
    cause ??= reason;
    connection.interrupt();
    // An interruption is lost when the query has not begun to run, so it is repeated until the work has ended.
    interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  const onAbort = () => stop(abandoned());
  const timer = setTimeout(() => stop(tooSlow(deadlineMs)), deadlineMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work();
  } catch (error) {
    throw cause ?? (error instanceof ServiceError ? error : toServiceError(error));
  } finally {
    clearTimeout(timer);
    clearInterval(interrupting);
    signal?.removeEventListener('abort', onAbort);
  }
}

function tooSlow(deadlineMs: number): ServiceError {
  return new ServiceError(
    'deadline_exceeded',
    `The query ran longer than ${deadlineMs} ms and was cancelled; narrow the time range or select fewer rows.`,
  );
}

function tooLong(): ServiceError {
  return new ServiceError(
    'resource_exhausted',
    'The answer is longer than 32 MiB; select fewer columns or rows.',
  );
}

function abandoned(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The caller went away and the query was cancelled.');
}
