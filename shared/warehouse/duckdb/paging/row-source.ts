import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api';
import type { ParameterName } from '../../../sql/resolved/expression.ts';
import type { QueryParameter } from '../../../sql/types/query-parameter.ts';
import type { ConnectionPool, PooledConnection } from '../connection-pool.ts';
import { exactNumbers, type RawNumbers } from '../exact-numbers.ts';
import { NOW } from '../translate/internal-parameters.ts';
import type { Translation } from '../translate/translate.ts';

/** Some rows, whose texts are made when they are asked for. */
export interface Rows {
  readonly count: number;
  text(index: number): string;
}

/** The rows of one run of a query, some at a time. */
export interface RowSource {
  /** Runs `work`, which reads with `next` (null at the end), with the connection that reading takes. One at a time. */
  read<T>(work: (next: () => Promise<Rows | null>, connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /** Whether there were more rows than it could read, once it has read the last. */
  readonly isCut: boolean;
  /** Gives up what is kept for reading on. Not while `read` is at work. */
  close(): Promise<void>;
}

/** The values of a query's own parameters and of those that translation adds, by name. */
export type BoundValues = ReadonlyMap<ParameterName, QueryParameter>;

/** The values that a query is run with. */
export function boundValues(parameters: BoundValues, nowMicros: bigint): BoundValues {
  return new Map([...parameters, [NOW, { type: 'TIMESTAMP', value: nowMicros }]]);
}

/** All rows of a translated query. */
export function allRows(
  { statements }: PooledConnection,
  translation: Translation,
  values: BoundValues,
): Promise<Rows[]> {
  return statements.use(translation, valuesOf(translation, values), async (statement) => {
    const result = await statement.run();
    // All rows are there. To fetch them would wait for the event loop once for each chunk, behind whatever else runs.
    return Array.from({ length: result.chunkCount }, (_, index) =>
      rowsOf(result.getChunk(index), translation.rawNumbers),
    );
  });
}

function rowsOf(chunk: DuckDBDataChunk, rawNumbers: RawNumbers | null): Rows {
  const column = chunk.getColumnVector(0);
  const written = (index: number) => String(column.getItem(index));
  return {
    count: chunk.rowCount,
    text: rawNumbers === null ? written : (index) => exactNumbers(written(index), rawNumbers),
  };
}

/** Rows that `readAll` reads at once. */
export function wholeRows(
  pool: ConnectionPool,
  readAll: (pooled: PooledConnection) => Promise<Rows[]>,
): RowSource {
  let read: Rows[] | null = null;
  return {
    isCut: false,
    read: (work) =>
      pool.use((pooled) =>
        work(async () => {
          read ??= await readAll(pooled);
          return read.shift() ?? null;
        }, pooled.connection),
      ),
    close: async () => {
      read = [];
    },
  };
}

/** The rows of a query that is run once and stands still between reads, on its own connection. */
export function streamRows(pool: ConnectionPool, translation: Translation, values: BoundValues): RowSource {
  let open: { readonly pooled: PooledConnection; readonly stream: DuckDBResult } | null = null;
  let hasStarted = false;
  let hasEnded = false;

  async function start(pooled: PooledConnection): Promise<DuckDBResult> {
    return pooled.statements.use(translation, valuesOf(translation, values), (statement) =>
      statement.stream(),
    );
  }

  async function close(): Promise<void> {
    const pooled = open?.pooled;
    open = null;
    if (pooled === undefined) return;
    // DuckDB lets go of a stream when the connection runs something else.
    await pooled.connection.run('SELECT 1');
    pool.giveBack(pooled);
  }

  return {
    isCut: false,
    async read(work) {
      const pooled = open?.pooled ?? (await pool.take());
      const next = async () => {
        // A stream that was given up looks like one that has ended.
        if (hasStarted && open === null && !hasEnded) throw new TypeError('the stream is closed');
        if (hasEnded) return null;
        if (open === null) {
          hasStarted = true;
          open = { pooled, stream: await start(pooled) };
        }
        const chunk = await open.stream.fetchChunk();
        if (chunk !== null && chunk.rowCount > 0) return rowsOf(chunk, translation.rawNumbers);
        hasEnded = true;
        return null;
      };
      let isWell = false;
      try {
        const outcome = await work(next, pooled.connection);
        isWell = true;
        return outcome;
      } finally {
        if (open === null || hasEnded) {
          open = null;
          pool.giveBack(pooled);
        } else if (!isWell) {
          await close();
        }
      }
    },
    close,
  };
}

/** The values of a statement's parameters, in order. */
export function valuesOf({ parameters }: Translation, values: BoundValues): readonly QueryParameter[] {
  return parameters.map((name) => {
    const value = values.get(name);
    if (value === undefined)
      throw new TypeError(`the query parameter ${String(name)} was compiled but is not bound`);
    return value;
  });
}
