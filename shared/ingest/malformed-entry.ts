import { ServiceError } from '../errors/service-error.ts';

/** The refusal of a batch for one malformed entry of it, by its index from 0; `field` is empty for the entry as a whole. */
export function malformedEntry(entry: number, field: string, reason: string): ServiceError {
  const place = field === '' ? `Entry ${entry}` : `Entry ${entry}, ${field}`;
  return new ServiceError('invalid_argument', `${place}: ${reason}. No entry was taken.`, {
    details: [{ entry, ...(field === '' ? {} : { field }), reason }],
  });
}
