/** A call of BigQuery's API that did not succeed; what it holds is for the operator. */
export class ApiFailure extends Error {
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** BigQuery's words for the kinds of failure, such as `quotaExceeded`. */
  readonly reasons: readonly string[];

  constructor(
    status: number | null,
    reasons: readonly string[],
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'ApiFailure';
    this.status = status;
    this.reasons = reasons;
  }

  has(...reasons: readonly string[]): boolean {
    return this.reasons.some((reason) => reasons.includes(reason));
  }
}

/** BigQuery's reasons for failures that pass by themselves (cloud.google.com/bigquery/docs/error-messages). */
const TRANSIENT_REASONS = [
  'backendError',
  'internalError',
  'jobBackendError',
  'jobInternalError',
  'jobRateLimitExceeded',
  'rateLimitExceeded',
  'tableUnavailable',
  'userRateLimitExceeded',
] as const;

/** Whether the same call may succeed when it is made again. */
export function isTransient({ status, reasons }: ApiFailure): boolean {
  if (status === null || status === 429 || status >= 500) return true;
  return reasons.some((reason) => TRANSIENT_REASONS.some((transient) => transient === reason));
}
