import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import { toErrorReply } from '../response/error-reply.ts';
import { sendReply } from '../response/reply.ts';
import type { Connections } from './connections.ts';

/** How long requests under way may take to end, in ms: a platform kills the process ten seconds after its signal. */
const STOP_GRACE_MS = 9_000;

/**
 * Stops a server without losing a request: it takes no connections, closes those that wait for a request, answers 503 to
 * what comes on the others, and resolves when the last request under way has its answer, or after `graceMs`; what is
 * under way then is broken off.
 */
export async function stopServer(
  server: Server,
  connections: Connections,
  graceMs: number = STOP_GRACE_MS,
): Promise<void> {
  server.removeAllListeners('request').on('request', refuse);
  for (const response of connections.underWay()) {
    // Has Node say "Connection: close" in the headers, where these are not sent yet.
    if (!response.headersSent) response.shouldKeepAlive = false;
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.closeWhenIdle();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

function refuse(req: IncomingMessage, res: ServerResponse): void {
  const requestId = randomUUID();
  const error = new ServiceError('unavailable', 'The service is stopping; send the request again.');
  const headers = ['X-Request-Id', requestId, 'Connection', 'close'];
  sendReply(res, req.method ?? 'GET', toErrorReply(error, requestId), headers);
}
