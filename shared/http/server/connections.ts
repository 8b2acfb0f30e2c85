import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../errors/service-error.ts';
import { rawReply } from './raw-reply.ts';

/** A server's connections: which have a request under way, and which wait for one. */
export interface Connections {
  /** The answers that are not given yet, or not whole. */
  underWay(): Iterable<ServerResponse>;
  /** From now on a connection is closed as soon as no request of its own is under way. */
  closeWhenIdle(): void;
}

const CHANNEL = 'http.server.request.start';

/** The messages of Node's channel (https://nodejs.org/api/diagnostics_channel.html#http). */
interface RequestStart {
  readonly server: Server;
  readonly socket: Socket;
  readonly response: ServerResponse;
}

/**
 * Keeps an eye on the connections of a server that does not listen yet, and holds them to `max`: beyond that, the one is
 * closed that has waited longest without a request under way, so that clients that never send one do not block others. Where
 * all are at work the new one is answered with 503.
 */
export function trackConnections(server: Server, max: number): Connections {
  const open = new Set<Socket>();
  /** The one that has waited longest first. */
  const idle = new Set<Socket>();
  const responses = new Map<ServerResponse, Socket>();
  const counts = new Map<Socket, number>();
  let isClosing = false;

  const rest = (socket: Socket) => {
    const count = (counts.get(socket) ?? 1) - 1;
    if (count > 0) return counts.set(socket, count);
    counts.delete(socket);
    if (socket.destroyed) return;
    if (isClosing) socket.destroySoon();
    else idle.add(socket);
  };

  const onRequestStart = (message: unknown) => {
    const { server: ofRequest, socket, response } = message as RequestStart;
    if (ofRequest !== server) return;
    idle.delete(socket);
    counts.set(socket, (counts.get(socket) ?? 0) + 1);
    responses.set(response, socket);
    response.once('close', () => {
      responses.delete(response);
      rest(socket);
    });
  };

  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
      counts.delete(socket);
    });
    if (open.size > max) {
      const [longest] = idle;
      if (longest === undefined) return void socket.end(rawReply(tooManyConnections()));
      longest.destroy();
    }
    idle.add(socket);
  });
  subscribe(CHANNEL, onRequestStart);
  server.once('close', () => unsubscribe(CHANNEL, onRequestStart));

  return {
    underWay: () => responses.keys(),
    closeWhenIdle() {
      isClosing = true;
      for (const socket of idle) socket.destroy();
    },
  };
}

function tooManyConnections(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The service has as many connections as it takes; try again in a moment.',
  );
}
