import type { DuckDBConnection } from '@duckdb/node-api';
import type { Store } from '../store/open-store.ts';

/** Counts the rows that the queries of one connection read of tables. */
export interface ScanCounter {
  /** The connection whose queries are counted. */
  readonly connection: DuckDBConnection;
  /** Forgets what was counted. */
  reset(): Promise<void>;
  /** The rows that were read since then, by queries that have ended; null where none has. */
  taken(): Promise<number | null>;
}

/** Each row group is counted whole or, where its bounds cannot match, not at all: that is what the engine reads. */
const METRIC = 'CUMULATIVE_ROWS_SCANNED';
const VALUE = /'value': (\d+)/;

/**
 * Opens a connection that the engine counts. A locked store changes no setting, and these belong to a connection, so it is
 * opened before. The engine writes the counts into its log of metrics, which lies in memory and is emptied after each query.
 */
export async function openScanCounter(store: Store): Promise<ScanCounter> {
  const connection = await store.connect();
  await connection.run("SET enable_profiling = 'no_output'");
  await connection.run(`SET custom_profiling_settings = '{"${METRIC}": "true"}'`);
  const reader = await store.connect();
  await reader.run("CALL enable_logging('Metrics')");
  const read = await reader.prepare("SELECT message FROM duckdb_logs() WHERE type = 'Metrics'");
  const empty = await reader.prepare('CALL truncate_duckdb_logs()');
  return {
    connection,
    reset: async () => void (await empty.run()),
    async taken() {
      const messages = (await read.runAndReadAll()).getColumns()[0] ?? [];
      const counts = messages.map((message) => String(message)).filter((text) => text.includes(METRIC));
      return counts.length === 0
        ? null
        : counts.reduce((sum, text) => sum + Number(VALUE.exec(text)?.[1] ?? 0), 0);
    },
  };
}
