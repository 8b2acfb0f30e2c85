import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import type { Environment } from '../../shared/runtime/config.ts';
import { processContext } from '../../shared/runtime/config-context.ts';
import { SETTINGS } from '../../shared/runtime/settings.ts';
import { loadTableSchemas } from '../../shared/schema/load-table-schemas.ts';
import type { Arguments } from '../arguments/parse-arguments.ts';
import { readSetting } from '../arguments/read-setting.ts';
import { readDeployment } from './deployment.ts';
import { measureDemoLogs, measureLogs } from './entry-sizes.ts';
import { type CostModel, makeModel } from './model.ts';
import { readPrices } from './prices.ts';
import { readVolumes } from './volumes.ts';

/** Reads all that costs are computed from. Throws a UsageError or a ConfigurationError. */
export async function readModel(given: Arguments, env: Environment): Promise<CostModel> {
  const { builtInQueries } = processContext(false);
  const queries = readSetting(SETTINGS.queries, given, env) ?? builtInQueries;
  const sources = readSetting(SETTINGS.sources, given, env) ?? `${builtInQueries}/sources`;
  const [{ all: endpoints }, schemas, deployment] = await Promise.all([
    loadEndpoints(queries),
    loadTableSchemas(sources),
    readDeployment(),
  ]);
  const volumes = readVolumes(given, { endpoints, sources: [...schemas.keys()], deployment });
  const prices = await readPrices(given.text('--prices'), given.texts('--price'));
  const logs = given.text('--logs');
  const sizes = logs === undefined ? measureDemoLogs(schemas) : await measureLogs(logs, schemas);
  return makeModel({ volumes, prices, deployment, endpoints, schemas, sizes });
}
