import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../../errors/service-error.ts';
import { toErrorReply } from '../response/error-reply.ts';
import { sendReply } from '../response/reply.ts';
import { rawReply } from './raw-reply.ts';

/**
 * Makes a server answer in our envelope what Node answers by itself, or not at all, before any handler sees a request:
 * headers too large (431), a malformed or unfinished request (400), an unknown expectation (417), and CONNECT (405). A
 * request without a host is left to the route, which refuses it as well.
 */
export function answerParserErrors(server: Server): void {
  // Read for each request; Node has an option for it, and functions-framework makes the server.
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket & { readonly _httpMessage?: ServerResponse | null };
    // Part of an answer is on the wire, or the client has gone.
    if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(rawReply(parserError(error)));
  });
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    const requestId = randomUUID();
    // A body that waits for leave may come or not: its end is unknown.
    const headers = ['X-Request-Id', requestId, 'Connection', 'close'];
    sendReply(res, req.method ?? 'GET', toErrorReply(unknownExpectation(), requestId), headers);
  });
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.end(rawReply(noProxy()));
  });
}

function unknownExpectation(): ServiceError {
  return new ServiceError(
    'expectation_failed',
    'The header Expect takes 100-continue and nothing else; leave it out.',
  );
}

function noProxy(): ServiceError {
  const allow = 'GET, HEAD, POST, OPTIONS';
  return new ServiceError('method_not_allowed', `This is no proxy; it takes ${allow}.`, {
    headers: { Allow: allow },
  });
}

function parserError(error: NodeJS.ErrnoException): ServiceError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError(
        'headers_too_large',
        'The URL and the headers together are too long; send the parameters as a JSON object with POST.',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('body_too_large', 'The extensions of a chunk are too long; send none.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('invalid_argument', 'The request did not arrive in time.');
    case 'HPE_INVALID_URL':
    // Behind a space in the URL the protocol's name is expected.
    case 'HPE_INVALID_CONSTANT':
      return new ServiceError(
        'invalid_argument',
        'The first line of the request cannot be read; percent-encode what is in the URL, spaces and letters beyond ASCII too.',
      );
    default:
      return new ServiceError('invalid_argument', 'This is not a valid HTTP/1.1 request.');
  }
}
