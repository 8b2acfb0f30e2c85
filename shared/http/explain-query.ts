import type { Endpoint } from '../endpoints/endpoint.ts';
import type { QueryPlan } from './consumer-query.ts';
import { encodeExplanation } from './explain-reply.ts';
import type { HttpDeps } from './http-deps.ts';
import type { Reply } from './reply.ts';

/** Answers what of a planned query can be told without running it. Throws a ServiceError where it could not run. */
export async function explain(
  deps: HttpDeps,
  { maxRows }: Endpoint,
  { query, explained }: QueryPlan,
  ignored: readonly string[],
  signal: AbortSignal,
): Promise<Reply> {
  if (explained === null) throw new TypeError('the query is to be run, not explained');
  const { warehouse, deadlineMs } = deps;
  const parameterTypes = new Map([...query.parameters].map(([name, { type }]) => [name, type]));
  warehouse.describe({ sql: query.sql, parameterTypes });
  const run = { maxRows, deadlineMs, nowMicros: deps.nowMicros(), signal };
  const estimate = await warehouse.estimate?.(query, run);
  return encodeExplanation(explained, estimate?.bytes ?? null, ignored);
}
