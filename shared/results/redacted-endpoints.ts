import { memoizeOver } from '../concurrency/memoize.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import { STORED_DATASET } from '../warehouse/stored-dataset.ts';

/** An endpoint as its redacted answers see it: the same one where no paths are listed. */
export type RedactedEndpoints = (endpoint: Endpoint) => Promise<Endpoint>;

/**
 * Makes the endpoints whose CTEs hide the values of `redactPaths`, each when it is first asked for. Throws a
 * ConfigurationError for a path that leads to no text.
 */
export function makeRedactedEndpoints(warehouse: { readonly tables: TableSchemas }): RedactedEndpoints {
  const redacted = memoizeOver(
    () => warehouse.tables,
    (endpoint: Endpoint) => redact(endpoint, warehouse.tables),
  );
  return async (endpoint) => (endpoint.redactPaths.length === 0 ? endpoint : redacted(endpoint));
}

async function redact(endpoint: Endpoint, tables: TableSchemas): Promise<Endpoint> {
  // Loaded for the first redacted answer: a cold start need not wait for it.
  const { redactPaths } = await import('../sql/sandbox/redact-paths.ts');
  const { name, sql: endpointSql, redactPaths: paths, parameters } = endpoint;
  const parameterTypes = new Map(parameters.map((one) => [one.name, one.type]));
  const { sql, unknown } = redactPaths({
    endpointSql,
    paths,
    parameterTypes,
    tables,
    dataset: STORED_DATASET,
  });
  if (unknown.length === 0) return { ...endpoint, sql };
  throw new ConfigurationError(
    `${name}: redactPaths: ${unknown.join(', ')} leads to no text in any CTE; write paths from a column to a STRING`,
  );
}
