import { ServiceError } from '../../../errors/service-error.ts';

/** How soon it is worth trying again when too many queries wait, in seconds. */
const RETRY_AFTER_SECONDS = '1';

/** The error of a query whose process ran out of memory. `reason` is for the log. */
export function tooBig(reason: string): ServiceError {
  return new ServiceError(
    'resource_exhausted',
    'The query needs more memory than it may have; narrow the time range or select fewer columns.',
    { cause: new Error(reason) },
  );
}

/** The error of a query for which there is no place in the queue; its Retry-After header says when to try again. */
export function tooMany(): ServiceError {
  return new ServiceError('resource_exhausted', 'Too many queries are waiting; try again in a moment.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}

/** The error of a query whose process or stored rows failed, through no fault of the query. `reason` is for the log. */
export function failed(reason: string): ServiceError {
  return new ServiceError('unavailable', 'The warehouse failed; try again.', { cause: new Error(reason) });
}
