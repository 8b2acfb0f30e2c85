import { ServiceError } from './service-error.ts';

/** The refusal of a batch for one malformed entry of it, by its index from 0; `field` is empty for the entry as a whole. */
export function malformedEntry(entry: number, field: string, reason: string): ServiceError {
  return refusedEntry('invalid_argument', entry, field, reason);
}

/** The refusal of a batch for one entry of it that its sender may not write, by the field that says so. */
export function forbiddenEntry(entry: number, field: string, reason: string): ServiceError {
  return refusedEntry('permission_denied', entry, field, reason);
}

function refusedEntry(
  kind: 'invalid_argument' | 'permission_denied',
  entry: number,
  field: string,
  reason: string,
): ServiceError {
  const place = field === '' ? `Entry ${entry}` : `Entry ${entry}, ${field}`;
  return new ServiceError(kind, `${place}: ${reason}. No entry was taken.`, {
    details: [{ entry, ...(field === '' ? {} : { field }), reason }],
  });
}
