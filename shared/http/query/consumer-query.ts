import { memoizeOver } from '../../concurrency/memoize.ts';
import type { BoundParameters } from '../../endpoints/bind-parameters.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { invalidParameter } from '../../errors/service-error.ts';
import type { LqlExplanation } from '../../lql/describe.ts';
import type { KeyedQuery } from '../../results/obtain-result.ts';
import { column, integer, path, query, select, sortedBy, table } from '../../sql/ast/build.ts';
import type { Query } from '../../sql/ast/query.ts';
import type { Sandbox, SandboxedQuery } from '../../sql/sandbox/consumer-query.ts';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import type { TimeRange } from '../../time/time-range.ts';
import type { WarehouseQuery } from '../../warehouse/warehouse.ts';
import type { HttpDeps } from '../http-deps.ts';
import { isGiven, readSwitch, single } from '../request/answer-options.ts';
import type { RequestParameters } from '../request/request-parameters.ts';
import type { QuerySandbox } from './count-query.ts';
import { COUNT_PARAMETERS, type EntryCount, readEntryCount } from './entry-count.ts';
import type { LqlPlan } from './lql-query.ts';
import { reportCpu } from './report-cpu.ts';
import { narrowRange } from './requested-range.ts';

/** The query that a request runs. */
export interface QueryPlan {
  readonly query: KeyedQuery;
  /** The names of the request's parameters that nothing uses, in the request's order. */
  readonly ignored: readonly string[];
  /** The query to describe in place of its rows; null where the rows are requested. */
  readonly explained: ExplainedQuery | null;
  /** The time range that the clauses of a query in LQL leave; null for any other query, whose conditions are not evaluated. */
  readonly timeRange: TimeRange | null;
  /** The endpoint's sources that are read. */
  sources(): Promise<readonly string[]>;
}

/** A query that may run; `lql` describes the LQL that it was compiled from. */
export interface ExplainedQuery extends SandboxedQuery {
  /** The source whose entries its rows are, and of which there is a histogram; null for other rows. */
  readonly entriesOf: string | null;
  readonly lql?: LqlExplanation;
}

/**
 * Finds out what to run for a request to an endpoint; throws a ServiceError (invalid_argument). `onCpu` receives what
 * compiling a consumer's query took of CPU time, in ms, whether it may run or not.
 */
export type PlanQuery = (
  endpoint: Endpoint,
  request: RequestParameters,
  bound: BoundParameters,
  onCpu: (cpuMs: number) => void,
) => Promise<QueryPlan>;

/** What consumers' queries go through, by endpoint. */
export interface Planner {
  readonly plan: PlanQuery;
  /** The time of the newest entry of a source, within the bounds that the parameters say: a query of the service's own. */
  newestEntry(
    endpoint: Endpoint,
    source: string,
    values: ReadonlyMap<string, QueryParameter>,
  ): Promise<WarehouseQuery>;
}

/** Makes the planner, which prepares an endpoint for queries of consumers' own when the first one comes. */
export function makePlanner(deps: Pick<HttpDeps, 'warehouse' | 'forbiddenNames' | 'nowMicros'>): Planner {
  const tables = () => deps.warehouse.tables;
  const sandboxOf = memoizeOver(tables, async (endpoint: Endpoint): Promise<Sandbox> => {
    // Loaded for the first who needs it, as LQL is: a cold start need not wait for it.
    const { openSandbox } = await import('./open-sandbox.ts');
    return openSandbox(deps, endpoint);
  });

  const prepare = async (
    endpoint: Endpoint,
    brought: BroughtQuery | null,
    request: RequestParameters,
    bound: BoundParameters,
    onCpu: (cpuMs: number) => void,
  ): Promise<PreparedQuery> => {
    const sandbox = await sandboxOf(endpoint);
    if (brought?.language === 'lql') {
      const { planLql } = await import('./lql-query.ts');
      const lqlRequest = { request, bound: bound.values, nowMicros: deps.nowMicros() };
      const planned = reportCpu(onCpu, () => planLql(sandbox, brought.text, lqlRequest));
      const { tree, compile: compileAs, ...lql } = planned;
      const compile = (query: Query) => reportCpu(onCpu, () => compileAs(query));
      return { sandbox, compiled: compile(tree), compile, lql };
    }
    const compile = (query: string | Query) =>
      reportCpu(onCpu, () => sandbox.compile(query, request, bound.values));
    const compiled = brought === null ? sandbox.stored(bound.values) : compile(brought.text);
    return { sandbox, compiled, compile, lql: null };
  };

  const plan: PlanQuery = async (endpoint, request, bound, onCpu) => {
    const isExplained = readSwitch(request, 'explain');
    const count = readEntryCount(request);
    const brought = readQuery(endpoint, request);
    const stored = { sql: endpoint.sql, parameters: bound.values };
    if (brought === null && !isExplained && count === null) {
      const sources = async () => (await sandboxOf(endpoint)).stored(bound.values).sources;
      return { query: stored, ignored: unused(bound, null), explained: null, timeRange: null, sources };
    }
    if (count !== null) checkSandbox(endpoint, count.kind);
    const own = await prepare(endpoint, brought, request, bound, onCpu);
    const { compiled, lql } = own;
    const counting = count === null ? null : await planCount(own, count);
    const run = counting ?? compiled;
    const consumers = {
      ...untrusted(run),
      ...(lql === null
        ? {}
        : { keyParameters: keyOf(run, lql), timeRange: narrowRange(UNBOUNDED, lql.timeRange) ?? UNBOUNDED }),
    };
    return {
      query: brought === null && counting === null ? stored : consumers,
      ignored: [...unused(bound, compiled), ...(isOverruled(request, brought) ? ['lql'] : [])],
      explained: isExplained ? await explain(endpoint, own, run) : null,
      timeRange: lql?.timeRange ?? null,
      sources: async () => compiled.sources,
    };
  };

  return {
    plan,
    newestEntry: async (endpoint, source, values) => {
      const sandbox = await sandboxOf(endpoint);
      const { sql, tree, parameters } = sandbox.compile(newestEntryOf(source), new Map(), values);
      return { sql, tree, parameters };
    },
  };
}

