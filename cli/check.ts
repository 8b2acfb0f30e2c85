import type { EndpointRegistry } from '../shared/endpoints/endpoint.ts';
import { loadEndpoints } from '../shared/endpoints/load-endpoints.ts';
import { ConfigurationError } from '../shared/errors/configuration-error.ts';
import { nounFor } from '../shared/errors/noun-for.ts';
import { type Config, type Environment, loadConfig } from '../shared/runtime/config.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { SETTINGS } from '../shared/runtime/settings.ts';
import { loadTableSchemas } from '../shared/schema/load-table-schemas.ts';
import type { TableSchemas } from '../shared/schema/table-schema.ts';
import { commandHelp } from './arguments/help-text.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { readSetting } from './arguments/read-setting.ts';
import { checkSettings, checkVariables } from './check/check-settings.ts';
import { error, type Finding, findingText, warning } from './check/finding.ts';
import { CHECK, CHECK_SETTINGS } from './commands/check.ts';
import { DEFAULT_DEPLOYMENT, DEPLOYMENT_SETTING, REGION_SETTING } from './commands/shared-options.ts';
import { coloursFor } from './terminal/colour.ts';
import { exitWhenFlushed } from './terminal/end-process.ts';

/** Runs `lqe check` and answers the exit code: 0, or 1 when something is wrong. */
export async function runCheck(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout, stderr } = process;
  const given = parseArguments(argv, CHECK);
  if (given.wantsHelp) {
    stdout.write(commandHelp(CHECK));
    return 0;
  }
  const place = {
    region: readSetting(REGION_SETTING, given, env) ?? null,
    deployment: readSetting(DEPLOYMENT_SETTING, given, env) ?? DEFAULT_DEPLOYMENT,
  };
  const options = CHECK_SETTINGS.flatMap((name) => {
    const { flag, env: variable } = SETTINGS[name];
    const text = flag === null ? undefined : given.text(flag);
    return text === undefined ? [] : [[variable, text] as const];
  });
  const findings = await check({ ...env, ...Object.fromEntries(options) }, place);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (given.has('--json')) stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else stdout.write(findings.map((finding) => findingText(finding, coloursFor(stdout, env))).join(''));
  const warnings = findings.length - errors;
  stderr.write(
    findings.length === 0
      ? 'Everything is in place.\n'
      : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}.\n`,
  );
  if (errors === 0) return 0;
  // Google's clients go on with calls that were given up, and would keep the process for minutes.
  await exitWhenFlushed(process, 1);
  return 1;
}

/** Which deployment's jobs are meant; the region is null where it is not said. */
interface Place {
  readonly region: string | null;
  readonly deployment: string;
}

/** Everything that can be looked at, all at once; what cannot be because of an earlier fault is left out. */
async function check(env: Environment, place: Place): Promise<readonly Finding[]> {
  const config = attempt(() => loadConfig([], env, processContext(false)));
  const unknown = checkVariables(env);
  if ('findings' in config) return [...unknown, ...config.findings];
  const settings = [...unknown, ...checkSettings(config.value)];
  const files = await readFiles(config.value);
  if ('findings' in files) return [...settings, ...files.findings];
  const [queries, bigQuery, tokens, results, schedule] = await Promise.all([
    lookAtQueries(files),
    lookAtBigQuery(config.value, files.schemas),
    lookAtTokens(config.value, env),
    lookAtResults(config.value, env),
    lookAtSchedule(config.value, files.endpoints, place, env),
  ]);
  return [...settings, ...queries, ...bigQuery, ...tokens, ...results, ...schedule];
}

type Files = { readonly endpoints: EndpointRegistry; readonly schemas: TableSchemas };

async function readFiles({ queriesDirectory, sourcesDirectory }: Config): Promise<Files | Faulty> {
  const [endpoints, schemas] = await Promise.all([
    loadEndpoints(queriesDirectory).catch(faultsOf),
    loadTableSchemas(sourcesDirectory).catch(faultsOf),
  ]);
  if ('findings' in endpoints) return endpoints;
  return 'findings' in schemas ? schemas : { endpoints, schemas };
}

async function lookAtQueries({ endpoints, schemas }: Files): Promise<readonly Finding[]> {
  const { checkQueries } = await import('./check/check-queries.ts');
  return checkQueries(endpoints.all, schemas);
}

async function lookAtBigQuery(config: Config, schemas: TableSchemas): Promise<readonly Finding[]> {
  if (config.warehouse !== 'bigquery') return [];
  const { checkBigQuery } = await import('./check/check-bigquery.ts');
  return checkBigQuery(config, schemas);
}

async function lookAtTokens(config: Config, env: Environment): Promise<readonly Finding[]> {
  const { checkTokens } = await import('./check/check-tokens.ts');
  const { openStores } = await import('./check/open-stores.ts');
  return checkTokens(await openStores(config, env).tokens(), Date.now());
}

async function lookAtResults(config: Config, env: Environment): Promise<readonly Finding[]> {
  if (config.cache !== 'firestore') return [];
  const { checkResults } = await import('./check/check-results.ts');
  const { openStores } = await import('./check/open-stores.ts');
  return checkResults(await openStores(config, env).results());
}

async function lookAtSchedule(
  { warehouse, googleProject }: Config,
  { all }: EndpointRegistry,
  { region, deployment }: Place,
  env: Environment,
): Promise<readonly Finding[]> {
  const isWarmed = all.some(({ warmEverySeconds }) => warmEverySeconds !== null);
  if (warehouse !== 'bigquery' || googleProject === null || !isWarmed) return [];
  if (region === null) {
    const { flag, env: variable } = REGION_SETTING;
    return [
      warning('warming', 'the jobs in Cloud Scheduler were not checked', `give ${flag} (or ${variable})`),
    ];
  }
  const [{ checkSchedule }, { cloudSchedulerJobs }] = await Promise.all([
    import('./check/check-schedule.ts'),
    import('../shared/warming/scheduler/cloud-scheduler-jobs.ts'),
  ]);
  const emulatorHost = env.LQE_SCHEDULER_EMULATOR_HOST || null;
  return checkSchedule(
    cloudSchedulerJobs({ googleProject, region, deployment, emulatorHost }),
    all,
    Date.now(),
  );
}

interface Faulty {
  readonly findings: readonly Finding[];
}

function attempt<T>(work: () => T): { readonly value: T } | Faulty {
  try {
    return { value: work() };
  } catch (thrown) {
    return faultsOf(thrown);
  }
}

/** A line of the message is a fault that says what to change. */
function faultsOf(thrown: unknown): Faulty {
  if (!(thrown instanceof ConfigurationError)) throw thrown;
  return {
    findings: thrown.message
      .split('\n')
      .map((line) => error('settings', line, 'nothing else works until then')),
  };
}

function counted(count: number, what: string): string {
  return `${count} ${nounFor(count, what)}`;
}
