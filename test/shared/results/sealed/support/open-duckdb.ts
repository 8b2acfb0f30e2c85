import { loadTableSchemas } from '../../../../../shared/schema/load-table-schemas.ts';
import { makeDuckDbWarehouse } from '../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts } from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../../../../../shared/warehouse/duckdb/store/time-ranges.ts';
import type { Warehouse } from '../../../../../shared/warehouse/warehouse.ts';

/** The embedded warehouse with these entries of edge_logs. */
export async function openDuckDb(lines: readonly string[]): Promise<Warehouse> {
  const schemas = await loadTableSchemas('queries/sources');
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 1 });
  await loadEntries({ store, schemas, source: 'edge_logs', lines });
  await installFunctions(store);
  await store.lock();
  const timeRanges = await readTimeRanges(store, schemas);
  return makeDuckDbWarehouse(store, schemas, { timeRanges, layouts: await readLayouts(store) });
}
