import { isEndpointAllowed } from '../access/authorize.ts';
import { lazy } from '../concurrency/lazy.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import { makeQueryHandler } from '../http/query/query-handler.ts';
import { makeAdmit } from '../http/request/admit.ts';
import { readBody } from '../http/request/read-body.ts';
import { bodyReply, emptyReply, type HttpHandler, NO_STORE, type Reply } from '../http/response/reply.ts';
import { type Exchange, makeRoute } from '../http/server/route.ts';
import { IN_PROCESS_URL } from './in-process-url.ts';

export const MCP_ROUTE = '/mcp';

/**
 * The Model Context Protocol over streamable HTTP, without sessions: each POST is one exchange of JSON-RPC and has the
 * caller's token. A call of a tool counts as one request, and its query passes the route of queries.
 */
export function makeMcpHandler(deps: HttpDeps): HttpHandler {
  // Most processes are never asked: the protocol's library and the analyzer take their time to load.
  const load = lazy(async () => {
    const [{ describeAll }, { answerMcp }] = await Promise.all([
      import('../explorer/catalogue.ts'),
      import('./answer-mcp.ts'),
    ]);
    const { endpoints } = await describeAll(deps.endpoints.all, deps.warehouse);
    return { endpoints, answerMcp };
  });
  const admit = makeAdmit(deps);
  // A call is counted once, when it comes in.
  const query = makeQueryHandler({ ...deps, limiter: { ...deps.limiter, admitRequest: () => null } });

  return makeRoute(deps, { methods: ['POST'], limits: HTTP_LIMITS }, async (exchange): Promise<Reply> => {
    const token = await admit(exchange);
    const message = parseMessage(await readBody(exchange.req, HTTP_LIMITS));
    exchange.timing.end('bind');
    const { endpoints, answerMcp } = await load();
    const allowed = endpoints.filter((endpoint) => isEndpointAllowed(token, endpoint));
    const response = await answerMcp(asRequest(exchange), message, allowed, query);
    exchange.timing.end('query');
    if (response.status === 202) return emptyReply(202, []);
    const type = response.headers.get('content-type') ?? 'application/json';
    return bodyReply(response.status, type, NO_STORE, Buffer.from(await response.arrayBuffer()));
  });
}

/** One message: a batch, which the protocol has had no more since 2025-06-18, would be many calls for one request. */
function parseMessage(body: Buffer): unknown {
  const message = parseJson(body);
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message;
  throw new ServiceError(
    'invalid_argument',
    'The body has to be one message of JSON-RPC 2.0, a JSON object.',
  );
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** The request as the protocol's library reads it; its queries carry the same token and id. */
function asRequest({ req, signal, requestId }: Exchange): Request {
  const headers = new Headers({ 'X-Request-Id': requestId });
  for (const name of FORWARDED) {
    const value = req.headers[name];
    if (value !== undefined) headers.set(name, String(value));
  }
  return new Request(`${IN_PROCESS_URL}mcp`, { method: 'POST', headers, signal });
}

const FORWARDED = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'x-api-key',
  'authorization',
  'cache-control',
  'lf-endpoint-redact-pii',
];
