import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { decodePercent } from '../request/request-target.ts';
import type { HttpHandler } from '../response/reply.ts';

/**
 * Keeps functions-framework's Express application (5.0.5, Express 5) from answering before our handler does.
 * Its body parsers accept 1 GiB and answer malformed JSON with an HTML page; its router does the same to a
 * path with malformed percent escapes. Neither has an option, and both go by the request that Node announces
 * on this channel before the application sees it: without the headers that announce a body the parsers leave
 * the stream to us (read-body.ts reads them from `rawHeaders`), and a path that the router can decode reaches
 * our own 404. Node itself has framed the body by then, so nothing changes on the wire.
 *
 * `only` is the handler of the one function that the process serves, where there is but one: the server then hands
 * it every request directly, and the application sees none.
 *
 * Holds for every server of the process until the function that it returns is called.
 */
export function bypassFramework(only?: HttpHandler): () => void {
  const taken = new WeakSet<Server>();
  const onRequestStart = (message: unknown) => {
    const { request, server } = message as RequestStart;
    if (only === undefined) prepareForExpress(request);
    else if (!taken.has(server)) takeRequests(server, only);
    taken.add(server);
  };
  subscribe(CHANNEL, onRequestStart);
  return () => unsubscribe(CHANNEL, onRequestStart);
}

/**
 * The handler as functions-framework should call it, where a process may serve one of several functions: which one,
 * only the framework knows. So the first request comes through its Express application; from then on the server hands
 * requests to the handler directly. The application takes more time than a small answer does, and runs functions in a
 * `node:domain`, which then tracks each promise that they make. The domain is there to answer for functions that throw;
 * our handlers never do, so they leave it.
 */
export function asFrameworkFunction(handler: HttpHandler): HttpHandler {
  return (req, res) => {
    const { server } = req.socket as Socket & { readonly server?: Server };
    if (server !== undefined) takeRequests(server, handler);
    const { domain } = process as { readonly domain?: { exit(): void } | null };
    domain?.exit();
    return handler(req, res);
  };
}

const CHANNEL = 'http.server.request.start';

/** The messages of Node's channel (https://nodejs.org/api/diagnostics_channel.html#http). */
interface RequestStart {
  readonly request: IncomingMessage;
  readonly server: Server;
}

function takeRequests(server: Server, handler: HttpHandler): void {
  server.removeAllListeners('request').on('request', handler);
}

function prepareForExpress(request: IncomingMessage): void {
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
