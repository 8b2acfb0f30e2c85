import { makeNotFoundHandler } from '../shared/http/health-handlers.ts';
import { INGEST_ROUTE, type IngestDeps, makeIngestHandler } from '../shared/http/ingest/ingest-handler.ts';
import { splitTarget } from '../shared/http/request/request-target.ts';
import type { HttpHandler } from '../shared/http/response/reply.ts';

/** The function that takes log entries and nothing else. */
export function makeIngest(service: IngestDeps): HttpHandler {
  const ingest = makeIngestHandler(service);
  const notFound = makeNotFoundHandler(service);
  return (req, res) => (splitTarget(req.url ?? '/').path === INGEST_ROUTE ? ingest : notFound)(req, res);
}
