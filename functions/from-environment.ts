import { lazyHandler } from '../shared/http/lazy-handler.ts';
import type { HttpHandler } from '../shared/http/reply.ts';
import { composeFromEnvironment, type Service } from '../shared/runtime/compose.ts';

/** Makes a function's handler on its first request, from the service that the environment describes. */
export function fromEnvironment(make: (service: Service) => HttpHandler): HttpHandler {
  return lazyHandler(async () => make(await composeFromEnvironment()), reportFailure);
}

/** One line that Cloud Logging reads as an error; there is no logger before the service exists. */
function reportFailure(error: unknown, requestId: string): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${JSON.stringify({ severity: 'CRITICAL', message, requestId })}\n`);
}
