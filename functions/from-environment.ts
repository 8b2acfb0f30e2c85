import { lazyHandler } from '../shared/http/lazy-handler.ts';
import type { HttpHandler } from '../shared/http/reply.ts';
import { composeFromEnvironment, type Service } from '../shared/runtime/compose.ts';
import type { BuiltDefinitions } from '../shared/runtime/definitions.ts';
import { mappedStack } from '../shared/runtime/mapped-stack.ts';

/** A function with its way out. */
export interface EnvironmentFunction {
  readonly handler: HttpHandler;
  /** Closes the service, where a request has had it made. */
  close(): Promise<void>;
}

/**
 * Makes a function's handler on its first request, from the service that the environment describes. `built`: what it
 * serves, where that was checked and written down when the function was bundled.
 */
export function fromEnvironment(
  make: (service: Service) => HttpHandler,
  built?: BuiltDefinitions,
): EnvironmentFunction {
  const composed: Service[] = [];
  const handler = lazyHandler(async () => {
    const service = await composeFromEnvironment(built);
    composed.push(service);
    return make(service);
  }, reportFailure);
  const close = async () => {
    await Promise.all(composed.map((service) => service.close()));
  };
  return { handler, close };
}

/** One line that Cloud Logging reads as an error; there is no logger before the service exists. */
function reportFailure(error: unknown, requestId: string): void {
  const message = error instanceof Error ? mappedStack(error.stack ?? error.message) : String(error);
  process.stderr.write(`${JSON.stringify({ severity: 'CRITICAL', message, requestId })}\n`);
}
