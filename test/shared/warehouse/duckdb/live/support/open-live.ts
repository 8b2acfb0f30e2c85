import type { TableSchemas } from '../../../../../../shared/schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../../shared/warehouse/duckdb/install-functions.ts';
import {
  isolateQueries,
  splitWarehouse,
} from '../../../../../../shared/warehouse/duckdb/isolated/isolated-queries.ts';
import type { LiveLimits } from '../../../../../../shared/warehouse/duckdb/live/live-limits.ts';
import { LiveReader } from '../../../../../../shared/warehouse/duckdb/live/live-reader.ts';
import { type LiveStore, openLiveStore } from '../../../../../../shared/warehouse/duckdb/live/live-store.ts';
import { loadedParts } from '../../../../../../shared/warehouse/duckdb/live/loaded-parts.ts';
import { loadLogs } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../../../../../../shared/warehouse/duckdb/store/time-ranges.ts';
import type { QueryResult, RunOptions, Warehouse } from '../../../../../../shared/warehouse/warehouse.ts';
import { SMALL } from '../../isolated/open-isolated.ts';

/** A warehouse that takes entries, as a service has it. */
export interface OpenLive {
  readonly warehouse: Warehouse;
  readonly live: LiveStore;
  readonly warnings: readonly string[];
  /** The rows of a stored query, in this process. */
  ask(sql: string): Promise<readonly string[]>;
  /** The rows of a consumer's query, in another process. */
  askIsolated(sql: string): Promise<readonly string[]>;
  run(sql: string, options?: Partial<RunOptions>): Promise<QueryResult>;
  close(): Promise<void>;
}

export interface OpenLiveOptions {
  readonly schemas: TableSchemas;
  /** The folder with the log files that are loaded. */
  readonly logs: string;
  /** The database, beside which the entries are kept that arrive; loading replaces what it held. */
  readonly databaseFile: string;
  readonly limits?: Partial<LiveLimits>;
  readonly retentionMicros?: bigint | null;
  readonly nowMicros?: () => bigint;
}

const OPTIONS: RunOptions = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };

export async function openLive({
  schemas,
  logs,
  databaseFile,
  limits = {},
  retentionMicros = null,
  nowMicros = () => 0n,
}: OpenLiveOptions): Promise<OpenLive> {
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const store = await openStore({
    databaseFile,
    memoryLimitMiB: 256,
    threads: 2,
    access: 'shared',
    takesEntries: true,
  });
  await loadLogs({ store, schemas, directory: logs, skipInvalid: false, progress: () => {}, warn });
  await installFunctions(store);
  await store.lock();
  const tables = await readStoredSchemas(store);
  const timeRanges = await readTimeRanges(store, tables);
  const layouts = await readLayouts(store);
  const reader = new LiveReader(store);
  const live = await openLiveStore({
    store,
    reader,
    loaded: loadedParts(tables, layouts, schemas),
    retentionMicros,
    nowMicros,
    limits,
    warn,
  });
  const isolated = isolateQueries({
    databasePath: store.databasePath,
    temporaryParent: store.temporaryDirectory,
    schemas: tables,
    timeRanges,
    layouts,
    live,
    warn,
    ...SMALL,
  });
  const warehouse = splitWarehouse(
    makeDuckDbWarehouse(store, tables, { timeRanges, layouts, live: { views: live, reader } }),
    isolated,
  );
  const parameters = new Map();
  const run = (sql: string, changed: Partial<RunOptions> = {}) =>
    warehouse.run({ sql, parameters }, { ...OPTIONS, ...changed });
  return {
    warehouse,
    live,
    warnings,
    run,
    ask: async (sql) => (await run(sql)).rows,
    askIsolated: async (sql) => (await warehouse.run({ sql, parameters, isUntrusted: true }, OPTIONS)).rows,
    close: async () => {
      await live.close();
      await warehouse.close();
    },
  };
}
