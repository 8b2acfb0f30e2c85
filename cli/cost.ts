import { loadEndpoints } from '../shared/endpoints/load-endpoints.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { SETTINGS } from '../shared/runtime/settings.ts';
import { loadTableSchemas } from '../shared/schema/load-table-schemas.ts';
import { commandHelp } from './arguments/help-text.ts';
import type { Arguments } from './arguments/parse-arguments.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { readSetting } from './arguments/read-setting.ts';
import { UsageError } from './arguments/usage-error.ts';
import { COST } from './commands/cost.ts';
import { costReport } from './cost/cost-report.ts';
import { readDeployment } from './cost/deployment.ts';
import { measureDemoLogs, measureLogs } from './cost/entry-sizes.ts';
import { costMarkdown, costText } from './cost/format-costs.ts';
import { type CostModel, makeModel } from './cost/model.ts';
import { readPrices } from './cost/prices.ts';
import { costSections } from './cost/sections.ts';
import { readVolumes } from './cost/volumes.ts';

/** Runs `lqe cost` and answers the exit code, as its help says. Asks nothing of any service. */
export async function runCost(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout } = process;
  const given = parseArguments(argv, COST);
  if (given.wantsHelp) {
    stdout.write(commandHelp(COST));
    return 0;
  }
  if (given.has('--json') && given.has('--markdown'))
    throw new UsageError('Give --json or --markdown, not both.');
  const model = await modelOf(given, env);
  const sections = costSections(model);
  if (given.has('--json')) stdout.write(`${JSON.stringify(costReport(model, sections), null, 2)}\n`);
  else stdout.write(given.has('--markdown') ? costMarkdown(sections) : costText(sections));
  return 0;
}

async function modelOf(given: Arguments, env: NodeJS.ProcessEnv): Promise<CostModel> {
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
