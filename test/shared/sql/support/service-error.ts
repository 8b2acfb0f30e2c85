import { ServiceError } from '../../../../shared/errors/service-error.ts';

/** The ServiceError that `run` throws. Any other error, and none, is thrown on as a fault of the test. */
export function serviceErrorOf(run: () => unknown): ServiceError {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Runs what may be refused with a ServiceError; whatever else it throws goes on. */
export function toleratingRefusal(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}
