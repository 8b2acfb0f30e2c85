import { resolve } from 'node:path';
import { loadEndpoints } from '../shared/endpoints/load-endpoints.ts';
import { ServiceError } from '../shared/errors/service-error.ts';
import type { Environment } from '../shared/runtime/config.ts';
import { processContext } from '../shared/runtime/config-context.ts';
import { printable } from '../shared/runtime/printable.ts';
import { SETTINGS } from '../shared/runtime/settings.ts';
import { didYouMean } from '../shared/sql/text/nearest-names.ts';
import { cloudSchedulerJobs } from '../shared/warming/scheduler/cloud-scheduler-jobs.ts';
import type { SchedulerAddress } from '../shared/warming/scheduler/scheduler-address.ts';
import type { WarmingJob, WarmingJobs } from '../shared/warming/scheduler/warming-jobs.ts';
import { commandHelp } from './arguments/help-text.ts';
import { type Arguments, parseArguments } from './arguments/parse-arguments.ts';
import { readSetting } from './arguments/read-setting.ts';
import { UsageError } from './arguments/usage-error.ts';
import {
  DEFAULT_DEPLOYMENT,
  DEPLOYMENT_SETTING,
  GOOGLE_PROJECT_SETTING,
  REGION_SETTING,
} from './commands/shared-options.ts';
import { WARM } from './commands/warm.ts';
import { type EndpointJob, jobsJson, jobsTable } from './warm/format-jobs.ts';

/** Runs `lqe warm` and answers the exit code: 0, or 1 when a job is missing or could not be reached. */
export async function runWarm(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  const { env, stdout, stderr } = process;
  const given = parseArguments(argv, WARM);
  if (given.wantsHelp) {
    stdout.write(commandHelp(WARM));
    return 0;
  }
  const [action = '', endpoint] = given.operands;
  const address = schedulerAddress(given, env);
  const endpoints = await warmedEndpoints(given, env, endpoint);
  const jobs = cloudSchedulerJobs({ ...address, emulatorHost: env.LQE_SCHEDULER_EMULATOR_HOST || null });
  const done: EndpointJob[] = [];
  let failures = 0;
  try {
    for (const name of endpoints) {
      try {
        done.push({ endpoint: name, job: await act(action, jobs, name) });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        failures += 1;
        stderr.write(`${error.message}\n`);
        // What ails the scheduler itself ails it for the next job, too.
        if (error.kind !== 'not_found') break;
      }
    }
  } finally {
    await jobs.close();
  }
  if (given.has('--json')) stdout.write(jobsJson(done));
  else if (action === 'status') stdout.write(done.length === 0 ? '' : jobsTable(done));
  else for (const { endpoint: name } of done) stdout.write(`${name}: ${DONE[action]}\n`);
  return failures === 0 ? 0 : 1;
}

const DONE: Readonly<Record<string, string>> = {
  run: 'its job calls now; "lqe warm status" shows how that ends',
  pause: 'paused; its results go cold until "lqe warm resume"',
  resume: 'resumed',
};

function act(action: string, jobs: WarmingJobs, endpoint: string): Promise<WarmingJob> {
  switch (action) {
    case 'status':
      return jobs.get(endpoint);
    case 'run':
      return jobs.run(endpoint);
    case 'pause':
      return jobs.pause(endpoint);
    case 'resume':
      return jobs.resume(endpoint);
    default:
      throw new TypeError(`action ${action}`);
  }
}

function schedulerAddress(given: Arguments, env: Environment): SchedulerAddress {
  const googleProject = readSetting(GOOGLE_PROJECT_SETTING, given, env);
  const region = readSetting(REGION_SETTING, given, env);
  if (googleProject === undefined || region === undefined) {
    const missing = googleProject === undefined ? GOOGLE_PROJECT_SETTING : REGION_SETTING;
    throw new UsageError(
      `The place of the jobs is unknown: give ${missing.flag} (or ${missing.env}). Jobs of "npm start" are not in Cloud Scheduler.`,
    );
  }
  const deployment = readSetting(DEPLOYMENT_SETTING, given, env) ?? DEFAULT_DEPLOYMENT;
  return { googleProject, region, deployment };
}

/** The endpoint that is meant, or all that are kept warm. */
async function warmedEndpoints(
  given: Arguments,
  env: Environment,
  endpointName: string | undefined,
): Promise<readonly string[]> {
  const { builtInQueries, workingDirectory } = processContext(false);
  const queries = readSetting(SETTINGS.queries, given, env);
  const endpoints = await loadEndpoints(
    queries === undefined ? builtInQueries : resolve(workingDirectory, queries),
  );
  const warmed = endpoints.all.filter(({ warmEverySeconds }) => warmEverySeconds !== null);
  if (endpointName === undefined) {
    if (warmed.length === 0) throw new UsageError('No endpoint has warmEverySeconds, so none is kept warm.');
    return warmed.map(({ name }) => name);
  }
  const found = endpoints.find(endpointName);
  if (found === undefined) {
    const names = endpoints.all.map(({ name }) => name);
    throw new UsageError(
      `There is no endpoint ${printable(endpointName)}${didYouMean(endpointName, names) || '.'}`,
    );
  }
  if (found.warmEverySeconds === null) {
    throw new UsageError(
      `The endpoint "${found.name}" is not kept warm; its settings have no warmEverySeconds.`,
    );
  }
  return [found.name];
}
