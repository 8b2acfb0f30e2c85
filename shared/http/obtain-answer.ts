import type { AccessToken } from '../access/access-token.ts';
import { cacheKey, definitionVersion } from '../cache/cache-key.ts';
import type { CacheReply } from '../cache/result-cache.ts';
import type { BoundParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { makeRedactor } from '../privacy/redactor.ts';
import type { AnswerOptions } from './answer-options.ts';
import type { QueryPlan } from './consumer-query.ts';
import type { HttpDeps } from './http-deps.ts';
import { runQuery } from './run-query.ts';

/** What an answer is wanted for. */
export interface Wanted {
  readonly endpoint: Endpoint;
  readonly bound: BoundParameters;
  readonly planned: QueryPlan;
  readonly options: AnswerOptions;
  readonly token: AccessToken;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
}

/** Makes the way to an answer: from the cache, or from the warehouse, redacted where the endpoint or the caller asks. */
export function makeObtain(deps: HttpDeps): (wanted: Wanted) => Promise<CacheReply> {
  const made = new Map(
    deps.endpoints.all.map((endpoint) => [
      endpoint,
      { version: definitionVersion(endpoint), redactor: makeRedactor(endpoint.redactAlso) },
    ]),
  );

  return ({ endpoint, bound, planned, options, token, signal }) => {
    const own = made.get(endpoint);
    if (own === undefined) throw new TypeError(`endpoint ${endpoint.name} is not served here`);
    const isRedacted = endpoint.redactPii || options.asksForRedaction;
    const redactor = isRedacted ? own.redactor : null;
    const { query } = planned;
    const isConsumers = query.isUntrusted === true;
    const key = cacheKey({
      endpointId: endpoint.id,
      definitionVersion: own.version,
      parameters: isConsumers ? new Map([...bound.values, ...planned.keyParameters]) : bound.values,
      consumerQuery: isConsumers ? query.sql : null,
      window: null,
      redaction: redactor?.kinds ?? [],
      maxRows: null,
    });
    const compute = (shared: AbortSignal) => {
      const run = {
        maxRows: endpoint.maxRows,
        deadlineMs: deps.deadlineMs,
        nowMicros: deps.nowMicros(),
        signal: shared,
        maxBytesBilled: isConsumers ? endpoint.consumerMaxBytesBilled : endpoint.storedMaxBytesBilled,
        timeWindow: endpoint.timeWindow,
        labels: {
          endpoint: endpoint.name,
          kind: isConsumers ? 'consumer' : 'stored',
          token: token.digest.slice(0, 16),
        },
      };
      return runQuery(deps.warehouse, query, run, redactor);
    };
    return deps.cache.answer(key, {
      ttlSeconds: endpoint.cacheTtlSeconds,
      refresh: options.isFresh,
      recheckSeconds: endpoint.warmEverySeconds,
      signal,
      compute,
    });
  };
}
