import type { AccessToken } from '../access/access-token.ts';
import { authenticate } from '../access/authenticate.ts';
import { authorize } from '../access/authorize.ts';
import { rateLimitHeaders } from '../access/rate-limiter.ts';
import type { CacheReply } from '../cache/result-cache.ts';
import { bindParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { makeObtainResult } from '../results/obtain-result.ts';
import { makeRedactedEndpoints } from '../results/redacted-endpoints.ts';
import { type RunFor, rowCap } from '../results/run-options.ts';
import type { WarehouseQuery } from '../warehouse/warehouse.ts';
import type { AnswerFacts } from './answer-meta.ts';
import {
  ANSWER_PARAMETERS,
  type AnswerOptions,
  isGiven,
  readAnswerOptions,
  single,
} from './answer-options.ts';
import { answerReply } from './answer-reply.ts';
import { checkSpan } from './check-span.ts';
import { makePlanner } from './consumer-query.ts';
import { explain } from './explain-query.ts';
import { makeHints } from './hints.ts';
import type { HttpDeps } from './http-deps.ts';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts';
import { hiddenPathsOf, makePages, type NextPage } from './paging/pages.ts';
import { readParameters } from './read-parameters.ts';
import type { HttpHandler, Reply } from './reply.ts';
import type { RequestParameters } from './request-parameters.ts';
import { resolveAny, resolveOnly } from './resolve-endpoint.ts';
import { type Exchange, makeRoute } from './route.ts';
import { boundsOf, lookbackOf, narrowed, timeWindowOf } from './time-window.ts';

export interface QueryHandlerOptions {
  /** The id or name of the one endpoint to serve, also at `/`; without it, every endpoint by its own path. */
  readonly only?: string;
  readonly limits?: HttpLimits;
}

/** So many digits of a token's digest tell it from the others without giving it away. */
const ACCOUNT_DIGITS = 16;

/**
 * The handler of `/api/endpoints/query/<id or name>`. Throws a TypeError at construction when `only` names no endpoint.
 */
export function makeQueryHandler(deps: HttpDeps, options: QueryHandlerOptions = {}): HttpHandler {
  const { only, limits = HTTP_LIMITS } = options;
  const resolve = only === undefined ? resolveAny(deps.endpoints) : resolveOnly(deps.endpoints, only);
  const planner = makePlanner(deps);
  const obtain = makeObtainResult(deps);
  const pages = makePages(deps);
  const redacted = makeRedactedEndpoints(deps.warehouse.tables);
  const hintsFor = makeHints(deps, planner);

  async function answerQuery(exchange: Exchange): Promise<Reply> {
    const { req, timing, notes } = exchange;
    const token = await authenticate(req.headers, deps.tokens, deps.wallClockMs());
    notes.token = token.name;
    const quota = deps.limiter.admitRequest(token);
    if (quota !== null) exchange.answerHeaders.push(...Object.entries(rateLimitHeaders(quota)).flat());
    timing.end('auth');

    const endpoint = resolve(exchange.target.path, token);
    notes.endpoint = endpoint.name;
    const request = await readParameters(exchange, limits);
    const options = readAnswerOptions(req.headers, request);
    const isRedacted = endpoint.redactPii || options.asksForRedaction;
    const seen = isRedacted ? await redacted(endpoint) : endpoint;
    const asked = { endpoint: seen, token, request, options, isRedacted };
    return isGiven(request, 'cursor') ? answerPage(exchange, asked) : answerFirst(exchange, asked);
  }

  async function answerFirst(exchange: Exchange, asked: Asked): Promise<Reply> {
    const { endpoint, token, request, options, isRedacted } = asked;
    const { timing } = exchange;
    const project = projectOf(request);
    authorize(token, project);
    const bound = await bindParameters(endpoint, request);
    const bounds = boundsOf(endpoint, bound);
    checkSpan(token, endpoint, bound, bounds, deps.nowMicros());
    const runFor = runForOf(token, exchange);
    const planned = await planner.plan(endpoint, request, bound, (cpuMs) =>
      deps.admission.chargeCpu(runFor, cpuMs),
    );
    const ignored = planned.ignored.filter((name) => !ANSWER_PARAMETERS.has(name));
    timing.end('bind');
    if (planned.explained !== null) return explain(deps, endpoint, planned, ignored, runFor);

    if (options.isFresh && endpoint.cacheTtlSeconds > 0) deps.limiter.admitRecomputation(token);
    const obtained = await obtain({
      endpoint,
      values: bound.values,
      query: planned.query,
      isFresh: options.isFresh,
      isRedacted,
      ...runFor,
    });
    exchange.onEnd(obtained.hold.release);
    const noted = isWarmed(endpoint, planned.query, token)
      ? deps.asked.record(
          {
            endpointId: endpoint.id,
            parameters: givenTexts(endpoint, request),
            isRedacted: options.asksForRedaction,
          },
          runFor.account,
        )
      : null;
    const { answer } = obtained.entry;
    const own = bounds ?? lookbackOf(endpoint, bound, deps.nowMicros(obtained.ageMs));
    const effective = narrowed(own, planned.window);
    const hints = await hintsFor({
      endpoint,
      values: bound.values,
      bounds: effective,
      sources: planned.sources,
      answer,
      runFor,
      maxWindowSeconds: token.limits.maxWindowSeconds,
    });
    timing.end('query');

    const window = timeWindowOf(effective);
    const cursor = {
      endpointId: endpoint.id,
      project: project ?? null,
      isRedacted,
      hiddenPaths: hiddenPathsOf(endpoint, isRedacted),
      maxRows: rowCap(endpoint, token.limits.maxRows),
      window,
      isConsumers: planned.query.isUntrusted === true,
    };
    const facts = { window, ignored, hints };
    const { cacheTtlSeconds: ttlSeconds } = endpoint;
    const replied = await reply(exchange, asked, { obtained, facts, cursor, ttlSeconds });
    // An instance in the cloud may stand still from the moment its last answer is given.
    if (noted !== null) await noted;
    return replied;
  }

  async function answerPage(exchange: Exchange, asked: Asked): Promise<Reply> {
    const { endpoint, token, request, isRedacted } = asked;
    const { timing } = exchange;
    const text = single(request, 'cursor');
    const ignored = [...request.keys()].filter((name) => name !== 'cursor' && !ANSWER_PARAMETERS.has(name));
    timing.end('bind');
    const page = await pages.read(text, { endpoint, token, isRedacted, runFor: runForOf(token, exchange) });
    exchange.onEnd(page.reply.hold.release);
    timing.end('query');
    const facts = { window: page.cursor.window, ignored, hints: [] };
    return reply(exchange, asked, { obtained: page.reply, facts, cursor: page.cursor, ttlSeconds: 0 });
  }

  async function reply(exchange: Exchange, asked: Asked, obtained: Obtained): Promise<Reply> {
    const { req, method, requestId, notes, timing, target } = exchange;
    const { token, options } = asked;
    const { state, ageSeconds, entry } = obtained.obtained;
    const { answer } = entry;
    notes.rows = answer.rows.length;
    notes.cache = state;
    const next = pages.next(answer, { path: target.path, token, options, cursor: obtained.cursor });
    const facts = { ...obtained.facts, answer, cache: { state, ageSeconds }, requestId, next };
    const { ttlSeconds } = obtained;
    const context = { method, headers: req.headers, options, ttlSeconds };
    const answered = await answerReply(obtained.obtained, facts, context);
    timing.end('encode');
    return answered;
  }

  return makeRoute(deps, { methods: ['GET', 'HEAD', 'POST'], limits }, answerQuery);
}

/** What a token may have a query run with. */
function runForOf({ digest, limits }: AccessToken, { signal, onUsage }: Exchange): RunFor {
  const { maxRows, maxBytesBilled, sqlDeadlineSeconds, cpuSecondsPerMinute } = limits;
  return {
    maxRows,
    maxBytesBilled,
    account: digest.slice(0, ACCOUNT_DIGITS),
    sqlDeadlineMs: sqlDeadlineSeconds === null ? null : sqlDeadlineSeconds * 1000,
    cpuSecondsPerMinute,
    signal,
    onUsage,
  };
}

/** What a request is about, as far as it is known before its parameters are looked at. */
interface Asked {
  readonly endpoint: Endpoint;
  readonly token: AccessToken;
  readonly request: RequestParameters;
  readonly options: AnswerOptions;
  /** By the endpoint's setting or because the caller asks for it. */
  readonly isRedacted: boolean;
}

/** A result with what is told of it. */
interface Obtained {
  readonly obtained: CacheReply;
  readonly facts: Pick<AnswerFacts, 'window' | 'ignored' | 'hints'>;
  readonly cursor: NextPage['cursor'];
  readonly ttlSeconds: number;
}

/**
 * Consumers' own queries are not: there are too many of them, and each is asked for by few. Nor are results for a token
 * that may have fewer rows.
 */
function isWarmed(
  { warmEverySeconds }: Endpoint,
  { isUntrusted }: WarehouseQuery,
  { limits }: AccessToken,
): boolean {
  return warmEverySeconds !== null && isUntrusted !== true && limits.maxRows === null;
}

/** The declared parameters that are given, as they were sent. */
function givenTexts({ parameters }: Endpoint, request: RequestParameters): Readonly<Record<string, string>> {
  const texts = parameters.map(({ name }) => [name, request.get(name)?.[0] ?? ''] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** The project that a request is about, as it was sent; one given twice is none (binding refuses it). */
function projectOf(request: RequestParameters): string | undefined {
  const values = request.get('project');
  return values?.length === 1 ? values[0] : undefined;
}
