import type { AssetSource } from '../shared/explorer/asset-files.ts';
import { makeExplorerRoutes } from '../shared/explorer/explorer-routes.ts';
import { makeHealthHandler, makeNotFoundHandler, makeReadyHandler } from '../shared/http/health-handlers.ts';
import type { HttpDeps } from '../shared/http/http-deps.ts';
import { INGEST_ROUTE, type IngestDeps, makeIngestHandler } from '../shared/http/ingest/ingest-handler.ts';
import { makeQueryHandler } from '../shared/http/query/query-handler.ts';
import { isQueryPath, splitTarget } from '../shared/http/request/request-target.ts';
import type { HttpHandler } from '../shared/http/response/reply.ts';
import { MCP_ROUTE, makeMcpHandler } from '../shared/mcp/mcp-handler.ts';
import { makeOpenApiHandler } from '../shared/openapi/openapi-handler.ts';
import { OPENAPI_ROUTE } from '../shared/openapi/openapi-route.ts';
import type { SavedQueries } from '../shared/saved-queries/saved-queries.ts';

/** What all routes together need. */
export interface GatewayDeps extends HttpDeps, IngestDeps {
  /** The explorer's files; null where it is not served, and its paths are answered like any other. */
  readonly explorer: AssetSource | null;
  /** The saved queries that the explorer offers; null where there are none. */
  readonly savedQueries: SavedQueries | null;
}

/**
 * All routes under one port, what a load balancer does in the cloud. `local` are the paths that a start on a person's
 * own machine serves besides.
 */
export function makeGateway(
  service: GatewayDeps,
  local: ReadonlyMap<string, HttpHandler> = new Map(),
): HttpHandler {
  const query = makeQueryHandler(service);
  const explorer =
    service.explorer === null ? () => undefined : makeExplorerRoutes(service, service.explorer);
  const notFound = makeNotFoundHandler(service);
  const pages = new Map<string, HttpHandler>([
    ['/healthz', makeHealthHandler(service)],
    ['/readyz', makeReadyHandler(service)],
    [INGEST_ROUTE, makeIngestHandler(service)],
    [OPENAPI_ROUTE, makeOpenApiHandler(service)],
    [MCP_ROUTE, makeMcpHandler(service)],
    ...local,
  ]);

  return (req, res) => {
    const { path } = splitTarget(req.url ?? '/');
    const handle = isQueryPath(path) ? query : (pages.get(path) ?? explorer(path) ?? notFound);
    return handle(req, res);
  };
}
