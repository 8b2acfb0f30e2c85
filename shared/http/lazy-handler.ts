import { randomUUID } from 'node:crypto';
import { lazy } from '../concurrency/lazy.ts';
import { ServiceError } from '../errors/service-error.ts';
import { toErrorReply } from './response/error-reply.ts';
import { type HttpHandler, sendReply } from './response/reply.ts';

/**
 * A handler that is made when the first request needs it, and once. When that fails the request is answered with
 * 503, the reason goes to `reportFailure`, and the next request tries again.
 */
export function lazyHandler(
  start: () => Promise<HttpHandler>,
  reportFailure: (error: unknown, requestId: string) => void,
): HttpHandler {
  const made = lazy(start);
  return async (req, res) => {
    const handler = await made().catch((error: unknown) => {
      const requestId = randomUUID();
      reportFailure(error, requestId);
      const failure = new ServiceError('unavailable', 'The service cannot start; its log says why.');
      sendReply(res, req.method ?? 'GET', toErrorReply(failure, requestId), ['X-Request-Id', requestId]);
    });
    await handler?.(req, res);
  };
}
