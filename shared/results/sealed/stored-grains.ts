import * as z from 'zod';
import type { CachedAnswer } from '../../cache/answer.ts';
import { GRAIN_COLUMN } from './grained-text.ts';
import { type RowTexts, readRow } from './merge-rows.ts';

/** A row of a grained query, with its text for storing. */
export interface GrainRow {
  readonly text: string;
  readonly values: RowTexts;
}

/** The rows of full grains by the grains' numbers; one without entries has no rows. */
export type Grains = ReadonlyMap<number, readonly GrainRow[]>;

/** Grains from one number up to another, both included. */
export interface GrainRange {
  readonly first: number;
  readonly last: number;
}

/** Most rows of all grains that are stored for one set of parameters: some 3 MiB of plain counts. */
const MAX_STORED_ROWS = 20_000;

/** An hour for each of eleven years. */
const MAX_GRAINS = 100_000;

const range = z.tuple([z.int(), z.int()]).refine(([first, last]) => last - first < MAX_GRAINS);
const facts = z.object({ grains: z.array(range).max(1_000) });

/** Cuts the rows of a grained query into grains. Throws a MergeFailure for rows of another form. */
export function readGrainRows(rows: readonly string[], grainMicros: bigint): Map<number, GrainRow[]> {
  const grains = new Map<number, GrainRow[]>();
  for (const text of rows) {
    const values = readRow(text);
    const grain = Number(BigInt(values[GRAIN_COLUMN] ?? '') / grainMicros);
    const grainRows = grains.get(grain) ?? [];
    grainRows.push({ text, values });
    grains.set(grain, grainRows);
  }
  return grains;
}

/** Grains as an answer that a cache keeps. What is beyond 20,000 rows is left out, the oldest first. */
export function writeGrains(grains: Grains): CachedAnswer {
  const rows: string[] = [];
  const written: number[] = [];
  for (const [grain, grainRows] of [...grains].sort(([a], [b]) => b - a)) {
    if (rows.length + grainRows.length > MAX_STORED_ROWS) break;
    written.push(grain);
    rows.push(...grainRows.map(({ text }) => text));
  }
  const ranges = rangesOf(written.reverse()).map(({ first, last }) => [first, last]);
  return {
    columns: [],
    rows,
    truncated: false,
    bytesProcessed: null,
    bytesBilled: null,
    facts: { grains: ranges },
  };
}

/** Grains from such an answer. Throws for another answer. */
export function readGrains({ rows, facts: told }: CachedAnswer, grainMicros: bigint): Grains {
  const grainRows = readGrainRows(rows, grainMicros);
  const grains = new Map<number, readonly GrainRow[]>();
  for (const [first, last] of facts.parse(told).grains)
    for (let grain = first; grain <= last; grain++) grains.set(grain, grainRows.get(grain) ?? []);
  return grains;
}

/** Ascending numbers as ranges. */
function rangesOf(numbers: readonly number[]): GrainRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges;
}

/** The ranges that the grains from one up to another leave out. */
export function missingRanges(grains: Grains, { first, last }: GrainRange): GrainRange[] {
  const missing: number[] = [];
  for (let grain = first; grain <= last; grain++) if (!grains.has(grain)) missing.push(grain);
  return rangesOf(missing);
}
