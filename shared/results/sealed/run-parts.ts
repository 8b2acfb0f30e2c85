import type { BoundedTimeRange } from '../../time/time-range.ts';
import { addUsage } from '../../warehouse/newest-first/newest-first-warehouse.ts';
import type { QueryResult, QueryUsage } from '../../warehouse/warehouse.ts';
import { findParts, type PartsRun, queryOver } from './find-parts.ts';
import { mergeRows } from './merge-rows.ts';
import { type GrainRange, type GrainRow, readGrainRows, writeGrains } from './stored-grains.ts';

/** Most rows of one part; the answer itself has fewer. */
const MAX_PART_ROWS = 20_000;
/** Whether the parts gave the answer, and if not, why the whole query has to run. */
export type PartsOutcome =
  | { readonly kind: 'result'; readonly result: QueryResult }
  /** The whole query has the answer, for nothing in it is kept or can be. */
  | { readonly kind: 'nothing-sealed' }
  /** The whole query has the answer: it is cut, or some part would be. */
  | { readonly kind: 'too-many-rows'; readonly usage: QueryUsage };

const NOTHING_TAKEN: QueryUsage = { bytesProcessed: null, bytesBilled: null };

/** Answers a query from the stored grains and from queries over the rest of its window, and stores new full grains. */
export async function runParts(run: PartsRun): Promise<PartsOutcome> {
  const { plan, key, parts } = run;
  const { grainMicros } = plan;
  const { maxRows } = run.remaining();
  const found = await findParts(run);
  if (found === null) return { kind: 'nothing-sealed' };
  const { window, sealed, stored, missing, ranges } = found;
  const results = await readRanges(run, ranges, window);
  const usage = results.reduce<QueryUsage>(addUsage, NOTHING_TAKEN);
  if (results.some(({ truncated }) => truncated)) return { kind: 'too-many-rows', usage };
  const read = readGrainRows(
    results.flatMap(({ rows }) => rows),
    grainMicros,
  );

  const used: GrainRow[] = [...read.values()].flat();
  const fresh = new Map<number, readonly GrainRow[]>();
  for (let grain = sealed.first; grain <= sealed.last; grain++) {
    const isRead = ranges.some(({ first, last }) => grain >= first && grain <= last);
    const rows = isRead ? (read.get(grain) ?? []) : (stored.get(grain) ?? []);
    if (!isRead) used.push(...rows);
    fresh.set(grain, rows);
  }
  const rows = mergeRows(
    plan.merge,
    used.map(({ values }) => values),
  );
  if (missing.length > 0) {
    const ttlSeconds = Number((window.upTo - window.after) / 1_000_000n);
    await parts.keep(key, writeGrains(fresh), ttlSeconds);
  }
  if (rows.length > maxRows) return { kind: 'too-many-rows', usage };
  return {
    kind: 'result',
    result: { columns: plan.columns, rows, truncated: false, ...usage, ...scannedBy(results) },
  };
}

/** The rows that queries scanned together, where each was counted. */
function scannedBy(results: readonly QueryResult[]): Pick<QueryResult, 'rowsScanned'> {
  const counts = results.flatMap(({ rowsScanned }) => (rowsScanned === undefined ? [] : [rowsScanned]));
  return results.length === 0 || counts.length < results.length
    ? {}
    : { rowsScanned: counts.reduce((sum, count) => sum + count, 0) };
}

/** The most bytes that answering by parts bills; null where the whole query is to be run. The warehouse counts bytes. */
export async function estimateParts(run: PartsRun): Promise<number | null> {
  const { warehouse } = run;
  const found = await findParts(run);
  if (found === null) return null;
  const estimates = await Promise.all(
    found.ranges.map((range) => warehouse.estimate?.(queryOver(run, range, found.window), run.remaining())),
  );
  return estimates.reduce((sum, estimate) => sum + (estimate?.bytesBilled ?? 0), 0);
}

/** Runs the query by grains over each range, all at once; the first failure ends the others. */
async function readRanges(
  run: PartsRun,
  ranges: readonly GrainRange[],
  window: BoundedTimeRange,
): Promise<readonly QueryResult[]> {
  const { warehouse } = run;
  const options = run.remaining();
  const failed = new AbortController();
  const signals = options.signal === undefined ? [failed.signal] : [options.signal, failed.signal];
  const signal = AbortSignal.any(signals);
  const bytes = ranges.map(() => 0);
  try {
    return await Promise.all(
      ranges.map((range, index) => {
        const grow = async (grown: number) => {
          bytes[index] = grown;
          await options.grow?.(bytes.reduce((sum, own) => sum + own, 0));
        };
        return warehouse.run(queryOver(run, range, window), {
          ...options,
          signal,
          maxRows: MAX_PART_ROWS,
          ...(options.grow === undefined ? {} : { grow }),
        });
      }),
    );
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}
