import { functionName } from '../../endpoints/function-name.ts';

/** Where the jobs are. */
export interface SchedulerAddress {
  readonly googleProject: string;
  /** Such as `europe-west1`: the one that the functions are deployed to. */
  readonly region: string;
  /** What the names of all its parts begin with: the variable `name` in terraform/. */
  readonly deployment: string;
}

/**
 * The job of an endpoint, as terraform/scheduler.tf names it: `lqe-warm-usage-api-counts` in the project and region
 * of the functions, where the deployment is named `lqe`.
 */
export function jobName({ googleProject, region, deployment }: SchedulerAddress, endpoint: string): string {
  const job = `${deployment}-warm-${functionName(endpoint)}`;
  return `projects/${googleProject}/locations/${region}/jobs/${job}`;
}
