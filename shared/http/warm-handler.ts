import type { ExpectedCaller } from '../access/check-caller.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { invalidParameter } from '../errors/service-error.ts';
import type { Warm } from '../warming/warmer.ts';
import type { HttpDeps } from './http-deps.ts';
import { HTTP_LIMITS } from './http-limits.ts';
import { single } from './request/answer-options.ts';
import { readParameters } from './request/read-parameters.ts';
import { type HttpHandler, jsonReply, type Reply } from './response/reply.ts';
import { type Exchange, makeRoute } from './server/route.ts';

export interface WarmDeps extends HttpDeps {
  readonly warm: Warm;
  /** Whose calls are taken. */
  readonly warmCaller: ExpectedCaller;
}

/**
 * The handler that a scheduler calls with `{"endpoint":"<name or id>"}`; answers `{"refreshed","skipped","failed","left"}`.
 * When every set failed the answer is 200 all the same: calling again at once would only fail again.
 */
export function makeWarmHandler(deps: WarmDeps): HttpHandler {
  return makeRoute(deps, { methods: ['POST'], limits: HTTP_LIMITS }, async (exchange): Promise<Reply> => {
    const { checkCaller } = await import('../access/check-caller.ts');
    checkCaller(exchange.req.headers.authorization, deps.warmCaller, deps.wallClockMs());
    exchange.timing.end('auth');
    const endpoint = await readEndpoint(deps, exchange);
    exchange.notes.endpoint = endpoint.name;
    exchange.timing.end('bind');
    const { bytesBilled: _, ...counts } = await deps.warm(endpoint, exchange.signal, exchange.onUsage);
    exchange.timing.end('query');
    exchange.notes.warming = counts;
    return jsonReply(200, Buffer.from(JSON.stringify(counts)));
  });
}

async function readEndpoint(deps: HttpDeps, exchange: Exchange): Promise<Endpoint> {
  const request = await readParameters(exchange, HTTP_LIMITS);
  const endpoint = deps.endpoints.find(single(request, 'endpoint'));
  const warmed = deps.endpoints.all.filter(({ warmEverySeconds }) => warmEverySeconds !== null);
  if (endpoint !== undefined && warmed.includes(endpoint)) return endpoint;
  const names = warmed.map(({ name }) => name).join(', ');
  throw invalidParameter(
    'endpoint',
    `Parameter 'endpoint' is missing or names no endpoint that is warmed. It accepts ${names || 'none: no endpoint is warmed'}.`,
  );
}
