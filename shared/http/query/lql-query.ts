import { ServiceError } from '../../errors/service-error.ts';
import { compileLql } from '../../lql/compile.ts';
import { describeLql, type LqlExplanation } from '../../lql/describe.ts';
import { lqlError } from '../../lql/lql-error.ts';
import { parseLql } from '../../lql/parse.ts';
import { freePrefix } from '../../lql/query-values.ts';
import type { Query } from '../../sql/ast/query.ts';
import type { Sandbox, SandboxedQuery } from '../../sql/sandbox/consumer-query.ts';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import type { TimeRange } from '../../time/time-range.ts';
import type { RequestParameters } from '../request/request-parameters.ts';

/** A query in LQL as GoogleSQL. */
export interface LqlPlan {
  /** What the values of its parameters are for the key of a cached answer, where they are others. */
  readonly keyParameters: ReadonlyMap<string, QueryParameter>;
  /** What its clauses leave of time. */
  readonly timeRange: TimeRange;
  /** Over the endpoint's CTEs. */
  readonly tree: Query;
  /** Takes GoogleSQL with the same parameters through the sandbox. */
  readonly compile: (query: Query) => SandboxedQuery;
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
 * Translates a query in LQL to GoogleSQL, which goes through the sandbox as if the consumer had written it. Throws a
 * ServiceError (invalid_argument) with the place in the LQL, as its `compile` does.
 */
export function planLql(sandbox: Sandbox, lql: string, { request, bound, nowMicros }: LqlRequest): LqlPlan {
  const query = parseLql(lql);
  const options = { sources: sandbox.schemas, nowMicros, parameterPrefix: freePrefix(bound.keys()) };
  const own = compileLql(lql, query, options);
  const { tree, timeRange, keyParameters } = own;
  return {
    tree,
    timeRange,
    keyParameters,
    compile: (made) => underSandbox(lql, () => sandbox.compile(made, request, bound, own.parameters)),
    explanation: () => describeLql(lql, query, own),
  };
}

/** The sandbox refuses with a place in the generated GoogleSQL, which the caller has not seen. */
function underSandbox(lql: string, compile: () => SandboxedQuery): SandboxedQuery {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const complaint = error.message.replace(/ \(line \d+, column \d+\)$/, '');
    throw lqlError(lql, 0, 'unsupported', `the query cannot be run in GoogleSQL: ${complaint}`);
  }
}
