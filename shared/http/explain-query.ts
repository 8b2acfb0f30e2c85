import type { Endpoint } from '../endpoints/endpoint.ts';
import { type RunFor, runOptions } from '../results/run-options.ts';
import type { QueryPlan } from './consumer-query.ts';
import { counted } from './counted-cpu.ts';
import { encodeExplanation } from './explain-reply.ts';
import type { HttpDeps } from './http-deps.ts';
import type { Reply } from './reply.ts';

/** Answers what of a planned query can be told without running it. Throws a ServiceError where it could not run. */
export async function explain(
  deps: HttpDeps,
  endpoint: Endpoint,
  { query, explained }: QueryPlan,
  ignored: readonly string[],
  runFor: RunFor,
): Promise<Reply> {
  if (explained === null) throw new TypeError('the query is to be run, not explained');
  const { warehouse, admission } = deps;
  if (query.isUntrusted === true) admission.checkCpu(runFor);
  const parameterTypes = new Map([...query.parameters].map(([name, { type }]) => [name, type]));
  const onCpu = (cpuMs: number) => admission.chargeCpu(runFor, cpuMs);
  await counted(onCpu, () => warehouse.describe({ sql: query.sql, parameterTypes }));
  const estimate = await warehouse.estimate?.(query, runOptions(deps, endpoint, query, runFor));
  return encodeExplanation(explained, estimate?.bytes ?? null, ignored);
}
