import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import type { Connections } from './connections.ts';
import { guardServer, isGuarded } from './guard-server.ts';
import { stopServer } from './stop-server.ts';
import { onStopSignal, removeLaterListeners, stopListeners } from './stop-signals.ts';

/** Announces servers that are about to listen (https://nodejs.org/api/diagnostics_channel.html#net). */
const CHANNEL = 'tracing:net.server.listen:asyncStart';

/** How long the service's parts may take to close when the last request has its answer, in ms. */
const CLOSE_LIMIT_MS = 700;

/**
 * Guards the servers that functions-framework (5.0.5) makes and does not expose, and stops its process without losing a
 * request: the framework's own listener of SIGTERM and SIGINT calls `process.exit` at once. `close` is called when no
 * request is under way any more. Where there is no such listener, as under test, signals are left alone.
 *
 * Holds for every HTTP server of the process that has no limits yet, until the function that it returns is called.
 */
export function guardFrameworkServers(process: NodeJS.Process, close: () => Promise<void>): () => void {
  const onListen = (message: unknown) => {
    const { server } = message as { readonly server: unknown };
    if (!(server instanceof Server) || isGuarded(server)) return;
    const connections = guardServer(server);
    const known = stopListeners(process);
    const takeOver = () => {
      if (!removeLaterListeners(process, known)) return;
      onStopSignal(process, () => void stop(process, server, connections, close));
    };
    // The framework adds its listeners in a listener of the same event, after this one; no signal comes in between.
    server.once('listening', () => queueMicrotask(takeOver));
  };
  subscribe(CHANNEL, onListen);
  return () => void unsubscribe(CHANNEL, onListen);
}

async function stop(
  process: NodeJS.Process,
  server: Server,
  connections: Connections,
  close: () => Promise<void>,
): Promise<void> {
  await stopServer(server, connections);
  const late = new Promise((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS));
  // What cannot be closed ends with the process.
  await Promise.race([close().catch(() => {}), late]);
  process.exit(0);
}
