import * as z from 'zod';
import type { JobReference } from '../rest/answers.ts';

/** How many pages of a result can be read. BigQuery sorts what it keeps on one machine, so that there is an end. */
export const KEPT_PAGES = 10;

/** How many rows of a result can be read in pages of `maxRows`. */
export function keptRows(maxRows: number): number {
  return KEPT_PAGES * maxRows;
}

/** Where the result of a finished job goes on. */
export interface Rest {
  readonly job: JobReference;
  readonly startIndex: number;
  /** How many of its rows can be read; one more tells that the query has more. */
  readonly keptRows: number;
}

const content = z.strictObject({
  j: z.string().regex(/^[\w:.-]{1,1024}$/),
  l: z.string().max(100).optional(),
  s: z.int().min(1),
  k: z.int().min(1),
});

/** The rest as a short text. */
export function writeRest({ job, startIndex, keptRows: most }: Rest): string {
  const { jobId: j, location: l } = job;
  return JSON.stringify({ j, ...(l === undefined ? {} : { l }), s: startIndex, k: most });
}

/** The rest that a text stands for; null for any other text. */
export function readRest(text: string): Rest | null {
  const { success, data } = content.safeParse(parsed(text));
  if (!success) return null;
  const { j: jobId, l: location, s: startIndex, k } = data;
  return { job: { jobId, location }, startIndex, keptRows: k };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
