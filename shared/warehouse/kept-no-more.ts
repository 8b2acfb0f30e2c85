import { ServiceError } from '../errors/service-error.ts';

/** What a warehouse says of the rest of a result that it does not have, any more or at all. */
export function keptNoMore(cause?: unknown): ServiceError {
  return new ServiceError('gone', 'The rest of this result is kept no more; run the query again.', {
    ...(cause === undefined ? {} : { cause }),
  });
}
