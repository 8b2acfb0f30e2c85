import type { IncomingMessage, ServerResponse } from 'node:http';
import { EXPOSED_HEADERS } from './answer-headers.ts';

/** One whole answer, ready to be sent. */
export interface Reply {
  readonly code: number;
  /** Names and values in turn, as `ServerResponse.writeHead` takes them. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Handles one request whole: always answers, never throws. Fits node:http and functions-framework alike. */
export type HttpHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

export const NO_BODY = Buffer.alloc(0);

/** On every answer: any origin may read it, and clients do not guess its type (Fetch standard, sections 3.2 and 3.7). */
const ON_EVERY_ANSWER = [
  'X-Content-Type-Options',
  'nosniff',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED_HEADERS.join(', '),
] as const;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers depend on the token, so no shared cache may store them. */
export const NO_STORE = 'no-store';

/** An answer with a body of any type. */
export function bodyReply(
  code: number,
  contentType: string,
  cacheControl: string,
  body: Buffer,
  headers: readonly string[] = [],
): Reply {
  const ofBody = ['Content-Type', contentType, 'Cache-Control', cacheControl, ...ON_EVERY_ANSWER];
  return { code, headers: [...ofBody, 'Content-Length', String(body.length), ...headers], body };
}

/** An answer whose body is the text of a JSON value, which no cache may store. */
export function jsonReply(code: number, body: Buffer, headers: readonly string[] = []): Reply {
  return bodyReply(code, JSON_TYPE, NO_STORE, body, headers);
}

/** An answer without a body: 202, 204 or 304 (RFC 9110, sections 15.3.3, 15.3.5 and 15.4.5). */
export function emptyReply(code: 202 | 204 | 304, headers: readonly string[]): Reply {
  return { code, headers: [...ON_EVERY_ANSWER, ...headers], body: NO_BODY };
}

/** How long a client may take to read an answer, in ms, and how much longer for each MiB of it. */
export interface SendLimits {
  readonly sendTimeoutMs: number;
  readonly sendMsPerMib: number;
}

export const SEND_LIMITS: SendLimits = { sendTimeoutMs: 20_000, sendMsPerMib: 1_000 };

const BYTES_PER_MIB = 1024 * 1024;

/**
 * Sends a reply; to HEAD the same headers without the body (RFC 9110, section 9.3.2). The connection of a client that
 * does not read it in time is closed: until then the body is held in memory.
 */
export function sendReply(
  res: ServerResponse,
  method: string,
  reply: Reply,
  headers: readonly string[],
  { sendTimeoutMs, sendMsPerMib }: SendLimits = SEND_LIMITS,
): void {
  res.writeHead(reply.code, [...reply.headers, ...headers]);
  if (method === 'HEAD' || reply.body.length === 0) res.end();
  else res.end(reply.body);
  const limitMs = sendTimeoutMs + (reply.body.length / BYTES_PER_MIB) * sendMsPerMib;
  const timer = setTimeout(() => res.destroy(), limitMs);
  timer.unref();
  res.once('close', () => clearTimeout(timer));
}