/** A query, and what makes others of it. */
interface PreparedQuery {
  readonly sandbox: Sandbox;
  readonly compiled: SandboxedQuery;
  /** Takes another query with the same parameters through the sandbox. */
  readonly compile: (query: Query) => SandboxedQuery;
  /** Of a query in LQL. */
  readonly lql: Pick<LqlPlan, 'keyParameters' | 'timeRange' | 'explanation'> | null;
}

async function planCount(own: PreparedQuery, count: EntryCount): Promise<SandboxedQuery> {
  const { compileCount } = await import('./count-query.ts');
  return compileCount(own.compiled.overSources, countingSandbox(own), count);
}

async function explain(
  { sandbox: isSandboxed }: Endpoint,
  own: PreparedQuery,
  run: SandboxedQuery,
): Promise<ExplainedQuery> {
  const { entriesOf } = await import('./count-query.ts');
  return {
    ...run,
    entriesOf: isSandboxed ? entriesOf(own.compiled.overSources, countingSandbox(own)) : null,
    ...(own.lql === null ? {} : { lql: own.lql.explanation() }),
  };
}

function countingSandbox({ sandbox: { sources, schemas }, compile }: PreparedQuery): QuerySandbox {
  return { sources, schemas, compile };
}

function keyOf({ parameters }: SandboxedQuery, { keyParameters }: Pick<LqlPlan, 'keyParameters'>) {
  return new Map<string, QueryParameter>([...parameters, ...keyParameters]);
}

const UNBOUNDED: TimeRange = { after: null, upTo: null };

function newestEntryOf(source: string): Query {
  const time = path('timestamp');
  const orderBy = [sortedBy(time, true)];
  return query(select([column(time)], { from: table([source]) }), { orderBy, limit: integer(1) });
}

function untrusted({ sql, tree, parameters }: SandboxedQuery): WarehouseQuery {
  return { sql, tree, parameters, isUntrusted: true };
}

function unused(bound: BoundParameters, compiled: SandboxedQuery | null): readonly string[] {
  const used = new Set<string>(['explain', ...COUNT_PARAMETERS, ...(compiled?.usedParameters ?? [])]);
  return bound.ignored.filter((name) => !used.has(name));
}

/** A query that a consumer brings. */
interface BroughtQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** The consumer query, or null where the request has none. `sql` wins over `lql`; empty ones are absent. */
function readQuery(endpoint: Endpoint, request: RequestParameters): BroughtQuery | null {
  const language = (['sql', 'lql'] as const).find((name) => isGiven(request, name));
  if (language === undefined) return null;
  checkSandbox(endpoint, language);
  return { language, text: single(request, language) };
}

/** Whether a query in LQL is left aside because there is one in SQL. */
function isOverruled(request: RequestParameters, brought: BroughtQuery | null): boolean {
  return brought?.language === 'sql' && isGiven(request, 'lql');
}

/** Throws a ServiceError (invalid_argument) for a request that asks more of an endpoint than its stored query. */
function checkSandbox({ name, sandbox }: Endpoint, parameter: string): void {
  if (sandbox) return;
  throw invalidParameter(
    parameter,
    `The endpoint ${name} runs its stored query only; leave '${parameter}' out.`,
  );
}
