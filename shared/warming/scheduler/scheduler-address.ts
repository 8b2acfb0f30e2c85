/** Where the jobs are. */
export interface SchedulerAddress {
  readonly googleProject: string;
  /** Such as `europe-west1`: the one that the functions are deployed to. */
  readonly region: string;
}

/**
 * The job of an endpoint, as terraform/scheduler.tf names it: `lqe-warm-usage-api-counts` in the project and region
 * of the functions.
 */
export function jobName({ googleProject, region }: SchedulerAddress, endpoint: string): string {
  const job = `lqe-warm-${endpoint.replaceAll(/[._]/g, '-')}`;
  return `projects/${googleProject}/locations/${region}/jobs/${job}`;
}
