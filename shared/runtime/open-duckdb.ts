import type { LogSink } from '../ingest/log-sink.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../warehouse/duckdb/install-functions.ts';
import {
  isolateQueries,
  QUERY_PROCESSES,
  splitWarehouse,
} from '../warehouse/duckdb/isolated/isolated-queries.ts';
import { LiveReader } from '../warehouse/duckdb/live/live-reader.ts';
import { openLiveStore } from '../warehouse/duckdb/live/live-store.ts';
import { loadedParts } from '../warehouse/duckdb/live/loaded-parts.ts';
import { loadFailure } from '../warehouse/duckdb/loading/load-failure.ts';
import { openStore } from '../warehouse/duckdb/store/open-store.ts';
import { readLayouts } from '../warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../warehouse/duckdb/store/time-ranges.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Config } from './config.ts';
import { type FilledStore, type FillOptions, fillStore } from './fill-store.ts';

/** The embedded warehouse with what else the service has to know of it, as an `OpenWarehouse` has it. */
export interface OpenedDuckDb {
  readonly warehouse: Warehouse;
  readonly logs: FilledStore;
  readonly logSink: LogSink;
  readonly lanes: number;
}

/**
 * The embedded warehouse: opened, filled with logs, and locked against everything but queries. Consumers' queries run
 * in their own processes.
 */
export async function openDuckDb(
  schemas: TableSchemas,
  config: Config,
  options: FillOptions & { readonly clockMicros: () => bigint },
): Promise<OpenedDuckDb> {
  const { databaseFile, memoryLimitMib: memoryLimitMiB } = config;
  const store = await openStore({ databaseFile, memoryLimitMiB, access: 'shared', takesEntries: true });
  try {
    const logs = await fillStore(store, schemas, config, options);
    await installFunctions(store);
    await store.lock();
    const timeRanges = await readTimeRanges(store, logs.schemas);
    const layouts = await readLayouts(store);
    const reader = new LiveReader(store);
    const live = await openLiveStore({
      store,
      reader,
      loaded: loadedParts(logs.schemas, layouts, schemas),
      retentionMicros: config.retentionMicros,
      nowMicros: options.clockMicros,
      warn: options.warn,
    });
    const isolated = isolateQueries({
      databasePath: store.databasePath,
      temporaryParent: store.temporaryDirectory,
      schemas: logs.schemas,
      timeRanges,
      layouts,
      live,
      memoryLimitMiB,
      warn: options.warn,
    });
    const known = { timeRanges, layouts, live: { views: live, reader } };
    const trusted = makeDuckDbWarehouse(store, logs.schemas, known);
    const close = async () => {
      try {
        await live.close();
      } finally {
        await trusted.close();
      }
    };
    const withTables = {
      ...trusted,
      get tables() {
        return trusted.tables;
      },
      close,
    };
    return { warehouse: splitWarehouse(withTables, isolated), logs, logSink: live, lanes: QUERY_PROCESSES };
  } catch (error) {
    // What cannot be written now could not be written before either, and that is what the operator has to know.
    await store.close().catch(() => {});
    throw loadFailure(error, store.databasePath);
  }
}
