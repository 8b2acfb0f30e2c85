import type { Server } from 'node:http';
import { type Connections, trackConnections } from './connections.ts';
import { answerParserErrors } from './server-errors.ts';
import { SERVER_LIMITS, type ServerLimits } from './server-limits.ts';

/**
 * Gives a server that does not listen yet its limits, and our envelope for what Node would answer by itself. Answers its
 * connections, for `stopServer`.
 */
export function guardServer(server: Server, limits: ServerLimits = SERVER_LIMITS): Connections {
  server.headersTimeout = limits.headersTimeoutMs;
  server.requestTimeout = limits.requestTimeoutMs;
  // Node reads it when the server begins to listen; it is an option of the constructor only.
  Object.assign(server, { connectionsCheckingInterval: limits.checkEveryMs });
  // Node drops headers beyond its 2,000th without a word, and one that redacts may be among them. Their bytes are limited.
  server.maxHeadersCount = 0;
  answerParserErrors(server);
  return trackConnections(server, limits.maxConnections);
}

/** Whether a server has its limits already. */
export function isGuarded(server: Server): boolean {
  return server.listenerCount('checkExpectation') > 0;
}
