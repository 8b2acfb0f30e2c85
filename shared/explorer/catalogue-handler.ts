import { authenticate } from '../access/authenticate.ts';
import { isEndpointAllowed } from '../access/authorize.ts';
import { onFirstUse } from '../concurrency/on-first-use.ts';
import { chooseCoding, compress } from '../http/formats/coding.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import { type HttpHandler, jsonReply } from '../http/reply.ts';
import { makeRoute } from '../http/route.ts';

export const CATALOGUE_ROUTE = '/explorer/catalogue.json';

/**
 * Tells the holder of a token what there is to ask: the endpoints that the token may use with their parameters and
 * sources, the functions, the projects that the token is limited to, and what queries take for the present.
 */
export function makeCatalogueHandler(deps: HttpDeps): HttpHandler {
  // Most processes are never asked for it, and the analyzer takes its time to load.
  const describe = onFirstUse(async () => {
    const { describeAll } = await import('./catalogue.ts');
    return describeAll(deps.endpoints.all, deps.warehouse);
  });

  return makeRoute(
    deps,
    { methods: ['GET', 'HEAD'], limits: HTTP_LIMITS },
    async ({ req, notes, timing }) => {
      const token = await authenticate(req.headers, deps.tokens, deps.wallClockMs());
      notes.token = token.name;
      deps.limiter.admitRequest(token);
      timing.end('auth');
      const { endpoints, functions } = await describe();
      const answer = {
        endpoints: endpoints.filter((endpoint) => isEndpointAllowed(token, endpoint)),
        functions,
        projects: token.projects,
        nowMicros: Number(deps.nowMicros()),
      };
      const coding = chooseCoding(req.headers);
      const body = await compress(Buffer.from(JSON.stringify(answer)), coding);
      timing.end('encode');
      const headers = ['Vary', 'X-API-KEY, Authorization, Accept-Encoding'];
      if (coding !== 'identity') headers.push('Content-Encoding', coding);
      return jsonReply(200, body, headers);
    },
  );
}
