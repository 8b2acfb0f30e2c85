import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../errors/service-error.ts';
import type { QueryUsage } from '../../warehouse/warehouse.ts';
import type { RequestNotes, RouteDeps } from '../http-deps.ts';
import type { HttpLimits } from '../http-limits.ts';
import { discardBody } from '../request/read-body.ts';
import { type RequestTarget, splitTarget } from '../request/request-target.ts';
import { toErrorReply, toServiceError } from '../response/error-reply.ts';
import { type HttpHandler, type Reply, sendReply } from '../response/reply.ts';
import { routeMethods } from './methods.ts';
import { Timing } from './timing.ts';
import { makeUsageNotes, type UsageNotes } from './usage-notes.ts';

/** One request on its way to an answer. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly method: string;
  readonly target: RequestTarget;
  readonly requestId: string;
  readonly timing: Timing;
  /** Aborted when the client goes away before the answer. */
  readonly signal: AbortSignal;
  /** For the log line. */
  readonly notes: RequestNotes;
  /** Told of what each query of the request took, for the log. */
  readonly onUsage: (usage: QueryUsage) => void;
  /** Names and values in turn that the answer gets, whether it is a result or an error. */
  readonly answerHeaders: string[];
  /** Calls `work` when the answer has been sent, or will not be. */
  onEnd(work: () => void): void;
}

export interface RouteOptions {
  /** Besides OPTIONS, which every route answers. */
  readonly methods: readonly string[];
  readonly limits: HttpLimits;
}

/** The status that access logs give a request whose client did not wait (nginx). */
const CLIENT_CLOSED_REQUEST = 499;

const HOST = 'host';

/**
 * Makes an HTTP handler out of what a route answers. Here is all that routes have in common: methods and CORS,
 * the limit on the URL, the error envelope, HEAD, X-Request-Id, Server-Timing, the log line, and that a client
 * who goes away takes its query along.
 */
export function makeRoute(
  deps: RouteDeps,
  options: RouteOptions,
  answer: (exchange: Exchange) => Promise<Reply>,
): HttpHandler {
  const { limits } = options;
  const methods = routeMethods(options.methods);

  async function reply(exchange: Exchange): Promise<Reply> {
    checkHost(exchange.req);
    if (exchange.method === 'OPTIONS') return methods.preflight;
    methods.check(exchange.method);
    checkUrlLength(exchange.req.url ?? '/', limits);
    return answer(exchange);
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { exchange, usage } = beginExchange(deps, req, res);
    const { requestId, method, timing, signal, notes } = exchange;
    let error: ServiceError | undefined;
    const outcome = await reply(exchange).catch((thrown: unknown) => {
      error = toServiceError(thrown, requestId);
      return toErrorReply(error, requestId);
    });
    const headers = ['X-Request-Id', requestId, ...without(outcome.headers, exchange.answerHeaders)];
    if (timing.header() !== '') headers.push('Server-Timing', timing.header());
    if (!(req.complete || (await discardBody(req, limits)))) headers.push('Connection', 'close');
    if (!signal.aborted) sendReply(res, method, outcome, headers);
    deps.logger.request({
      requestId,
      method,
      path: exchange.target.path,
      status: signal.aborted ? CLIENT_CLOSED_REQUEST : outcome.code,
      responseBytes: signal.aborted || method === 'HEAD' ? 0 : outcome.body.length,
      latencyMs: timing.totalMs(),
      timing: timing.header(),
      headers: req.headers,
      remoteAddress: req.socket.remoteAddress,
      protocol: `HTTP/${req.httpVersion}`,
      notes,
      error,
    });
    usage.close();
  }

  // Only sending and logging can fail here, after which there is nothing left to answer or to log with.
  return (req, res) => handle(req, res).catch(() => void res.destroy());
}

/** The headers whose names an answer does not have yet: what refuses a request says more of it than what let it in. */
function without(present: readonly string[], headers: readonly string[]): readonly string[] {
  const names = new Set(present.filter((_, index) => index % 2 === 0));
  return headers.filter((_, index) => !names.has(headers[index - (index % 2)] ?? ''));
}

function beginExchange(
  deps: RouteDeps,
  req: IncomingMessage,
  res: ServerResponse,
): { readonly exchange: Exchange; readonly usage: UsageNotes } {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const requestId = deps.requestId(req.headers);
  const notes: RequestNotes = {};
  const usage = makeUsageNotes(notes, requestId, deps.logger);
  const exchange: Exchange = {
    req,
    method: req.method ?? 'GET',
    target: splitTarget(req.url ?? '/'),
    requestId,
    timing: new Timing(),
    signal: gone.signal,
    notes,
    onUsage: usage.count,
    answerHeaders: [],
    onEnd(work) {
      if (res.closed) work();
      else res.once('close', work);
    },
  };
  return { exchange, usage };
}

/** A request of HTTP/1.1 names its host, and one (RFC 9112, section 3.2). */
function checkHost({ httpVersionMinor, httpVersionMajor, rawHeaders }: IncomingMessage): void {
  if (httpVersionMajor === 1 && httpVersionMinor === 0) return;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  if (count === 1) return;
  const what = count === 0 ? 'has no header Host' : `has ${count} headers Host`;
  throw new ServiceError('invalid_argument', `The request ${what}; send one.`);
}

function checkUrlLength(url: string, limits: HttpLimits): void {
  if (url.length <= limits.maxUrlBytes) return;
  throw new ServiceError(
    'url_too_long',
    `The URL is longer than ${limits.maxUrlBytes} bytes; send the parameters as a JSON object with POST.`,
  );
}
