import type { HttpDeps } from '../shared/http/http-deps.ts';
import { makeQueryHandler } from '../shared/http/query/query-handler.ts';
import type { HttpHandler } from '../shared/http/response/reply.ts';

/** The function that serves the endpoint `logs.all` and nothing else. */
export function makeLogsAll(service: HttpDeps): HttpHandler {
  return makeQueryHandler(service, { only: 'logs.all' });
}
