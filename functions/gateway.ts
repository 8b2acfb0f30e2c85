import { makeExplorerRoutes } from '../shared/explorer/explorer-routes.ts';
import { makeHealthHandler, makeNotFoundHandler, makeReadyHandler } from '../shared/http/health-handlers.ts';
import type { HttpDeps } from '../shared/http/http-deps.ts';
import { makeQueryHandler } from '../shared/http/query-handler.ts';
import type { HttpHandler } from '../shared/http/reply.ts';
import { isQueryPath, splitTarget } from '../shared/http/request-target.ts';
import { makeOpenApiHandler, OPENAPI_ROUTE } from '../shared/openapi/openapi-handler.ts';

/**
 * All routes under one port, what a load balancer does in the cloud. `local` are the paths that a start on a person's
 * own machine serves besides.
 */
export function makeGateway(
  service: HttpDeps,
  local: ReadonlyMap<string, HttpHandler> = new Map(),
): HttpHandler {
  const query = makeQueryHandler(service);
  const explorer = makeExplorerRoutes(service);
  const notFound = makeNotFoundHandler(service);
  const pages = new Map<string, HttpHandler>([
    ['/healthz', makeHealthHandler(service)],
    ['/readyz', makeReadyHandler(service)],
    [OPENAPI_ROUTE, makeOpenApiHandler(service)],
    ...local,
  ]);

  return (req, res) => {
    const { path } = splitTarget(req.url ?? '/');
    const handle = isQueryPath(path) ? query : (pages.get(path) ?? explorer(path) ?? notFound);
    return handle(req, res);
  };
}
