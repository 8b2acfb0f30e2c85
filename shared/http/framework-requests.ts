import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { HttpHandler } from './reply.ts';
import { decodePercent } from './request-target.ts';

/**
 * Keeps functions-framework's Express application (5.0.5, Express 5) from answering before our handler does.
 * Its body parsers accept 1 GiB and answer malformed JSON with an HTML page; its router does the same to a
 * path with malformed percent escapes. Neither has an option, and both go by the request that Node announces
 * on this channel before the application sees it: without the headers that announce a body the parsers leave
 * the stream to us (read-body.ts reads them from `rawHeaders`), and a path that the router can decode reaches
 * our own 404. Node itself has framed the body by then, so nothing changes on the wire.
 *
 * Holds for every server of the process until the function that it returns is called.
 */
export function leaveRequestsToHandlers(): () => void {
  subscribe(CHANNEL, onRequestStart);
  return () => unsubscribe(CHANNEL, onRequestStart);
}

const CHANNEL = 'http.server.request.start';

function onRequestStart(message: unknown): void {
  const { request } = message as { readonly request: IncomingMessage };
  delete request.headers['content-length'];
  delete request.headers['transfer-encoding'];
  request.url = routableUrl(request.url ?? '/');
}

/** The same URL, or one with a path that stands for "no such thing" where Express would refuse the path. */
function routableUrl(url: string): string {
  if (!url.includes('%') && url.startsWith('/')) return url;
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const query = queryAt < 0 ? '' : url.slice(queryAt);
  if (path === '*') return `/*${query}`;
  return decodePercent(path) === undefined ? `${path.replaceAll('%', '%25')}${query}` : url;
}

/**
 * The handler as functions-framework should call it. The framework runs functions in a `node:domain`, which then
 * tracks each promise that the handler makes: about half of what a request costs. The domain is there to answer
 * for functions that throw; our handlers never do, so they leave it.
 */
export function asFrameworkFunction(handler: HttpHandler): HttpHandler {
  return (req, res) => {
    const { domain } = process as { readonly domain?: { exit(): void } | null };
    domain?.exit();
    return handler(req, res);
  };
}
