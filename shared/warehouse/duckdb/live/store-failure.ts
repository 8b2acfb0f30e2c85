import { ServiceError } from '../../../errors/service-error.ts';

const FULL = 'the disk is full';
const READ_ONLY = 'the folder of the database may not be written';
/** By the code of the system's error. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EFBIG', 'a file of the database may not grow any more'],
  ['EACCES', READ_ONLY],
  ['EROFS', READ_ONLY],
  ['EPERM', READ_ONLY],
]);

/** The refusal of a batch that could not be written. */
export function cannotStore(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  const reason = REASONS.get(code) ?? 'they cannot be written';
  return new ServiceError('unavailable', `the entries were not stored: ${reason}; send them again later`, {
    cause: error,
  });
}
