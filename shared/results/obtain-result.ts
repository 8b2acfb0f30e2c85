import type { Admission, AdmittedQuery } from '../admission/admission.ts';
import { cacheKey, definitionVersion } from '../cache/cache-key.ts';
import type { AnswerRequest, CacheReply, Grow, ResultCache } from '../cache/result-cache.ts';
import { memoize } from '../concurrency/memoize.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { makeRedactor } from '../privacy/redactor.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import type { RunOptions, Warehouse, WarehouseQuery } from '../warehouse/warehouse.ts';
import { answerOf } from './answer-of.ts';
import { byteCapOf } from './byte-cap.ts';
import { type Caller, consumerDeadlineMs, type RunEnvironment, rowCap, runOptions } from './run-options.ts';
import type { SealedQueries } from './sealed/sealed-queries.ts';

/** A query, and the values in its cache key where these differ from its parameters. */
export interface KeyedQuery extends WarehouseQuery {
  /** The values that distinguish it from other queries of the same text. */
  readonly keyParameters?: ReadonlyMap<string, QueryParameter>;
}

/** A request for a result. */
export interface ResultRequest extends Caller {
  /** In its redacted form, where the answer is redacted. */
  readonly endpoint: Endpoint;
  /** The endpoint's parameters by name. */
  readonly values: ReadonlyMap<string, QueryParameter>;
  /** The endpoint's stored query, or a consumer query over its CTEs. */
  readonly query: KeyedQuery;
  /** Whether the query is run whatever the cache holds. */
  readonly bypassCache: boolean;
  /** Whether rows that are read are counted, of `RunOptions`. */
  readonly countsRows?: boolean;
  /** Asked for by the caller; the endpoint's own setting holds whatever it says. */
  readonly isRedacted: boolean;
}

/** What obtaining results needs. */
export interface ResultDeps extends RunEnvironment {
  readonly warehouse: Warehouse;
  readonly cache: ResultCache;
  /** Changes with the tables that the sources are; without it they never change. */
  readonly origin?: string | null;
  /** Consumer queries go through it; stored queries never wait. */
  readonly admission: Admission;
  /** Runs stored queries whose settings ask for it by parts; without it each reads its whole window. */
  readonly sealed?: SealedQueries;
  /** Milliseconds since some moment; never runs backwards. */
  monotonicMs(): number;
}

/** Obtains a result; throws a ServiceError. */
export type ObtainResult = (request: ResultRequest) => Promise<CacheReply>;

/** While rows are redacted they are there twice. */
export function growRedacted(grow: Grow): Grow {
  return (bytes) => grow(Math.ceil(bytes * REDACTED_PART));
}

const REDACTED_PART = 1.5;

/** Makes the way to a result: from the cache, or from the warehouse and redacted where the endpoint or the caller asks. */
export function makeObtainResult(deps: ResultDeps): ObtainResult {
  const derivedFrom = memoize((endpoint: Endpoint) => ({
    version: definitionVersion(endpoint, deps.origin),
    redactor: makeRedactor(endpoint.redactAlso),
  }));

  return async (request) => {
    const { endpoint, values, query } = request;
    const derived = derivedFrom(endpoint);
    const isConsumers = query.isUntrusted === true;
    const redactor = endpoint.redactPii || request.isRedacted ? derived.redactor : null;
    const maxRows = rowCap(endpoint, request.maxRows);
    const key = cacheKey({
      endpointId: endpoint.id,
      definitionVersion: derived.version,
      parameters: isConsumers ? new Map([...values, ...(query.keyParameters ?? query.parameters)]) : values,
      consumerQuery: isConsumers ? query.sql : null,
      redaction: redactor?.kinds ?? [],
      maxRows: maxRows === endpoint.maxRows ? null : maxRows,
    });
    const requestedAtMs = deps.monotonicMs();
    const mostMs = isConsumers ? consumerDeadlineMs(deps, request) : deps.deadlineMs;
    // Waiting for another instance's answer is part of the deadline: the platform's own deadline follows soon.
    const leftMs = () => Math.max(1, Math.ceil(mostMs - (deps.monotonicMs() - requestedAtMs)));
    const run = (grow: Grow, changed: Partial<RunOptions> & Pick<RunOptions, 'deadlineMs' | 'signal'>) => {
      const held = redactor === null ? grow : growRedacted(grow);
      const { countsRows = false } = request;
      const options = { ...runOptions(deps, endpoint, query, request), ...changed, grow: held, countsRows };
      const isByParts = deps.sealed !== undefined && !isConsumers && endpoint.sealedBuckets !== null;
      const running = isByParts
        ? deps.sealed.run({ endpoint, query, options, redaction: redactor?.kinds ?? [] })
        : deps.warehouse.run(query, options);
      return answerOf(running, redactor);
    };
    const caps = { service: deps.byteCaps, endpoint, token: request.maxBytesBilled };
    const bounds = `${mostMs} ${byteCapOf(caps, isConsumers)}`;
    const answerRequest: Omit<AnswerRequest, 'compute'> = {
      bounds,
      ttlSeconds: endpoint.cacheTtlSeconds,
      refresh: request.bypassCache,
      recheckSeconds: endpoint.warmEverySeconds,
      signal: request.signal,
      deadlineMs: mostMs,
    };
    if (!isConsumers)
      return deps.cache.answer(key, {
        ...answerRequest,
        compute: (signal, grow) => run(grow, { deadlineMs: leftMs(), signal }),
      });

    const inTurn =
      (admitted: AdmittedQuery): AnswerRequest['compute'] =>
      (signal, grow) =>
        admitted.run({ deadlineMs: leftMs(), signal }, (turn) => run(grow, { ...turn, signal }));
    const { account, cpuSecondsPerMinute } = request;
    const admit = <T>(work: (admitted: AdmittedQuery) => Promise<T>) =>
      deps.admission.admit({ account, cpuSecondsPerMinute }, `${request.bypassCache} ${bounds} ${key}`, work);
    const isCached =
      !request.bypassCache &&
      deps.cache.lookup(key, answerRequest.ttlSeconds, answerRequest.recheckSeconds) !== null;
    // A cached answer costs nothing; if it expires meanwhile, the query is admitted after all.
    if (isCached)
      return deps.cache.answer(key, {
        ...answerRequest,
        compute: (signal, grow) => admit((admitted) => inTurn(admitted)(signal, grow)),
      });
    return admit((admitted) => deps.cache.answer(key, { ...answerRequest, compute: inTurn(admitted) }));
  };
}
