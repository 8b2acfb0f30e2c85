import { type ErrorDetail, type ErrorKind, ServiceError } from '../../../errors/service-error.ts';

/** A ServiceError on its way between processes. */
export interface WireError {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the cause, for the log; null where there is none. */
  readonly cause: string | null;
}

/** The most characters of a cause, which may quote a whole query. */
const MAX_CAUSE_LENGTH = 500;

/** What is sent for anything thrown; what is no ServiceError is the warehouse's own failure. */
export function toWireError(thrown: unknown): WireError {
  const error =
    thrown instanceof ServiceError
      ? thrown
      : new ServiceError('unavailable', 'The warehouse failed; try again.', { cause: thrown });
  const { kind, message, details, headers, cause } = error;
  return { kind, message, details, headers, cause: cause === undefined ? null : causeText(cause) };
}

/** The error that was sent. Of its cause only the text is left. */
export function fromWireError({ kind, message, details, headers, cause }: WireError): ServiceError {
  return new ServiceError(kind, message, {
    details,
    headers,
    ...(cause === null ? {} : { cause: new Error(cause) }),
  });
}

function causeText(cause: unknown): string {
  const isError = typeof cause === 'object' && cause !== null && 'message' in cause;
  return (isError ? String(cause.message) : String(cause)).slice(0, MAX_CAUSE_LENGTH);
}
