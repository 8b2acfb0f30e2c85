import type { HttpHandler } from '../shared/http/response/reply.ts';
import { makeWarmHandler, type WarmDeps } from '../shared/http/warm-handler.ts';

/** The function that a scheduler calls to refresh results ahead of requests. */
export function makeWarm(service: WarmDeps): HttpHandler {
  return makeWarmHandler(service);
}
