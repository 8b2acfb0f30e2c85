import { fileURLToPath } from 'node:url';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../shared/schema/load-table-schemas.ts';
import { makeSandbox, type Sandbox } from '../../shared/sql/sandbox/consumer-query.ts';

/** The sandbox of logs.all; no name is forbidden, so that nothing but its own rules keeps a query inside. */
export async function sandboxUnderTest(): Promise<Sandbox> {
  const queries = fileURLToPath(new URL('../../queries', import.meta.url));
  const endpoint = (await loadEndpoints(queries)).find('logs.all');
  if (endpoint === undefined) throw new Error('the repository has the endpoint logs.all');
  return makeSandbox({
    endpointSql: endpoint.sql,
    parameterTypes: new Map(endpoint.parameters.map(({ name, type }) => [name, type])),
    tables: await loadTableSchemas(`${queries}/sources`),
    dataset: 'logs',
    forbiddenNames: [],
  });
}
