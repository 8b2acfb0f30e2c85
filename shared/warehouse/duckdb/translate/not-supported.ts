import { ServiceError } from '../../../errors/service-error.ts';

/** The 400 for a part of GoogleSQL that DuckDB cannot compute exactly. */
export function notSupported(feature: string): ServiceError {
  return new ServiceError('invalid_argument', `not supported by the embedded engine: ${feature}`);
}
