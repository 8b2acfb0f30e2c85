import type { PartStore, SharedPart } from '../../cache/part-store.ts';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import { type BoundedTimeRange, isEmptyRange } from '../../time/time-range.ts';
import { MICROS_PER_MS } from '../../time/units.ts';
import type { RunOptions, Warehouse, WarehouseQuery } from '../../warehouse/warehouse.ts';
import { grainFrom, grainOf } from './grain.ts';
import { FIRST_PARAMETER, LAST_PARAMETER } from './grained-text.ts';
import type { SealedPlan } from './sealed-plan.ts';
import { type GrainRange, type Grains, missingRanges, readGrains } from './stored-grains.ts';
import { timeRangeOf } from './time-bounds.ts';

/** Most queries of one answer: beyond, what is kept between two ranges that are not is read again. */
const MAX_RANGES = 4;
/** Fewer full grains are not worth a second query, each of which is billed for 10 MiB at least. */
const LEAST_SEALED = 2;
/** By how much the clock that judges whether a grain is over may be ahead of the clocks that date entries. */
const CLOCK_MARGIN_MICROS = 60_000_000n;

/** A run of a query by parts of its window. */
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

/** Which part of a window is stored, and which has to be read. */
export interface WindowParts {
  readonly window: BoundedTimeRange;
  /** The full grains that take in no entries any more. */
  readonly sealed: GrainRange;
  readonly stored: Grains;
  /** Sealed grains that are not stored. */
  readonly missing: readonly GrainRange[];
  /** What is read: the edges of the window and what is missing. */
  readonly ranges: readonly GrainRange[];
}

/** Splits the window of a query into what is stored and what is not; null where the whole query is to be run. */
export async function findParts({
  plan,
  key,
  query,
  parts,
  remaining,
}: PartsRun): Promise<WindowParts | null> {
  const { grainMicros } = plan;
  const { nowMicros } = remaining();
  const window = timeRangeOf(plan.bounds, { nowMicros, parameters: query.parameters });
  if (window === null || isEmptyRange(window)) return null;
  const full = sealedBy(plan, window, nowMicros);
  if (full.last - full.first + 1 < LEAST_SEALED) return null;
  const here = readStored(parts.here(key), grainMicros);
  const isAllHere = missingRanges(here, full).length === 0;
  const shared = isAllHere ? { part: null, storeTimeMs: null } : await parts.look(key);
  // Without an answer of the shared store, no clock but this one says that a grain is over.
  if (shared === null) return null;
  const sealed = judgedBy(shared, plan, window, full);
  if (sealed.last - sealed.first + 1 < LEAST_SEALED) return null;
  const stored = new Map([...readStored(shared.part, grainMicros), ...here]);
  const missing = missingRanges(stored, sealed);
  const ranges = joinRanges([
    { first: grainOf(window.after + 1n, grainMicros), last: sealed.first - 1 },
    ...missing,
    { first: sealed.last + 1, last: grainOf(window.upTo, grainMicros) },
  ]);
  return { window, sealed, stored, missing, ranges };
}

/** The query by grains over one range of a window. */
export function queryOver(
  { plan, query }: PartsRun,
  { first, last }: GrainRange,
  window: BoundedTimeRange,
): WarehouseQuery {
  const startMicros = BigInt(first) * plan.grainMicros;
  const endMicros = BigInt(last + 1) * plan.grainMicros - 1n;
  const parameters = new Map(query.parameters)
    .set(FIRST_PARAMETER, timestamp(startMicros > window.after ? startMicros : window.after + 1n))
    .set(LAST_PARAMETER, timestamp(endMicros < window.upTo ? endMicros : window.upTo));
  return { sql: plan.sql, parameters };
}

/** The full grains of a window that take in no entries any more, by a clock's time. */
function sealedBy(
  { grainMicros, graceMicros }: SealedPlan,
  window: BoundedTimeRange,
  nowMicros: bigint,
): GrainRange {
  const overMicros = nowMicros - graceMicros - CLOCK_MARGIN_MICROS;
  const endMicros = window.upTo + 1n < overMicros ? window.upTo + 1n : overMicros;
  return {
    first: grainFrom(window.after + 1n, grainMicros),
    last: grainOf(endMicros, grainMicros) - 1,
  };
}

/** Of those, the ones that are over by the shared store's clock as well: this machine's may be wrong, by hours even. */
function judgedBy(
  { storeTimeMs }: SharedPart,
  plan: SealedPlan,
  window: BoundedTimeRange,
  { first, last }: GrainRange,
): GrainRange {
  if (storeTimeMs === null) return { first, last };
  const judged = sealedBy(plan, window, BigInt(Math.floor(storeTimeMs)) * MICROS_PER_MS);
  return { first, last: Math.min(last, judged.last) };
}

/** Unreadable parts count as not stored. */
function readStored(part: SharedPart['part'], grainMicros: bigint): Grains {
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

function timestamp(value: bigint): QueryParameter {
  return { type: 'TIMESTAMP', value };
}
