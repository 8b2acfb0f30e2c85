import { ServiceError } from '../../errors/service-error.ts';

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
