import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import type { HttpLimits } from '../http-limits.ts';
import { announcesBody, declaredLength } from './raw-header.ts';

/**
 * The whole body of a request. Throws body_too_large beyond the limit (before reading when the declared length
 * tells), unsupported_media_type for a compressed body, invalid_argument when it does not arrive in time or the
 * client breaks off.
 */
export async function readBody(req: IncomingMessage, limits: HttpLimits): Promise<Buffer> {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError(
      'unsupported_media_type',
      'Send the body uncompressed, without Content-Encoding.',
      {
        headers: { 'Accept-Encoding': 'identity' },
      },
    );
  }
  return readSentBody(req, limits);
}

/** The whole body of a request as it was sent, compressed or not. Throws what `readBody` does but for that. */
export async function readSentBody(req: IncomingMessage, limits: HttpLimits): Promise<Buffer> {
  const read = bodyReadByHost(req);
  const body = read ?? (await readStream(req, limits));
  if (body.length > limits.maxBodyBytes) throw bodyTooLarge(limits);
  return body;
}

function bodyTooLarge(limits: HttpLimits): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The body is larger than ${limits.maxBodyBytes} bytes; send a smaller one.`,
  );
}

function brokenOff(): ServiceError {
  return new ServiceError('invalid_argument', 'The body ended before it was complete.');
}

/** What a host in front of the handler has left of a body that it has read: its bytes, or what it made of them. */
function bodyReadByHost(req: IncomingMessage & { rawBody?: unknown; body?: unknown }): Buffer | undefined {
  if (Buffer.isBuffer(req.rawBody)) return req.rawBody;
  if (!req.readableEnded || req.body === undefined) return undefined;
  if (Buffer.isBuffer(req.body)) return req.body;
  return Buffer.from(typeof req.body === 'string' ? req.body : JSON.stringify(req.body));
}

function readStream(req: IncomingMessage, limits: HttpLimits): Promise<Buffer> {
  if (!announcesBody(req) || req.readableEnded) return Promise.resolve(Buffer.alloc(0));
  if (req.destroyed) return Promise.reject(brokenOff());
  if (declaredLength(req) > limits.maxBodyBytes) return Promise.reject(bodyTooLarge(limits));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => {
      const seconds = limits.bodyTimeoutMs / 1000;
      settle(() =>
        reject(new ServiceError('invalid_argument', `The body did not arrive within ${seconds} s.`)),
      );
    }, limits.bodyTimeoutMs);
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limits.maxBodyBytes) settle(() => reject(bodyTooLarge(limits)));
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks, length)));
    const onBroken = (): void => settle(() => reject(brokenOff()));
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      req.pause();
      finish();
    };
    req.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/**
 * Reads the remainder of a body that is not needed and drops it, within the limits. Resolves to whether the request
 * is complete. A connection closed with bytes unread is reset, and a client that is still sending then sees a
 * broken connection in place of the answer (RFC 9112, section 9.6).
 */
export function discardBody(req: IncomingMessage, limits: HttpLimits): Promise<boolean> {
  if (req.complete || !announcesBody(req)) return Promise.resolve(true);
  if (req.destroyed || declaredLength(req) > limits.maxDiscardedBytes) return Promise.resolve(false);
  return new Promise((resolve) => {
    let length = 0;
    const settle = (): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', settle).off('error', settle).off('close', settle);
      req.pause();
      resolve(req.complete);
    };
    const timer = setTimeout(settle, limits.discardTimeoutMs);
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limits.maxDiscardedBytes) settle();
    };
    req.on('data', onData).on('end', settle).on('error', settle).on('close', settle);
    req.resume();
  });
}
