import { authenticate } from '../access/authenticate.ts';
import { authorize } from '../access/authorize.ts';
import { checkWindow } from '../access/check-window.ts';
import { rateLimitHeaders } from '../access/rate-limiter.ts';
import { bindParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ParameterType } from '../endpoints/query-parameter.ts';
import { makeObtainResult } from '../results/obtain-result.ts';
import type { WarehouseQuery } from '../warehouse/warehouse.ts';
import { ANSWER_PARAMETERS, readAnswerOptions } from './answer-options.ts';
import { answerReply } from './answer-reply.ts';
import { makePlanner } from './consumer-query.ts';
import { encodeExplanation } from './explain-reply.ts';
import { makeHints } from './hints.ts';
import type { HttpDeps } from './http-deps.ts';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts';
import { readParameters } from './read-parameters.ts';
import type { HttpHandler, Reply } from './reply.ts';
import type { RequestParameters } from './request-parameters.ts';
import { resolveAny, resolveOnly } from './resolve-endpoint.ts';
import { type Exchange, makeRoute } from './route.ts';
import { boundsOf, timeWindowOf } from './time-window.ts';

export interface QueryHandlerOptions {
  /** The id or name of the one endpoint to serve, also at `/`; without it, every endpoint by its own path. */
  readonly only?: string;
  readonly limits?: HttpLimits;
}

/** So many digits of a token's digest tell it from the others without giving it away. */
const ACCOUNT_DIGITS = 16;

/**
 * The handler of `/api/endpoints/query/<id or name>`. Throws at construction: a TypeError when `only` names no
 * endpoint, a ConfigurationError when a stored query cannot be taken apart for consumers' own.
 */
export function makeQueryHandler(deps: HttpDeps, options: QueryHandlerOptions = {}): HttpHandler {
  const { only, limits = HTTP_LIMITS } = options;
  const resolve = only === undefined ? resolveAny(deps.endpoints) : resolveOnly(deps.endpoints, only);
  const planner = makePlanner(deps, servedEndpoints(deps, only));
  const obtain = makeObtainResult(deps);
  const hintsFor = makeHints(deps, planner);

  async function answerQuery(exchange: Exchange): Promise<Reply> {
    const { req, method, timing, notes, signal, requestId } = exchange;
    const token = await authenticate(req.headers, deps.tokens, deps.wallClockMs());
    notes.token = token.name;
    const quota = deps.limiter.admitRequest(token);
    if (quota !== null) exchange.answerHeaders.push(...Object.entries(rateLimitHeaders(quota)).flat());
    timing.end('auth');

    const endpoint = resolve(exchange.target.path);
    notes.endpoint = endpoint.name;
    const request = await readParameters(exchange, limits);
    authorize(token, endpoint, projectOf(request));
    const bound = await bindParameters(endpoint, request);
    const bounds = boundsOf(endpoint, bound);
    if (bounds !== null && endpoint.timeWindow !== null)
      checkWindow(token.limits, bounds, endpoint.timeWindow, deps.nowMicros());
    const options = readAnswerOptions(req.headers, request);
    const planned = planner.plan(endpoint, request, bound);
    const ignored = planned.ignored.filter((name) => !ANSWER_PARAMETERS.has(name));
    timing.end('bind');
    if (planned.explained !== null) {
      deps.warehouse.describe({ sql: planned.query.sql, parameterTypes: typesOf(planned.query) });
      const { deadlineMs } = deps;
      const run = { maxRows: endpoint.maxRows, deadlineMs, nowMicros: deps.nowMicros(), signal };
      const estimate = await deps.warehouse.estimate?.(planned.query, run);
      return encodeExplanation(planned.explained, estimate?.bytes ?? null, ignored);
    }

    if (options.isFresh && endpoint.cacheTtlSeconds > 0) deps.limiter.admitRecomputation(token);
    const obtained = await obtain({
      endpoint,
      values: bound.values,
      query: planned.query,
      isFresh: options.isFresh,
      isRedacted: options.asksForRedaction,
      maxRows: token.limits.maxRows,
      maxBytesBilled: token.limits.maxBytesBilled,
      account: token.digest.slice(0, ACCOUNT_DIGITS),
      signal,
    });
    if (isWarmed(endpoint, planned.query) && token.limits.maxRows === null) {
      deps.asked.record({
        endpointId: endpoint.id,
        parameters: givenTexts(endpoint, request),
        isRedacted: options.asksForRedaction,
      });
    }
    const { answer } = obtained.entry;
    const hints = await hintsFor({
      endpoint,
      values: bound.values,
      sources: planned.sources,
      answer,
      signal,
    });
    notes.rows = answer.rows.length;
    notes.cache = obtained.state;
    timing.end('query');

    const cache = { state: obtained.state, ageSeconds: obtained.ageSeconds };
    const facts = { answer, cache, requestId, window: timeWindowOf(bounds), ignored, hints, next: null };
    const ttlSeconds = endpoint.cacheTtlSeconds;
    const reply = await answerReply(obtained, facts, { method, headers: req.headers, options, ttlSeconds });
    timing.end('encode');
    return reply;
  }

  return makeRoute(deps, { methods: ['GET', 'HEAD', 'POST'], limits }, answerQuery);
}

function servedEndpoints({ endpoints }: HttpDeps, only: string | undefined): readonly Endpoint[] {
  return only === undefined ? endpoints.all : endpoints.all.filter((one) => one === endpoints.find(only));
}

/** Consumers' own queries are not: there are too many of them, and each is asked for by few. */
function isWarmed({ warmEverySeconds }: Endpoint, { isUntrusted }: WarehouseQuery): boolean {
  return warmEverySeconds !== null && isUntrusted !== true;
}

/** The declared parameters that are given, as they were sent. */
function givenTexts({ parameters }: Endpoint, request: RequestParameters): Readonly<Record<string, string>> {
  const texts = parameters.map(({ name }) => [name, request.get(name)?.[0] ?? ''] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

function typesOf({ parameters }: WarehouseQuery): ReadonlyMap<string, ParameterType> {
  return new Map([...parameters].map(([name, { type }]) => [name, type]));
}

/** The project that a request is about, as it was sent; one given twice is none (binding refuses it). */
function projectOf(request: RequestParameters): string | undefined {
  const values = request.get('project');
  return values?.length === 1 ? values[0] : undefined;
}
