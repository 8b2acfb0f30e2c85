import type { AccessToken } from '../access/access-token.ts';
import { authenticate } from '../access/authenticate.ts';
import { isEndpointAllowed } from '../access/authorize.ts';
import { rateLimitHeaders } from '../access/rate-limiter.ts';
import { chooseCoding, compress } from '../http/formats/coding.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import { type HttpHandler, jsonReply } from '../http/reply.ts';
import { makeRoute } from '../http/route.ts';
import type { OpenApiObject } from './json-schema.ts';

/** The handler of that route: the endpoints that the holder of a token may use, as an OpenAPI document. */
export function makeOpenApiHandler(deps: HttpDeps): HttpHandler {
  return makeRoute(deps, { methods: ['GET', 'HEAD'], limits: HTTP_LIMITS }, async (exchange) => {
    const { req, notes, timing, answerHeaders } = exchange;
    const token = await authenticate(req.headers, deps.tokens, deps.wallClockMs());
    notes.token = token.name;
    const quota = deps.limiter.admitRequest(token);
    if (quota !== null) answerHeaders.push(...Object.entries(rateLimitHeaders(quota)).flat());
    timing.end('auth');
    const coding = chooseCoding(req.headers);
    const body = await compress(Buffer.from(JSON.stringify(await describe(deps, token))), coding);
    timing.end('encode');
    const headers = ['Vary', 'X-API-KEY, Authorization, Accept-Encoding'];
    if (coding !== 'identity') headers.push('Content-Encoding', coding);
    return jsonReply(200, body, headers);
  });
}

async function describe({ endpoints, warehouse }: HttpDeps, token: AccessToken): Promise<OpenApiObject> {
  // Few requests are for the document, so nobody else waits for it to be loaded.
  const { openApiDocument } = await import('./document.ts');
  const allowed = endpoints.all.filter((endpoint) => isEndpointAllowed(token, endpoint));
  const described = allowed.map(async (endpoint) => {
    const parameterTypes = new Map(endpoint.parameters.map(({ name, type }) => [name, type]));
    const columns = await warehouse.describe({ sql: endpoint.sql, parameterTypes });
    return { endpoint, columns, projects: token.projects };
  });
  return openApiDocument(await Promise.all(described));
}
