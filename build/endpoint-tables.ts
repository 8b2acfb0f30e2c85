import { join } from 'node:path';
import { ConfigurationError } from '../shared/errors/configuration-error.ts';
import { ServiceError } from '../shared/errors/service-error.ts';
import type { Definitions } from '../shared/runtime/definitions.ts';
import { confirmedFacts } from '../shared/sql/second-reader/confirmed-facts.ts';
import { STORED_DATASET } from '../shared/warehouse/stored-dataset.ts';

/**
 * The log tables that each endpoint's stored query reads, by the endpoint's name, as two readers that share no code
 * both find them. Throws a ConfigurationError with a line for each query on which they differ.
 */
export async function endpointTables(
  { endpoints, schemas }: Definitions,
  queriesDirectory: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = new Map<string, readonly string[]>();
  const faults: string[] = [];
  for (const endpoint of endpoints.all) {
    try {
      const facts = await confirmedFacts(endpoint, STORED_DATASET, schemas);
      tables.set(endpoint.name, facts.tables);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push(`${join(queriesDirectory, `${endpoint.name}.sql`)}: ${error.message}`);
    }
  }
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return tables;
}
