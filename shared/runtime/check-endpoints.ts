import { join } from 'node:path';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import { makeRedactedEndpoints } from '../results/redacted-endpoints.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';

/**
 * Checks every stored query against the tables that are there. Throws one ConfigurationError with a line for each
 * query that could never answer, with its file and the place in it.
 */
export function checkEndpoints(
  endpoints: readonly Endpoint[],
  directory: string,
  warehouse: Warehouse,
): void {
  const redacted = makeRedactedEndpoints(warehouse.tables);
  const faults = endpoints.flatMap((endpoint) => {
    const parameterTypes = new Map(endpoint.parameters.map(({ name, type }) => [name, type]));
    try {
      warehouse.describe({ sql: endpoint.sql, parameterTypes });
      const { sql } = redacted(endpoint);
      if (sql !== endpoint.sql) warehouse.describe({ sql, parameterTypes });
      return [];
    } catch (error) {
      if (error instanceof ConfigurationError) return [error.message];
      if (!(error instanceof ServiceError)) throw error;
      return [`${join(directory, `${endpoint.name}.sql`)}: ${error.message}`];
    }
  });
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
}
