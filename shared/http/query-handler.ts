import type { IncomingHttpHeaders } from 'node:http';
import { authenticate } from '../access/authenticate.ts';
import { authorize } from '../access/authorize.ts';
import { bindParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ParameterType } from '../endpoints/query-parameter.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { WarehouseQuery } from '../warehouse/warehouse.ts';
import { makePlanner } from './consumer-query.ts';
import { encodeResult, redactFailure, redactRows } from './encode-result.ts';
import { encodeExplanation } from './explain-reply.ts';
import type { HttpDeps } from './http-deps.ts';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.ts';
import { readParameters } from './read-parameters.ts';
import type { HttpHandler, Reply } from './reply.ts';
import type { RequestParameters } from './request-parameters.ts';
import { endpointKey } from './request-target.ts';
import { type Exchange, makeRoute } from './route.ts';

export interface QueryHandlerOptions {
  /** The id or name of the one endpoint to serve, also at `/`; without it, every endpoint by its own path. */
  readonly only?: string;
  readonly limits?: HttpLimits;
}

/**
 * The handler of `/api/endpoints/query/<id or name>`. Throws at construction: a TypeError when `only` names no
 * endpoint, a ConfigurationError when a stored query cannot be taken apart for consumers' own.
 */
export function makeQueryHandler(deps: HttpDeps, options: QueryHandlerOptions = {}): HttpHandler {
  const limits = options.limits ?? HTTP_LIMITS;
  const resolve = options.only === undefined ? resolveAny(deps) : resolveOnly(deps, options.only);
  const plan = makePlanner(deps, servedEndpoints(deps, options.only));

  async function answerQuery(exchange: Exchange): Promise<Reply> {
    const { req, timing, notes, signal } = exchange;
    const token = await authenticate(req.headers, deps.tokens, deps.wallClockMs());
    notes.token = token.name;
    timing.end('auth');

    const endpoint = resolve(exchange.target.path);
    notes.endpoint = endpoint.name;
    const request = await readParameters(exchange, limits);
    authorize(token, endpoint, projectOf(request));
    const bound = await bindParameters(endpoint, request);
    const { query, ignored, explained } = plan(endpoint, request, bound);
    timing.end('bind');
    if (explained !== null) {
      deps.warehouse.describe({ sql: query.sql, parameterTypes: typesOf(query) });
      return encodeExplanation(explained, null, ignored);
    }

    const isRedacted = endpoint.redactPii || asksForRedaction(req.headers);
    const { maxRows } = endpoint;
    const { deadlineMs } = deps;
    const options = { maxRows, deadlineMs, nowMicros: deps.nowMicros(), signal };
    const result = await deps.warehouse.run(query, options).catch((error: unknown) => {
      throw isRedacted ? redactFailure(error) : error;
    });
    notes.rows = result.rows.length;
    timing.end('query');

    const reply = encodeResult(isRedacted ? redactRows(result) : result, ignored);
    timing.end('encode');
    return reply;
  }

  return makeRoute(deps, { methods: ['GET', 'HEAD', 'POST'], limits }, answerQuery);
}

function servedEndpoints({ endpoints }: HttpDeps, only: string | undefined): readonly Endpoint[] {
  return only === undefined ? endpoints.all : endpoints.all.filter((one) => one === endpoints.find(only));
}

type Resolve = (path: string) => Endpoint;

function resolveAny(deps: HttpDeps): Resolve {
  return (path) => {
    const key = endpointKey(path);
    const endpoint = key === undefined ? undefined : deps.endpoints.find(key);
    return endpoint ?? refuseUnknown();
  };
}

function resolveOnly(deps: HttpDeps, only: string): Resolve {
  const endpoint = deps.endpoints.find(only);
  if (endpoint === undefined) throw new TypeError(`There is no endpoint "${only}".`);
  return (path) => {
    if (path === '/') return endpoint;
    const key = endpointKey(path);
    return key !== undefined && deps.endpoints.find(key) === endpoint ? endpoint : refuseUnknown();
  };
}

function refuseUnknown(): never {
  throw new ServiceError(
    'not_found',
    'There is no such endpoint; call /api/endpoints/query/ followed by the id or the name of one.',
  );
}

function typesOf({ parameters }: WarehouseQuery): ReadonlyMap<string, ParameterType> {
  return new Map([...parameters].map(([name, { type }]) => [name, type]));
}

/** The project that a request is about, as it was sent; one given twice is none (binding refuses it). */
function projectOf(request: RequestParameters): string | undefined {
  const values = request.get('project');
  return values?.length === 1 ? values[0] : undefined;
}

/** The header only tightens: any value but `true` leaves the endpoint's own setting. */
function asksForRedaction(headers: IncomingHttpHeaders): boolean {
  return headers['lf-endpoint-redact-pii'] === 'true';
}
