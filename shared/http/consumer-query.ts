import type { BoundParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { invalidParameter } from '../errors/service-error.ts';
import type { LqlExplanation } from '../lql/describe.ts';
import type { TimeWindow } from '../lql/time-window.ts';
import type { KeyedQuery } from '../results/obtain-result.ts';
import type { Sandbox, SandboxedQuery } from '../sql/sandbox/consumer-query.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import type { WarehouseQuery } from '../warehouse/warehouse.ts';
import { isGiven, readSwitch, single } from './answer-options.ts';
import type { HttpDeps } from './http-deps.ts';
import type { RequestParameters } from './request-parameters.ts';

/** What a request wants to be run. */
export interface QueryPlan {
  readonly query: KeyedQuery;
  /** The names of the request's parameters that nothing uses, in the request's order. */
  readonly ignored: readonly string[];
  /** What is told of the query in place of its rows; null where rows are wanted. */
  readonly explained: Explained | null;
  /** What the clauses of a query in LQL leave of time; null for any other query, whose own conditions nobody reads. */
  readonly window: TimeWindow | null;
  /** The endpoint's sources that are read. */
  sources(): Promise<readonly string[]>;
}

/** A query that may run; `lql` tells of it what it was written in. */
export interface Explained extends SandboxedQuery {
  readonly lql?: LqlExplanation;
}

/** Finds out what to run for a request to an endpoint; throws a ServiceError (invalid_argument). */
export type PlanQuery = (
  endpoint: Endpoint,
  request: RequestParameters,
  bound: BoundParameters,
) => Promise<QueryPlan>;

/** What consumers' queries go through, by endpoint. */
export interface Planner {
  readonly plan: PlanQuery;
  /** The time of the newest entry of a source, within the bounds that the parameters say. */
  newestEntry(
    endpoint: Endpoint,
    source: string,
    values: ReadonlyMap<string, QueryParameter>,
  ): Promise<WarehouseQuery>;
}

/** Makes the planner, which prepares an endpoint for queries of consumers' own when the first one comes. */
export function makePlanner(deps: Pick<HttpDeps, 'warehouse' | 'forbiddenNames' | 'nowMicros'>): Planner {
  const sandboxes = new Map<Endpoint, Promise<Sandbox>>();

  const open = async (endpoint: Endpoint): Promise<Sandbox> => {
    // Loaded for the first who needs it, as LQL is: a cold start need not wait for it.
    const { openSandbox } = await import('./open-sandbox.ts');
    return openSandbox(deps, endpoint);
  };
  const sandboxOf = (endpoint: Endpoint): Promise<Sandbox> => {
    const known = sandboxes.get(endpoint);
    if (known !== undefined) return known;
    const sandbox = open(endpoint);
    sandboxes.set(endpoint, sandbox);
    return sandbox;
  };

  const plan: PlanQuery = async (endpoint, request, bound) => {
    const isExplained = readSwitch(request, 'explain');
    const own = readQuery(endpoint, request);
    if (own === null) {
      const stored = async () => (await sandboxOf(endpoint)).stored(bound.values);
      const explained = isExplained ? await stored() : null;
      const query = { sql: endpoint.sql, parameters: bound.values };
      const sources = async () => (await stored()).sources;
      return { query, ignored: unused(bound, explained), explained, window: null, sources };
    }
    const sandbox = await sandboxOf(endpoint);
    if (own.language === 'lql') {
      const { planLql } = await import('./lql-query.ts');
      const lqlRequest = { request, bound: bound.values, nowMicros: deps.nowMicros() };
      const { compiled, keyParameters, window, explanation } = planLql(sandbox, own.text, lqlRequest);
      const explained = isExplained ? { ...compiled, lql: explanation() } : null;
      const query = { ...untrusted(compiled), keyParameters };
      const ignored = unused(bound, compiled);
      return { query, ignored, explained, window, sources: async () => compiled.sources };
    }
    const compiled = sandbox.compile(own.text, request, bound.values);
    const ignored = [...unused(bound, compiled), ...(isGiven(request, 'lql') ? ['lql'] : [])];
    const explained = isExplained ? compiled : null;
    const query = untrusted(compiled);
    return { query, ignored, explained, window: null, sources: async () => compiled.sources };
  };

  return {
    plan,
    newestEntry: async (endpoint, source, values) => {
      const sandbox = await sandboxOf(endpoint);
      return untrusted(sandbox.compile(newestSql(source), new Map(), values));
    },
  };
}

function newestSql(source: string): string {
  return `SELECT timestamp FROM \`${source}\` ORDER BY timestamp DESC LIMIT 1`;
}

function untrusted({ sql, parameters }: SandboxedQuery): WarehouseQuery {
  return { sql, parameters, isUntrusted: true };
}

function unused(bound: BoundParameters, compiled: SandboxedQuery | null): readonly string[] {
  const used = new Set(['explain', ...(compiled?.usedParameters ?? [])]);
  return bound.ignored.filter((name) => !used.has(name));
}

/** A query that a consumer brings. */
interface OwnQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** The consumer's own query, or null where the request brings none. `sql` wins over `lql`; empty ones are absent. */
function readQuery(endpoint: Endpoint, request: RequestParameters): OwnQuery | null {
  const language = (['sql', 'lql'] as const).find((name) => isGiven(request, name));
  if (language === undefined) return null;
  if (endpoint.sandbox) return { language, text: single(request, language) };
  throw invalidParameter(
    language,
    `The endpoint ${endpoint.name} runs its own query only; leave '${language}' out.`,
  );
}
