import { ServiceError } from '../errors/service-error.ts';

/** The error of a query whose deadline has passed. `reason` is for the log. */
export function tooSlow(deadlineMs: number, reason?: string): ServiceError {
  return new ServiceError(
    'deadline_exceeded',
    `The query ran longer than ${deadlineMs} ms and was cancelled; narrow the time range or select fewer rows.`,
    reason === undefined ? {} : { cause: new Error(reason) },
  );
}

/** The error of a query that no caller waits for any more: its signal was aborted. */
export function abandoned(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The caller went away and the query was cancelled.');
}
