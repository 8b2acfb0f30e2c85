import { join } from 'node:path';
import { checkEndpoints } from '../shared/runtime/check-endpoints.ts';
import type { Definitions } from '../shared/runtime/definitions.ts';
import { readDefinitions } from '../shared/runtime/read-definitions.ts';
import { makeBigQueryWarehouse } from '../shared/warehouse/bigquery/bigquery-warehouse.ts';

/**
 * Reads every endpoint and checks it against the sources as the functions would at their start, so that these need not.
 * Throws a ConfigurationError with a line for each fault.
 */
export async function checkedDefinitions(root: string): Promise<Definitions> {
  const queriesDirectory = join(root, 'queries');
  const sourcesDirectory = join(queriesDirectory, 'sources');
  const definitions = await readDefinitions({ queriesDirectory, sourcesDirectory });
  const warehouse = makeBigQueryWarehouse({
    tables: definitions.schemas,
    project: 'any-project',
    dataset: 'any_dataset',
    location: null,
    emulatorHost: null,
    warn: () => {},
  });
  await checkEndpoints(definitions.endpoints.all, queriesDirectory, { warehouse, forbiddenNames: [] });
  await warehouse.close();
  return definitions;
}
