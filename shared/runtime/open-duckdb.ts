import type { TableSchemas } from '../schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../warehouse/duckdb/install-functions.ts';
import {
  isolateQueries,
  QUERY_PROCESSES,
  splitWarehouse,
} from '../warehouse/duckdb/isolated/isolated-queries.ts';
import { loadFailure } from '../warehouse/duckdb/loading/load-failure.ts';
import { openStore } from '../warehouse/duckdb/store/open-store.ts';
import { readLayouts } from '../warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../warehouse/duckdb/store/time-ranges.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Config } from './config.ts';
import { type FilledStore, type FillOptions, fillStore } from './fill-store.ts';

/**
 * The embedded warehouse: opened, filled with logs, and locked against everything but queries. Consumers' queries run
 * in their own processes.
 */
export async function openDuckDb(
  schemas: TableSchemas,
  config: Config,
  options: FillOptions,
): Promise<{ readonly warehouse: Warehouse; readonly logs: FilledStore; readonly lanes: number }> {
  const { databaseFile, memoryLimitMib: memoryLimitMiB } = config;
  const store = await openStore({ databaseFile, memoryLimitMiB, access: 'shared' });
  try {
    const logs = await fillStore(store, schemas, config, options);
    await installFunctions(store);
    await store.lock();
    const timeRanges = await readTimeRanges(store, logs.schemas);
    const layouts = await readLayouts(store);
    const isolated = isolateQueries({
      databasePath: store.databasePath,
      temporaryParent: store.temporaryDirectory,
      schemas: logs.schemas,
      timeRanges,
      layouts,
      memoryLimitMiB,
      warn: options.warn,
    });
    const warehouse = makeDuckDbWarehouse(store, logs.schemas, { timeRanges, layouts });
    return { warehouse: splitWarehouse(warehouse, isolated), logs, lanes: QUERY_PROCESSES };
  } catch (error) {
    // What cannot be written now could not be written before either, and that is what the operator has to know.
    await store.close().catch(() => {});
    throw loadFailure(error, store.databasePath);
  }
}
