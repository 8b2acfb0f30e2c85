import type { HttpDeps } from '../shared/http/http-deps.ts';
import { makeQueryHandler } from '../shared/http/query/query-handler.ts';
import type { HttpHandler } from '../shared/http/response/reply.ts';

/** The function that serves the endpoint `usage.api-counts` and nothing else. */
export function makeUsageApiCounts(service: HttpDeps): HttpHandler {
  return makeQueryHandler(service, { only: 'usage.api-counts' });
}
