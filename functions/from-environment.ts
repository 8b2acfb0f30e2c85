import { lazyHandler } from '../shared/http/lazy-handler.ts';
import type { HttpHandler } from '../shared/http/reply.ts';
import { composeFromEnvironment, type Service } from '../shared/runtime/compose.ts';

/**
 * Makes a function's handler on its first request, from the service that the environment describes. `isBuilt`: the
 * endpoints were checked when the function was bundled.
 */
export function fromEnvironment(make: (service: Service) => HttpHandler, isBuilt = false): HttpHandler {
  return lazyHandler(async () => make(await composeFromEnvironment(isBuilt)), reportFailure);
}

/** One line that Cloud Logging reads as an error; there is no logger before the service exists. */
function reportFailure(error: unknown, requestId: string): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${JSON.stringify({ severity: 'CRITICAL', message, requestId })}\n`);
}
