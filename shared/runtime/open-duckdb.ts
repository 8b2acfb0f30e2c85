import type { TableSchemas } from '../schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../warehouse/duckdb/duckdb-warehouse.ts';
import { installMacros } from '../warehouse/duckdb/install-macros.ts';
import { openStore } from '../warehouse/duckdb/store/open-store.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Config } from './config.ts';
import { type FilledStore, type FillOptions, fillStore } from './fill-store.ts';

/** The embedded warehouse: opened, filled with logs, and locked against everything but queries. */
export async function openDuckDb(
  schemas: TableSchemas,
  config: Config,
  options: FillOptions,
): Promise<{ readonly warehouse: Warehouse; readonly logs: FilledStore }> {
  const store = await openStore({ databaseFile: config.databaseFile, memoryLimitMiB: config.memoryLimitMib });
  try {
    const logs = await fillStore(store, schemas, config, options);
    await installMacros(store);
    await store.lock();
    return { warehouse: makeDuckDbWarehouse(store, logs.schemas), logs };
  } catch (error) {
    await store.close();
    throw error;
  }
}
