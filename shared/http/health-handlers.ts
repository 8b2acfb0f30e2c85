import { atMostEvery } from '../concurrency/at-most-every.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { RouteDeps } from './http-deps.ts';
import { HTTP_LIMITS, READY_INTERVAL_MS, READY_TIMEOUT_MS } from './http-limits.ts';
import { type HttpHandler, jsonReply } from './response/reply.ts';
import { makeRoute } from './server/route.ts';

const OPTIONS = { methods: ['GET', 'HEAD'], limits: HTTP_LIMITS };

/** `/healthz`: the process answers. Looks at nothing else, so that a slow warehouse restarts nothing. */
export function makeHealthHandler(deps: RouteDeps): HttpHandler {
  const body = Buffer.from('{"status":"ok"}');
  return makeRoute(deps, OPTIONS, async () => jsonReply(200, body));
}

/** `/readyz`: the warehouse answers, and in time; else 503. It is asked once a second at most, whoever asks. */
export function makeReadyHandler(
  deps: RouteDeps & { readonly warehouse: Warehouse; monotonicMs(): number },
  timeoutMs = READY_TIMEOUT_MS,
): HttpHandler {
  const body = Buffer.from('{"status":"ready"}');
  const ping = atMostEvery(
    READY_INTERVAL_MS,
    () => deps.monotonicMs(),
    () => pingWithin(deps.warehouse, timeoutMs),
  );
  return makeRoute(deps, OPTIONS, async () => {
    await ping();
    return jsonReply(200, body);
  });
}

/** Every other path of a server. */
export function makeNotFoundHandler(deps: RouteDeps): HttpHandler {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  return makeRoute(deps, { methods, limits: HTTP_LIMITS }, () => {
    throw new ServiceError(
      'not_found',
      'There is nothing at this address; queries are at /api/endpoints/query/<id or name>.',
    );
  });
}

async function pingWithin(warehouse: Warehouse, timeoutMs: number): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    await Promise.race([warehouse.ping(), late.promise]);
  } catch (cause) {
    throw new ServiceError('unavailable', 'The warehouse does not answer; try again shortly.', { cause });
  } finally {
    clearTimeout(timer);
  }
}
