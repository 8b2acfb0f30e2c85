import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { WarmingJob, WarmingJobs } from '../../shared/warming/scheduler/warming-jobs.ts';
import { error, type Finding, warning } from './finding.ts';

const SUBJECT = 'warming';
/** So many calls may fail to come before it is no chance. */
const MISSED_CALLS = 3;

/** Looks whether the jobs of all endpoints that are kept warm are there, run, and succeed. */
export async function checkSchedule(
  jobs: WarmingJobs,
  endpoints: readonly Endpoint[],
  nowMs: number,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    for (const { name, warmEverySeconds } of endpoints) {
      if (warmEverySeconds !== null)
        findings.push(...jobFaults(name, warmEverySeconds, await jobs.get(name), nowMs));
    }
    return findings;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const [problem = '', remedy = 'try again'] = thrown.message.replace(/\.$/, '').split(/[:;] (?=[^:;]*$)/);
    return [...findings, error(SUBJECT, problem, remedy)];
  } finally {
    await jobs.close();
  }
}

function jobFaults(
  endpoint: string,
  periodSeconds: number,
  job: WarmingJob,
  nowMs: number,
): readonly Finding[] {
  const { state, lastFailure, lastAttemptMs } = job;
  const which = `the job of ${endpoint}`;
  switch (state) {
    case 'paused':
      return [
        error(SUBJECT, `${which} is paused, so its results go cold`, `run "lqe warm resume ${endpoint}"`),
      ];
    case 'disabled':
    case 'update_failed':
      return [error(SUBJECT, `${which} is in the state ${state}`, 'run "terraform apply"')];
    case 'enabled':
    case 'unknown':
      break;
    default: {
      const unreachable: never = state;
      throw new TypeError(`state ${unreachable}`);
    }
  }
  if (lastFailure !== null) {
    const { code, message } = lastFailure;
    return [
      error(
        SUBJECT,
        `the last call of ${which} failed (${`${code} ${message}`.trim().slice(0, 200)})`,
        'look at the log of the function warm; code 7 means that its account may not call it',
      ),
    ];
  }
  if (lastAttemptMs !== null && nowMs - lastAttemptMs > MISSED_CALLS * periodSeconds * 1000) {
    const late = new Date(lastAttemptMs).toISOString();
    return [
      warning(
        SUBJECT,
        `${which} called last at ${late}, and should call every ${periodSeconds} s`,
        'run "terraform apply", which sets its schedule',
      ),
    ];
  }
  return [];
}
