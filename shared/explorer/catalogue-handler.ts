import { isEndpointAllowed } from '../access/authorize.ts';
import { lazy } from '../concurrency/lazy.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import { makeAdmit } from '../http/request/admit.ts';
import { documentReply } from '../http/response/document-reply.ts';
import type { HttpHandler } from '../http/response/reply.ts';
import { makeRoute } from '../http/server/route.ts';

export const CATALOGUE_ROUTE = '/explorer/catalogue.json';

/**
 * Lists what the holder of a token can ask: the endpoints that the token may use with their parameters and
 * sources, the functions, the projects that the token is limited to, and what queries take for the present.
 */
export function makeCatalogueHandler(deps: HttpDeps): HttpHandler {
  // Most processes are never asked for it, and the analyzer takes its time to load.
  const describe = lazy(async () => {
    const { describeAll } = await import('./catalogue.ts');
    return describeAll(deps.endpoints.all, deps.warehouse);
  });

  const admit = makeAdmit(deps);
  return makeRoute(deps, { methods: ['GET', 'HEAD'], limits: HTTP_LIMITS }, async (exchange) => {
    const token = await admit(exchange);
    const { endpoints, functions, severities } = await describe();
    return documentReply(exchange, {
      endpoints: endpoints.filter((endpoint) => isEndpointAllowed(token, endpoint)),
      functions,
      severities,
      projects: token.projects,
      nowMicros: Number(deps.nowMicros()),
    });
  });
}
