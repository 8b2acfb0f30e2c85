import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { makeClient } from '../../client/client.js';
import type { CatalogueEndpoint } from '../explorer/catalogue.ts';
import type { HttpHandler } from '../http/response/reply.ts';
import { inProcessFetch } from './in-process-fetch.ts';
import { IN_PROCESS_URL } from './in-process-url.ts';
import { mcpServer } from './mcp-server.ts';

/** What the queries of tools take over from the request of the protocol. */
const OF_QUERIES = ['authorization', 'cache-control', 'lf-endpoint-redact-pii', 'x-request-id'];

/**
 * Answers one POST of the streamable HTTP transport whose body is `message`. Queries of tools go to `query` with the token
 * of the request, and are cancelled with it.
 */
export async function answerMcp(
  request: Request,
  message: unknown,
  endpoints: readonly CatalogueEndpoint[],
  query: HttpHandler,
): Promise<Response> {
  const { headers, signal } = request;
  const own = OF_QUERIES.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const send = inProcessFetch(query, Object.fromEntries(own));
  const client = makeClient({
    baseUrl: IN_PROCESS_URL,
    token: headers.get('x-api-key') ?? '',
    fetch: (url, init) => send(url, { ...init, signal: init.signal ?? signal }),
  });
  const server = mcpServer(client, endpoints);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const stop = () => void server.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    signal.removeEventListener('abort', stop);
    await server.close();
  }
}
