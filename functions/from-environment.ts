import { ConfigurationError } from '../shared/errors/configuration-error.ts';
import { lazyHandler } from '../shared/http/lazy-handler.ts';
import type { HttpHandler } from '../shared/http/response/reply.ts';
import { checkEnvironment, composeFromEnvironment, type Service } from '../shared/runtime/compose.ts';
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

/**
 * Ends the process with exit code 2 and one line where a setting is wrong, before anything listens: a platform then
 * leaves the traffic with the instances that answer, in place of one that answers 503 to every call. `built` as for `fromEnvironment`.
 */
export function endOnBadSettings(process: NodeJS.Process, built?: BuiltDefinitions): void {
  try {
    checkEnvironment(built);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    writeLine({ severity: 'CRITICAL', message: error.message });
    process.exit(2);
  }
}

function reportFailure(error: unknown, requestId: string): void {
  const message = error instanceof Error ? mappedStack(error.stack ?? error.message) : String(error);
  writeLine({ severity: 'CRITICAL', message, requestId });
}

/** One line that Cloud Logging reads as an error; there is no logger before the service exists. */
function writeLine(line: Readonly<Record<string, string>>): void {
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
