import type { IncomingMessage } from 'node:http';

/**
 * A header's first value as the client sent it. Unlike `req.headers` it also holds what another part of the
 * process has taken out of there (framework-requests.ts). The name is in lower case.
 */
export function rawHeader(req: IncomingMessage, name: string): string | undefined {
  const { rawHeaders } = req;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index];
    if (candidate?.length === name.length && candidate.toLowerCase() === name) return rawHeaders[index + 1];
  }
  return undefined;
}

/** Whether the request's head announces a body (RFC 9112, section 6). */
export function announcesBody(req: IncomingMessage): boolean {
  return rawHeader(req, 'transfer-encoding') !== undefined || declaredLength(req) > 0;
}

/** The Content-Length in bytes; 0 when the request has none. */
export function declaredLength(req: IncomingMessage): number {
  return Number(rawHeader(req, 'content-length') ?? 0);
}
