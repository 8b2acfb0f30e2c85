import type { PartStore, SharedPart } from '../../cache/part-store.ts';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import { bothOf } from '../../warehouse/newest-first/newest-first-warehouse.ts';
import type {
  QueryResult,
  QueryUsage,
  RunOptions,
  Warehouse,
  WarehouseQuery,
} from '../../warehouse/warehouse.ts';
import { grainFrom, grainOf } from './grain.ts';
import { FIRST_PARAMETER, LAST_PARAMETER } from './grained-text.ts';
import {
  type GrainRange,
  type GrainRow,
  type Grains,
  missingRanges,
  readGrainRows,
  readGrains,
  writeGrains,
} from './kept-grains.ts';
import { mergeRows } from './merge-rows.ts';
import type { SealedPlan } from './sealed-plan.ts';
import { type Window, windowOf } from './time-bounds.ts';

/** Most rows of one part; the answer itself has fewer. */
const MAX_PART_ROWS = 20_000;
/** Most queries of one answer: beyond, what is kept between two ranges that are not is read again. */
const MAX_RANGES = 4;
/** Fewer full grains are not worth a second query, each of which is billed for 10 MiB at least. */
const LEAST_SEALED = 2;
/** By how much the clock that judges whether a grain is over may be ahead of the clocks that date entries. */
const CLOCK_MARGIN_MICROS = 60_000_000n;

export interface PartsRun {
  readonly plan: SealedPlan;
  /** Of the set of parameters, for the store of parts. */
  readonly key: string;
  readonly query: WarehouseQuery;
  readonly warehouse: Warehouse;
  readonly parts: PartStore;
  /** The options of the run, with the time that is left. */
  remaining(): RunOptions;
}

export type PartsOutcome =
  | { readonly kind: 'result'; readonly result: QueryResult }
  /** The whole query has the answer, for nothing in it is kept or can be. */
  | { readonly kind: 'nothing-sealed' }
  /** The whole query has the answer: it is cut, or some part would be. */
  | { readonly kind: 'too-many-rows'; readonly usage: QueryUsage };

const NOTHING_TAKEN: QueryUsage = { bytesProcessed: null, bytesBilled: null };
const NOTHING_SEALED: PartsOutcome = { kind: 'nothing-sealed' };

/** Answers a query from the grains that are kept and from queries over the rest of its window, and keeps new full grains. */
export async function runParts(run: PartsRun): Promise<PartsOutcome> {
  const { plan, key, query, parts } = run;
  const { grainMicros } = plan;
  const { nowMicros, maxRows } = run.remaining();
  const window = windowOf(plan.bounds, { nowMicros, parameters: query.parameters });
  if (window === null || window.firstMicros > window.lastMicros) return NOTHING_SEALED;
  const full = sealedBy(plan, window, nowMicros);
  if (full.last - full.first + 1 < LEAST_SEALED) return NOTHING_SEALED;
  const here = readKept(parts.here(key), grainMicros);
  const isAllHere = missingRanges(here, full).length === 0;
  const shared = isAllHere ? { part: null, storeTimeMs: null } : await parts.look(key);
  // Where the shared store is silent, nobody confirms that a grain is over.
  if (shared === null) return NOTHING_SEALED;
  const sealed = judgedBy(shared, plan, window, full);
  if (sealed.last - sealed.first + 1 < LEAST_SEALED) return NOTHING_SEALED;
  const kept = new Map([...readKept(shared.part, grainMicros), ...here]);
  const missing = missingRanges(kept, sealed);

  const ranges = joinRanges([
    { first: grainOf(window.firstMicros, grainMicros), last: sealed.first - 1 },
    ...missing,
    { first: sealed.last + 1, last: grainOf(window.lastMicros, grainMicros) },
  ]);
  const results = await readRanges(run, ranges, window);
  const usage = results.reduce<QueryUsage>(bothOf, NOTHING_TAKEN);
  if (results.some(({ truncated }) => truncated)) return { kind: 'too-many-rows', usage };
  const read = readGrainRows(
    results.flatMap(({ rows }) => rows),
    grainMicros,
  );

  const used: GrainRow[] = [...read.values()].flat();
  const fresh = new Map<number, readonly GrainRow[]>();
  for (let grain = sealed.first; grain <= sealed.last; grain++) {
    const isRead = ranges.some(({ first, last }) => grain >= first && grain <= last);
    const rows = isRead ? (read.get(grain) ?? []) : (kept.get(grain) ?? []);
    if (!isRead) used.push(...rows);
    fresh.set(grain, rows);
  }
  const rows = mergeRows(
    plan.merge,
    used.map(({ values }) => values),
  );
  if (missing.length > 0) {
    const ttlSeconds = Number((window.lastMicros - window.firstMicros) / 1_000_000n);
    await parts.keep(key, writeGrains(fresh), ttlSeconds);
  }
  if (rows.length > maxRows) return { kind: 'too-many-rows', usage };
  return {
    kind: 'result',
    result: { columns: plan.columns, rows, truncated: false, ...usage },
  };
}

