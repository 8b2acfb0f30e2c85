import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors/service-error.ts';
import { toErrorReply } from './error-reply.ts';

/**
 * Makes a server answer in our envelope what Node's HTTP parser refuses before any handler sees a request:
 * headers too large (431), a malformed or unfinished request (400).
 */
export function answerParserErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket & { readonly _httpMessage?: ServerResponse | null };
    // Part of an answer is on the wire, or nobody is left to read one.
    if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(rawAnswer(parserError(error)));
  });
}

function parserError(error: NodeJS.ErrnoException): ServiceError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError(
        'headers_too_large',
        'The URL and the headers together are too long; send the parameters as a JSON object with POST.',
      );
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

/** There is no response object to write through at this point, so the message is written as it goes on the wire. */
function rawAnswer(error: ServiceError): Buffer {
  const requestId = randomUUID();
  const { code, headers, body } = toErrorReply(error, requestId);
  const lines = [`HTTP/1.1 ${code} ${STATUS_CODES[code]}`];
  const all = [...headers, 'X-Request-Id', requestId, 'Connection', 'close'];
  for (let index = 0; index < all.length; index += 2) lines.push(`${all[index]}: ${all[index + 1]}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}
