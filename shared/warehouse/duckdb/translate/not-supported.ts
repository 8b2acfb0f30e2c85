import { ServiceError } from '../../../errors/service-error.ts';

/** What every message begins with that says what the engine cannot compute. */
export const REFUSAL = 'not supported by the embedded engine: ';

/** The 400 for a part of GoogleSQL that DuckDB cannot compute exactly. */
export function notSupported(feature: string): ServiceError {
  return new ServiceError('invalid_argument', REFUSAL + feature);
}
