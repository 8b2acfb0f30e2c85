import { ServiceError } from '../../errors/service-error.ts';

/** The query's deadline has passed. */
export function tooSlow(deadlineMs: number): ServiceError {
  return new ServiceError(
    'deadline_exceeded',
    `The query ran longer than ${deadlineMs} ms and was cancelled; narrow the time range or select fewer rows.`,
  );
}

/** No caller waits for the query any more. */
export function abandoned(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The caller went away and the query was cancelled.');
}

/** The answer is longer than the service holds. */
export function tooLong(): ServiceError {
  return new ServiceError(
    'resource_exhausted',
    'The answer is longer than 32 MiB; select fewer columns or rows.',
  );
}

/** The warehouse answered in a form that it should not have. */
export function unusable(cause: unknown): ServiceError {
  return new ServiceError('bad_gateway', 'The warehouse answered with something that cannot be used.', {
    cause,
  });
}
