import { ServiceError } from '../../errors/service-error.ts';

/** Why the answers of a stored query cannot be put together from those for parts of its window. */
export function notSealable(reason: string): ServiceError {
  return new ServiceError('invalid_argument', `sealedBuckets does not go with this query: ${reason}`);
}
