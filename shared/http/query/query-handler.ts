import type { AccessToken } from '../../access/access-token.ts';
import { authorize } from '../../access/authorize.ts';
import { bindParameters } from '../../endpoints/bind-parameters.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { rowCap } from '../../results/run-options.ts';
import type { WarehouseQuery } from '../../warehouse/warehouse.ts';
import type { HttpDeps } from '../http-deps.ts';
import { HTTP_LIMITS, type HttpLimits } from '../http-limits.ts';
import { hiddenPathsOf, makePages } from '../paging/pages.ts';
import { makeAdmit } from '../request/admit.ts';
import { ANSWER_PARAMETERS, isGiven, readAnswerOptions, single } from '../request/answer-options.ts';
import { readParameters } from '../request/read-parameters.ts';
import type { RequestParameters } from '../request/request-parameters.ts';
import { answerReply } from '../response/answer-reply.ts';
import type { HttpHandler, Reply } from '../response/reply.ts';
import { type Exchange, makeRoute } from '../server/route.ts';
import { checkSpan } from './check-span.ts';
import { makePlanner } from './consumer-query.ts';
import { explain } from './explain-query.ts';
import { makeHints } from './hints.ts';
import { callerOf, type QueryContext } from './query-context.ts';
import { boundsOf, lookbackOf, narrowRange } from './requested-range.ts';
import { resolveAny, resolveOnly } from './resolve-endpoint.ts';

export interface QueryHandlerOptions {
  /** The id or name of the one endpoint to serve, also at `/`; without it, every endpoint by its own path. */
  readonly only?: string;
  readonly limits?: HttpLimits;
}

/**
 * The handler of `/api/endpoints/query/<id or name>`. Throws a TypeError at construction when `only` names no endpoint.
 */
export function makeQueryHandler(deps: HttpDeps, options: QueryHandlerOptions = {}): HttpHandler {
  const { only, limits = HTTP_LIMITS } = options;
  const resolve = only === undefined ? resolveAny(deps.endpoints) : resolveOnly(deps.endpoints, only);
  const admit = makeAdmit(deps);
  const planner = makePlanner(deps);
  const pages = makePages(deps);
  const hintsFor = makeHints(deps, planner);

  async function answerQuery(exchange: Exchange): Promise<Reply> {
    const { req, notes, target } = exchange;
    const token = await admit(exchange);
    const stored = resolve(target.path, token);
    notes.endpoint = stored.name;
    const request = await readParameters(exchange, limits);
    const options = readAnswerOptions(req.headers, request);
    const isRedacted = stored.redactPii || options.asksForRedaction;
    const endpoint = isRedacted ? await deps.redacted(stored) : stored;
    const caller = callerOf(token, exchange);
    const context = { exchange, endpoint, token, caller, request, options, isRedacted };
    return isGiven(request, 'cursor') ? answerPage(context) : answerFirst(context);
  }

  async function answerFirst(context: QueryContext): Promise<Reply> {
    const { exchange, endpoint, token, caller, request, options, isRedacted } = context;
    const { timing } = exchange;
    const project = projectOf(endpoint, request);
    authorize(token, endpoint.projectParameter, project);
    const bound = await bindParameters(endpoint, request);
    const bounds = boundsOf(endpoint, bound);
    checkSpan(token, endpoint, bound, bounds, deps.nowMicros());
    const planned = await planner.plan(endpoint, request, bound, (cpuMs) =>
      deps.admission.chargeCpu(caller, cpuMs),
    );
    const ignored = planned.ignored.filter((name) => !ANSWER_PARAMETERS.has(name));
    timing.end('bind');
    if (planned.explained !== null) return explain(deps, endpoint, planned, ignored, caller);

    const { query } = planned;
    const { values } = bound;
    if (options.bypassCache && endpoint.cacheTtlSeconds > 0) deps.limiter.admitRecomputation(token);
    const { bypassCache, countsRows } = options;
    const result = await deps.obtain({
      ...caller,
      endpoint,
      values,
      query,
      bypassCache,
      countsRows,
      isRedacted,
    });
    exchange.onEnd(result.hold.release);
    const noted = isWarmed(endpoint, query, token)
      ? deps.demand.record(
          {
            endpointId: endpoint.id,
            parameters: givenTexts(endpoint, request),
            isRedacted: options.asksForRedaction,
          },
          caller.account,
        )
      : null;
    const own = bounds ?? lookbackOf(endpoint, bound, deps.nowMicros(result.ageMs));
    const timeRange = narrowRange(own, planned.timeRange);
    const hints = await hintsFor({
      endpoint,
      values,
      bounds: timeRange,
      sources: planned.sources,
      answer: result.entry.answer,
      caller,
      maxWindowSeconds: token.limits.maxWindowSeconds,
    });
    timing.end('query');

    const next = pages.next(result, context, {
      endpointId: endpoint.id,
      project: project ?? null,
      isRedacted,
      hiddenPaths: hiddenPathsOf(endpoint, isRedacted),
      maxRows: rowCap(endpoint, token.limits.maxRows),
      timeRange,
      isConsumers: query.isUntrusted === true,
    });
    const reply = await answerReply(context, result, {
      timeRange,
      ignored,
      hints,
      next,
      ttlSeconds: endpoint.cacheTtlSeconds,
    });
    // An instance in the cloud may stand still from the moment its last answer is given.
    if (noted !== null) await noted;
    return reply;
  }

  async function answerPage(context: QueryContext): Promise<Reply> {
    const { exchange, request } = context;
    const { timing } = exchange;
    const text = single(request, 'cursor');
    const ignored = [...request.keys()].filter((name) => name !== 'cursor' && !ANSWER_PARAMETERS.has(name));
    timing.end('bind');
    const cursor = await pages.open(text, context);
    const result = await pages.read(cursor, context);
    exchange.onEnd(result.hold.release);
    timing.end('query');
    const { timeRange } = cursor;
    const next = pages.next(result, context, cursor);
    return answerReply(context, result, { timeRange, ignored, hints: [], next, ttlSeconds: 0 });
  }

  return makeRoute(deps, { methods: ['GET', 'HEAD', 'POST'], limits }, answerQuery);
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
function projectOf({ projectParameter }: Endpoint, request: RequestParameters): string | undefined {
  const values = projectParameter === null ? undefined : request.get(projectParameter);
  return values?.length === 1 ? values[0] : undefined;
}
