import type { Endpoint } from '../../endpoints/endpoint.ts';
import { ConfigurationError } from '../../errors/configuration-error.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { makeSandbox, type Sandbox } from '../../sql/sandbox/consumer-query.ts';
import { STORED_DATASET } from '../../warehouse/stored-dataset.ts';
import type { HttpDeps } from '../http-deps.ts';

/**
 * What consumers' queries over an endpoint's CTEs go through. Throws a ConfigurationError when the stored query cannot
 * be taken apart, or has no CTEs for them to read.
 */
export function openSandbox(
  deps: Pick<HttpDeps, 'warehouse' | 'forbiddenNames'>,
  endpoint: Endpoint,
): Sandbox {
  const sandbox = refusing(endpoint, () =>
    makeSandbox({
      endpointSql: endpoint.sql,
      parameterTypes: new Map(endpoint.parameters.map(({ name, type }) => [name, type])),
      tables: deps.warehouse.tables,
      dataset: STORED_DATASET,
      forbiddenNames: deps.forbiddenNames ?? [],
    }),
  );
  if (endpoint.sandbox && sandbox.sources.length === 0) {
    throw new ConfigurationError(
      `${endpoint.name}: consumers' queries read the CTEs of WITH, and there are none; add some or set sandbox to false`,
    );
  }
  return sandbox;
}

function refusing(endpoint: Endpoint, open: () => Sandbox): Sandbox {
  try {
    return open();
  } catch (error) {
    if (error instanceof ServiceError) throw new ConfigurationError(`${endpoint.name}: ${error.message}`);
    throw error;
  }
}
