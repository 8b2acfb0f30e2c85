import { isEndpointAllowed } from '../access/authorize.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import { makeAdmit } from '../http/request/admit.ts';
import { documentReply } from '../http/response/document-reply.ts';
import type { HttpHandler } from '../http/response/reply.ts';
import { makeRoute } from '../http/server/route.ts';
import type { SavedQueries } from '../saved-queries/saved-queries.ts';

/** Where the page reads the queries that an operator saved for all. */
export const SAVED_QUERIES_ROUTE = '/explorer/saved.json';

/** Lists the saved queries whose endpoint the token may use; none where the service has no folder of them. */
export function makeSavedQueriesHandler(deps: HttpDeps, saved: SavedQueries | null): HttpHandler {
  const admit = makeAdmit(deps);
  return makeRoute(deps, { methods: ['GET', 'HEAD'], limits: HTTP_LIMITS }, async (exchange) => {
    const token = await admit(exchange);
    const allowed = new Set(
      deps.endpoints.all.filter((endpoint) => isEndpointAllowed(token, endpoint)).map(({ name }) => name),
    );
    const queries = (await saved?.list()) ?? [];
    return documentReply(exchange, { queries: queries.filter(({ endpoint }) => allowed.has(endpoint)) });
  });
}
