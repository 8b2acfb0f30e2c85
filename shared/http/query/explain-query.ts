import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { type Caller, runOptions } from '../../results/run-options.ts';
import { textOf } from '../../warehouse/query-text.ts';
import type { RunOptions, WarehouseQuery } from '../../warehouse/warehouse.ts';
import type { HttpDeps } from '../http-deps.ts';
import { type ExplainedCost, encodeExplanation } from '../response/explain-reply.ts';
import type { Reply } from '../response/reply.ts';
import type { QueryPlan } from './consumer-query.ts';
import { reportCpu } from './report-cpu.ts';

/** Describes a planned query without running it. Throws a ServiceError where it could not run. */
export async function explain(
  deps: HttpDeps,
  endpoint: Endpoint,
  { query, explained }: QueryPlan,
  ignored: readonly string[],
  caller: Caller,
): Promise<Reply> {
  if (explained === null) throw new TypeError('the query is to be run, not explained');
  const { warehouse, admission } = deps;
  if (query.isUntrusted === true) admission.checkCpu(caller);
  const onCpu = (cpuMs: number) => admission.chargeCpu(caller, cpuMs);
  const options = runOptions(deps, endpoint, query, caller);
  await reportCpu(onCpu, () => warehouse.prepare(textOf(query), options.maxRows));
  const { absentSources, ...cost } = await costOf(deps, query, options, caller);
  const warnings = [...absentSources.map(absenceWarning), ...explained.warnings];
  return encodeExplanation({ ...explained, warnings }, cost, ignored);
}

/** Estimates take turns as queries do: each is a call of the warehouse, which takes only so many of the whole service. */
async function costOf(
  { warehouse, admission }: HttpDeps,
  query: WarehouseQuery,
  options: RunOptions,
  { account, cpuSecondsPerMinute, signal }: Caller,
): Promise<ExplainedCost & { readonly absentSources: readonly string[] }> {
  if (warehouse.estimate === undefined) return { ...NO_COST, absentSources: [] };
  const { estimate } = warehouse;
  const ending = { deadlineMs: options.deadlineMs, signal };
  const {
    bytes,
    bytesBilled,
    isRefused,
    absentSources = [],
  } = await admission.admit({ account, cpuSecondsPerMinute }, `explain ${randomUUID()}`, (admitted) =>
    admitted.run(ending, ({ deadlineMs }) => estimate.call(warehouse, query, { ...options, deadlineMs })),
  );
  return {
    estimatedBytes: bytes,
    estimatedBytesBilled: bytesBilled,
    maxBytesBilled: options.maxBytesBilled ?? null,
    wouldBeRefused: isRefused,
    absentSources,
  };
}

/** Where nothing is counted. */
const NO_COST: ExplainedCost = {
  estimatedBytes: null,
  estimatedBytesBilled: null,
  maxBytesBilled: null,
  wouldBeRefused: null,
};

function absenceWarning(source: string): string {
  return `The source ${source} is absent here: it has no table, and so no entries.`;
}
