import { ServiceError } from '../../errors/service-error.ts';
import { jsonReply, type Reply } from './reply.ts';

/** Seconds after which what failed by itself may work again. */
const RETRY_AFTER_SECONDS = '5';

/** Turns whatever was thrown into the one error type; what is not ours becomes an internal error with its cause. */
export function toServiceError(thrown: unknown, requestId: string): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const message = `The service failed to answer. Its operator finds the reason in the log under request id ${requestId}.`;
  return new ServiceError('internal', message, { cause: thrown });
}

/** The text of the error envelope: `{"error":{"code","status","message","details"}}`. */
export function errorEnvelope(error: ServiceError): string {
  const { code, status, message, details } = error;
  return JSON.stringify({ error: { code, status, message, details } });
}

/**
 * The one way from anything thrown to an answer. Nothing of an unknown error reaches the caller: it becomes a 500
 * with a fixed message that names the request id.
 */
export function toErrorReply(thrown: unknown, requestId: string): Reply {
  const error = toServiceError(thrown, requestId);
  const headers = error.kind === 'unavailable' ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
  return jsonReply(
    error.code,
    Buffer.from(errorEnvelope(error)),
    Object.entries({ ...headers, ...error.headers }).flat(),
  );
}
