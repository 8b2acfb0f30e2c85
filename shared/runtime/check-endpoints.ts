import { join } from 'node:path';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import { openSandbox } from '../http/query/open-sandbox.ts';
import { makeRedactedEndpoints } from '../results/redacted-endpoints.ts';
import { planSealed } from '../results/sealed/sealed-plan.ts';
import { storedText } from '../warehouse/query-text.ts';
import type { OpenWarehouse } from './open-warehouse.ts';

/**
 * Checks every stored query against the tables that are there, and that consumers' queries can stand on it. Throws one
 * ConfigurationError with a line for each query that could never answer, with its file and the place in it.
 */
export async function checkEndpoints(
  endpoints: readonly Endpoint[],
  directory: string,
  { warehouse, forbiddenNames }: Pick<OpenWarehouse, 'warehouse' | 'forbiddenNames'>,
): Promise<void> {
  const redacted = makeRedactedEndpoints(warehouse);
  const faults: string[] = [];
  for (const endpoint of endpoints) {
    try {
      for (const one of new Set([endpoint, await redacted(endpoint)])) {
        await warehouse.prepare(storedText(one), one.maxRows);
        planSealed(one, warehouse.tables);
      }
      openSandbox({ warehouse, forbiddenNames }, endpoint);
    } catch (error) {
      if (error instanceof ConfigurationError) faults.push(error.message);
      else if (error instanceof ServiceError)
        faults.push(`${join(directory, `${endpoint.name}.sql`)}: ${error.message}`);
      else throw error;
    }
  }
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
}
