import { join } from 'node:path';
import { loadEndpoints } from '../shared/endpoints/load-endpoints.ts';
import { makePlanner } from '../shared/http/consumer-query.ts';
import { checkEndpoints } from '../shared/runtime/check-endpoints.ts';
import { loadTableSchemas } from '../shared/schema/load-table-schemas.ts';
import { makeBigQueryWarehouse } from '../shared/warehouse/bigquery/bigquery-warehouse.ts';

/**
 * Checks every endpoint against the sources as the functions would at their start, so that these need not. Throws a
 * ConfigurationError with a line for each fault.
 */
export async function checkQueries(root: string): Promise<void> {
  const directory = join(root, 'queries');
  const endpoints = await loadEndpoints(directory);
  const warehouse = makeBigQueryWarehouse({
    tables: await loadTableSchemas(join(directory, 'sources')),
    project: 'any-project',
    dataset: 'any_dataset',
    location: null,
    emulatorHost: null,
    warn: () => {},
  });
  checkEndpoints(endpoints.all, directory, warehouse);
  makePlanner({ warehouse, nowMicros: () => 0n }, endpoints.all);
  await warehouse.close();
}
