import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ServiceError } from '../../errors/service-error.ts';
import { toErrorReply } from '../response/error-reply.ts';

/**
 * An error's whole answer as it goes on the wire, for connections without a response object to write through. The
 * connection is to be closed after it.
 */
export function rawReply(error: ServiceError): Buffer {
  const requestId = randomUUID();
  const { code, headers, body } = toErrorReply(error, requestId);
  const lines = [`HTTP/1.1 ${code} ${STATUS_CODES[code]}`];
  const all = [...headers, 'X-Request-Id', requestId, 'Connection', 'close'];
  for (let index = 0; index < all.length; index += 2) lines.push(`${all[index]}: ${all[index + 1]}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}
