import { loadEndpoints } from '../endpoints/load-endpoints.ts';
import { loadSourceNames } from '../schema/load-source-names.ts';
import { loadTableSchemas } from '../schema/load-table-schemas.ts';
import type { Config } from './config.ts';
import type { Definitions } from './definitions.ts';

/** Reads and checks the files of the configured folders. Throws a ConfigurationError with a line for each fault. */
export async function readDefinitions({
  queriesDirectory,
  sourcesDirectory,
}: Pick<Config, 'queriesDirectory' | 'sourcesDirectory'>): Promise<Definitions> {
  const endpoints = await loadEndpoints(queriesDirectory);
  const schemas = await loadTableSchemas(sourcesDirectory);
  return { endpoints, schemas, sourceNames: await loadSourceNames(sourcesDirectory, schemas) };
}
