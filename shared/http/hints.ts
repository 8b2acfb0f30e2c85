import type { CachedAnswer } from '../cache/answer.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { formatMicros } from '../endpoints/parse-iso-timestamp.ts';
import type { QueryParameter } from '../endpoints/query-parameter.ts';
import { type RunFor, runOptions } from '../results/run-options.ts';
import type { WarehouseQuery } from '../warehouse/warehouse.ts';
import type { Planner } from './consumer-query.ts';
import type { HttpDeps } from './http-deps.ts';

/** What is looked at to find out why an answer is empty. */
export interface HintsFor {
  readonly endpoint: Endpoint;
  readonly values: ReadonlyMap<string, QueryParameter>;
  readonly sources: () => readonly string[];
  readonly answer: CachedAnswer;
  readonly runFor: RunFor;
}

/**
 * Makes what explains an answer without rows: when nothing of its one source lies within the bounds of time, a sentence
 * tells when the newest entry was. Nothing is looked for where the warehouse bills what is read. Never throws.
 */
export function makeHints(
  deps: HttpDeps,
  planner: Planner,
): (wanted: HintsFor) => Promise<readonly string[]> {
  const isFree = deps.warehouse.estimate === undefined;

  async function newest({ endpoint, runFor }: HintsFor, query: WarehouseQuery): Promise<string | null> {
    const run = { ...runOptions(deps, endpoint, query, runFor), maxRows: 1 };
    const [row] = (await deps.warehouse.run(query, run)).rows;
    const [, micros] = /^\{"timestamp":(-?\d+)\}$/.exec(row ?? '') ?? [];
    return micros === undefined ? null : formatMicros(BigInt(micros));
  }

  async function find(wanted: HintsFor): Promise<readonly string[]> {
    const { endpoint, values, sources } = wanted;
    const [source, ...more] = sources();
    if (source === undefined || more.length > 0) return [];
    if ((await newest(wanted, planner.newestEntry(endpoint, source, values))) !== null) return [];
    const last = await newest(wanted, planner.newestEntry(endpoint, source, unbounded(endpoint, values)));
    return [
      last === null
        ? `${source} has no entries at all for these parameters.`
        : `${source} has no entries within the bounds of time; the newest is of ${last}.`,
    ];
  }

  return async (wanted) => {
    if (!isFree || wanted.answer.rows.length > 0 || !hasBounds(wanted)) return [];
    // A hint is not worth failing for.
    return find(wanted).catch(() => []);
  };
}

function hasBounds({ endpoint: { timeWindow }, values }: HintsFor): boolean {
  const names = timeWindow === null ? [] : [timeWindow.start, timeWindow.end];
  return names.some((name) => (values.get(name)?.value ?? null) !== null);
}

function unbounded({ timeWindow }: Endpoint, values: HintsFor['values']): HintsFor['values'] {
  if (timeWindow === null) return values;
  const none: QueryParameter = { type: 'TIMESTAMP', value: null };
  return new Map([...values, [timeWindow.start, none], [timeWindow.end, none]]);
}
