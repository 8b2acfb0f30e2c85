import type { AccessToken } from '../access/access-token.ts';
import { isEndpointAllowed } from '../access/authorize.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import type { IngestDeps } from '../http/ingest/ingest-handler.ts';
import { makeAdmit } from '../http/request/admit.ts';
import { documentReply } from '../http/response/document-reply.ts';
import type { HttpHandler } from '../http/response/reply.ts';
import { makeRoute } from '../http/server/route.ts';
import { storedText } from '../warehouse/query-text.ts';
import type { OpenApiObject } from './json-schema.ts';

type OpenApiDeps = HttpDeps & Pick<IngestDeps, 'ingest'>;

/** The handler of that route: the endpoints that the holder of a token may use, as an OpenAPI document. */
export function makeOpenApiHandler(deps: OpenApiDeps): HttpHandler {
  const admit = makeAdmit(deps);
  return makeRoute(deps, { methods: ['GET', 'HEAD'], limits: HTTP_LIMITS }, async (exchange) => {
    const token = await admit(exchange);
    return documentReply(exchange, await describe(deps, token));
  });
}

async function describe(
  { endpoints, warehouse, ingest }: OpenApiDeps,
  token: AccessToken,
): Promise<OpenApiObject> {
  // Few requests are for the document, so no one else waits for it to be loaded.
  const { openApiDocument } = await import('./document.ts');
  const allowed = endpoints.all.filter((endpoint) => isEndpointAllowed(token, endpoint));
  const described = allowed.map(async (endpoint) => {
    const { columns } = await warehouse.prepare(storedText(endpoint), endpoint.maxRows);
    return { endpoint, columns, projects: token.projects };
  });
  return openApiDocument(await Promise.all(described), { hasIngest: ingest !== null });
}