/** The full grains of a window that take in no entries any more, by a clock's time. */
function sealedBy({ grainMicros, graceMicros }: SealedPlan, window: Window, nowMicros: bigint): GrainRange {
  const overMicros = nowMicros - graceMicros - CLOCK_MARGIN_MICROS;
  const endMicros = window.lastMicros + 1n < overMicros ? window.lastMicros + 1n : overMicros;
  return {
    first: grainFrom(window.firstMicros, grainMicros),
    last: grainOf(endMicros, grainMicros) - 1,
  };
}

/** Of those, the ones that are over by the shared store's clock as well: this machine's may be wrong, by hours even. */
function judgedBy(
  { storeTimeMs }: SharedPart,
  plan: SealedPlan,
  window: Window,
  { first, last }: GrainRange,
): GrainRange {
  if (storeTimeMs === null) return { first, last };
  const judged = sealedBy(plan, window, BigInt(Math.floor(storeTimeMs)) * 1000n);
  return { first, last: Math.min(last, judged.last) };
}

/** What cannot be read is as good as not kept. */
function readKept(part: SharedPart['part'], grainMicros: bigint): Grains {
  try {
    return part === null ? new Map() : readGrains(part, grainMicros);
  } catch {
    return new Map();
  }
}

/** Ranges that are not empty, those that touch as one, and at most MAX_RANGES of them. */
function joinRanges(ranges: readonly GrainRange[]): readonly GrainRange[] {
  const joined: GrainRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (range.last < range.first) continue;
    if (last !== undefined && last.last + 1 >= range.first)
      joined[joined.length - 1] = { first: last.first, last: range.last };
    else joined.push(range);
  }
  while (joined.length > MAX_RANGES) {
    const gaps = joined.slice(1).map(({ first }, index) => first - (joined[index]?.last ?? first));
    const narrowest = gaps.indexOf(Math.min(...gaps));
    const [one, other] = joined.slice(narrowest, narrowest + 2);
    if (one === undefined || other === undefined) throw new TypeError('a gap lies between two ranges');
    joined.splice(narrowest, 2, { first: one.first, last: other.last });
  }
  return joined;
}

/** Runs the query by grains over each range, all at once; the first failure ends the others. */
async function readRanges(
  { plan, query, warehouse, remaining }: PartsRun,
  ranges: readonly GrainRange[],
  window: Window,
): Promise<readonly QueryResult[]> {
  const options = remaining();
  const failed = new AbortController();
  const signals = options.signal === undefined ? [failed.signal] : [options.signal, failed.signal];
  const signal = AbortSignal.any(signals);
  const bytes = ranges.map(() => 0);
  try {
    return await Promise.all(
      ranges.map(({ first, last }, index) => {
        const startMicros = BigInt(first) * plan.grainMicros;
        const endMicros = BigInt(last + 1) * plan.grainMicros - 1n;
        const parameters = new Map(query.parameters)
          .set(
            FIRST_PARAMETER,
            timestamp(startMicros > window.firstMicros ? startMicros : window.firstMicros),
          )
          .set(LAST_PARAMETER, timestamp(endMicros < window.lastMicros ? endMicros : window.lastMicros));
        const grow = async (grown: number) => {
          bytes[index] = grown;
          await options.grow?.(bytes.reduce((sum, own) => sum + own, 0));
        };
        return warehouse.run(
          { ...query, sql: plan.sql, parameters },
          { ...options, signal, maxRows: MAX_PART_ROWS, ...(options.grow === undefined ? {} : { grow }) },
        );
      }),
    );
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}

function timestamp(value: bigint): QueryParameter {
  return { type: 'TIMESTAMP', value };
}
