import { ServiceError } from '../errors/service-error.ts';
import { compileLql } from '../lql/compile.ts';
import { describeLql, type LqlExplanation } from '../lql/describe.ts';
import { lqlError } from '../lql/lql-error.ts';
import { parseLql } from '../lql/parse.ts';
import { freePrefix } from '../lql/query-values.ts';
import type { TimeWindow } from '../lql/time-window.ts';
import type { Sandbox, SandboxedQuery } from '../sql/sandbox/consumer-query.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import type { RequestParameters } from './request-parameters.ts';

/** A query in LQL that may run. */
export interface LqlPlan {
  readonly compiled: SandboxedQuery;
  /** The values of all its parameters for the key of a cached answer. */
  readonly keyParameters: ReadonlyMap<string, QueryParameter>;
  /** What its clauses leave of time. */
  readonly window: TimeWindow;
  readonly explanation: () => LqlExplanation;
}

/** What a query in LQL runs on. */
export interface LqlRequest {
  readonly request: RequestParameters;
  readonly bound: ReadonlyMap<string, QueryParameter>;
  /** The present of the request, in microseconds since the epoch. */
  readonly nowMicros: bigint;
}

/**
 * Compiles a query in LQL and takes what comes out through the sandbox, as if the consumer had written it. Throws a
 * ServiceError (invalid_argument) with the place in the LQL.
 */
export function planLql(sandbox: Sandbox, lql: string, { request, bound, nowMicros }: LqlRequest): LqlPlan {
  const query = parseLql(lql);
  const options = { sources: sandbox.schemas, nowMicros, parameterPrefix: freePrefix(bound.keys()) };
  const own = compileLql(lql, query, options);
  const compiled = underSandbox(lql, () => sandbox.compile(own.sql, request, bound, own.parameters));
  const keyParameters = new Map([...compiled.parameters, ...own.keyParameters]);
  const { window } = own;
  return { compiled, keyParameters, window, explanation: () => describeLql(lql, query, own) };
}

/** What the sandbox refuses it refuses with a place in the GoogleSQL, which nobody has seen. */
function underSandbox(lql: string, compile: () => SandboxedQuery): SandboxedQuery {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const complaint = error.message.replace(/ \(line \d+, column \d+\)$/, '');
    throw lqlError(lql, 0, 'unsupported', `the query cannot be run in GoogleSQL: ${complaint}`);
  }
}
