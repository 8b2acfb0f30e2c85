import type { DuckDBConnection } from '@duckdb/node-api';
import type { ParameterType, QueryParameter } from '../../endpoints/query-parameter.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import type { QueryResult, RunOptions, Warehouse, WarehouseQuery } from '../warehouse.ts';
import { bindValue } from './bind-values.ts';
import { type CompiledQuery, QueryCompiler } from './compile-query.ts';
import { ConnectionPool } from './connection-pool.ts';
import { toServiceError } from './duckdb-errors.ts';
import { exactNumbers } from './exact-numbers.ts';
import type { Store } from './store/open-store.ts';
import { NOW_PARAMETER } from './translate/print-expression.ts';

/** How long a readiness check may take, in ms. */
const PING_DEADLINE_MS = 2_000;

/** The warehouse on embedded DuckDB, over a store that is loaded and locked. Closing it closes the store. */
export function makeDuckDbWarehouse(store: Store, tables: TableSchemas): Warehouse {
  const compiler = new QueryCompiler(tables);
  const pool = new ConnectionPool(() => store.connect());
  return {
    tables,
    describe: ({ sql, parameterTypes }) => compiler.compile(sql, parameterTypes, 1).columns,
    run: (query, options) => run(compiler, pool, query, options),
    ping: () =>
      pool.use(async (connection) => {
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
  const rows = await pool.use((connection) =>
    interruptible(connection, options, () => fetchRows(connection, compiled, values)),
  );
  const truncated = rows.length > options.maxRows;
  return { columns: compiled.columns, rows: truncated ? rows.slice(0, options.maxRows) : rows, truncated };
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

async function fetchRows(
  connection: DuckDBConnection,
  compiled: CompiledQuery,
  values: readonly QueryParameter[],
): Promise<string[]> {
  const statement = await connection.prepare(compiled.sql);
  try {
    for (const [index, value] of values.entries()) bindValue(statement, index + 1, value);
    const reader = await statement.runAndReadAll();
    const rows = reader.getRows().map(([row]) => String(row));
    return compiled.hasRawNumbers ? rows.map(exactNumbers) : rows;
  } finally {
    statement.destroySync();
  }
}

/** Runs `work` and interrupts the connection when the deadline passes or the caller goes away. */
async function interruptible<T>(
  connection: DuckDBConnection,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw abandoned();
  let cause: ServiceError | null = null;
  const stop = (reason: ServiceError) => {
    cause ??= reason;
    connection.interrupt();
  };
  const onAbort = () => stop(abandoned());
  const timer = setTimeout(() => stop(tooSlow(deadlineMs)), deadlineMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work();
  } catch (error) {
    throw cause ?? toServiceError(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function tooSlow(deadlineMs: number): ServiceError {
  return new ServiceError(
    'deadline_exceeded',
    `The query ran longer than ${deadlineMs} ms and was cancelled; narrow the time range or select fewer rows.`,
  );
}

function abandoned(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The caller went away and the query was cancelled.');
}
