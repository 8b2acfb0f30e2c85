import type { IncomingMessage, ServerResponse } from 'node:http';

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

/** On every answer: any origin may read it, and nobody guesses at its type (Fetch standard, sections 3.2 and 3.7). */
const ON_EVERY_ANSWER = [
  'X-Content-Type-Options',
  'nosniff',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  [
    'Age',
    'Allow',
    'Retry-After',
    'Server-Timing',
    'WWW-Authenticate',
    'X-Cache',
    'X-Ignored-Parameters',
    'X-Request-Id',
    'X-Row-Count',
    'X-Truncated',
  ].join(', '),
] as const;

/** On every answer with a JSON body. Answers hang on the token, so no shared cache may keep them. */
const ON_JSON = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Cache-Control',
  'no-store',
  ...ON_EVERY_ANSWER,
] as const;

/** An answer whose body is the text of a JSON value. */
export function jsonReply(code: number, body: Buffer, headers: readonly string[] = []): Reply {
  return { code, headers: [...ON_JSON, 'Content-Length', String(body.length), ...headers], body };
}

/** An answer without a body (RFC 9110, section 15.3.5). */
export function emptyReply(headers: readonly string[]): Reply {
  return { code: 204, headers: [...ON_EVERY_ANSWER, ...headers], body: NO_BODY };
}

/** Sends a reply; to HEAD the same headers without the body (RFC 9110, section 9.3.2). */
export function sendReply(
  res: ServerResponse,
  method: string,
  reply: Reply,
  headers: readonly string[],
): void {
  res.writeHead(reply.code, [...reply.headers, ...headers]);
  if (method === 'HEAD' || reply.body.length === 0) res.end();
  else res.end(reply.body);
}
