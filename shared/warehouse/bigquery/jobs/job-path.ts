import type { JobReference } from '../rest/answers.ts';

/** Where a job is found among the jobs, or its rows among the queries. */
export function jobPath(collection: '/jobs' | '/queries', { jobId }: JobReference): string {
  return `${collection}/${encodeURIComponent(jobId)}`;
}

/** The parameter that a job outside the default location is not found without. */
export function placeOf({ location }: JobReference): Record<string, string> {
  return location === undefined || location === '' ? {} : { location };
}
