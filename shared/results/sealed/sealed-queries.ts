import { cacheKey } from '../../cache/cache-key.ts';
import type { PartStore } from '../../cache/part-store.ts';
import { memoizeOver } from '../../concurrency/memoize.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Warn } from '../../errors/warn.ts';
import { lazyLru } from '../../lru/lazy-lru.ts';
import type { QueryResult, RunOptions, Warehouse, WarehouseQuery } from '../../warehouse/warehouse.ts';
import type { PartsRun } from './find-parts.ts';
import type { SealedPlan } from './sealed-plan.ts';

/** A run of an endpoint's stored query. */
export interface SealedRun {
  readonly endpoint: Endpoint;
  readonly query: WarehouseQuery;
  readonly options: RunOptions;
  /** Names of what is replaced in the rows; empty where nothing is. */
  readonly redaction: readonly string[];
}

/** Stored queries by parts of their window. */
export interface SealedQueries {
  /** Runs a stored query, or as little of it as is not kept. Answers and throws what `Warehouse.run` does. */
  run(run: SealedRun): Promise<QueryResult>;
  /** The most bytes that `run` bills where it reads parts; null where it reads the whole. Throws what `Warehouse.estimate` does. */
  estimate(run: SealedRun): Promise<number | null>;
}

export interface SealedDeps {
  readonly warehouse: Warehouse;
  readonly parts: PartStore;
  /** Tells the logs of this deployment from those of others that share the store. */
  readonly source: string;
  /** Milliseconds since some moment; never runs backwards. */
  monotonicMs(): number;
  readonly warn: Warn;
}

/** Sets whose parts have too many rows are left alone for so long. */
const UNFIT_MS = 60 * 60 * 1_000;
const MOST_UNFIT = 1_000;

/** Types whose values hold nothing that redaction replaces. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  ...['BOOL', 'INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC'],
  ...['DATE', 'DATETIME', 'TIME', 'TIMESTAMP'],
]);

/**
 * Makes the way to run stored queries by parts of their window: grains that are over are kept, and what is not kept is read.
 * Where anything about parts fails, the query is run over the whole window; the answer is the same.
 */
export function makeSealedQueries(deps: SealedDeps): SealedQueries {
  const { warehouse, parts, monotonicMs, warn } = deps;
  const unfit = lazyLru<true>(MOST_UNFIT, { ttl: UNFIT_MS, perf: { now: monotonicMs } });
  const loadParts = async () => {
    const [{ runParts, estimateParts }, { addUsage }] = await Promise.all([
      import('./run-parts.ts'),
      import('../../warehouse/newest-first/newest-first-warehouse.ts'),
    ]);
    return { runParts, estimateParts, addUsage };
  };

  const tables = () => warehouse.tables;
  const planOf = memoizeOver(tables, async (endpoint: Endpoint): Promise<SealedPlan | null> => {
    try {
      const { planSealed } = await import('./sealed-plan.ts');
      return planSealed(endpoint, warehouse.tables);
    } catch (error) {
      const { name } = endpoint;
      warn('Sealed buckets are not used: their query cannot be planned', { endpoint: name, error });
      return null;
    }
  });

  const keyOf = ({ version }: SealedPlan, { endpoint, query, redaction }: SealedRun): string =>
    cacheKey({
      endpointId: endpoint.id,
      definitionVersion: `sealed ${deps.source} ${version}`,
      parameters: query.parameters,
      consumerQuery: null,
      redaction,
      maxRows: null,
    });

  /** The run of a query by parts; null where the whole query is to be run. */
  async function byParts(
    run: SealedRun,
  ): Promise<{ readonly partsRun: PartsRun; readonly fitKey: string } | null> {
    const { endpoint, query, options } = run;
    const startedAtMs = monotonicMs();
    if (endpoint.sealedBuckets === null || query.sql !== endpoint.sql) return null;
    const plan = await planOf(endpoint);
    // Texts are redacted when parts are together: kept before, they would lie in the store as they are.
    const isReadable =
      run.redaction.length === 0 || plan?.columns.every(({ type }) => WITHOUT_TEXT.has(type.kind));
    if (plan === null || isReadable !== true) return null;
    const key = keyOf(plan, run);
    // A caller who may have fewer rows says nothing about what fits for others.
    const fitKey = `${key} ${options.maxRows}`;
    if (unfit.has(fitKey)) return null;
    const remaining = () => optionsSince(options, startedAtMs);
    return { partsRun: { plan, key, query, warehouse, parts, remaining }, fitKey };
  }

  const optionsSince = (options: RunOptions, startedAtMs: number): RunOptions => ({
    ...options,
    deadlineMs: Math.max(1, Math.ceil(options.deadlineMs - (monotonicMs() - startedAtMs))),
  });

  return {
    async run(run) {
      const { endpoint, query, options } = run;
      const startedAtMs = monotonicMs();
      const runWhole = () => warehouse.run(query, optionsSince(options, startedAtMs));
      const found = await byParts(run);
      if (found === null) return runWhole();
      const { runParts, addUsage } = await loadParts();
      const outcome = await runParts(found.partsRun).catch((error: unknown) => {
        // The whole query reports a failure of the query itself; any other failure would not go away with more to read.
        if (error instanceof ServiceError && error.kind !== 'invalid_argument') throw error;
        options.signal?.throwIfAborted();
        return { kind: 'failed', error } as const;
      });
      switch (outcome.kind) {
        case 'result':
          return outcome.result;
        case 'failed':
          warn('An answer is not put together from parts', { endpoint: endpoint.name, error: outcome.error });
          return runWhole();
        case 'too-many-rows': {
          unfit.set(found.fitKey, true);
          const whole = await runWhole();
          return { ...whole, ...addUsage(whole, outcome.usage) };
        }
        case 'nothing-sealed':
          return runWhole();
        default: {
          const unreachable: never = outcome;
          throw new TypeError(`outcome ${JSON.stringify(unreachable)}`);
        }
      }
    },

    async estimate(run) {
      const found = await byParts(run);
      if (found === null) return null;
      const { estimateParts } = await loadParts();
      return estimateParts(found.partsRun);
    },
  };
}
