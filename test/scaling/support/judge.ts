import type { Probe } from './probe.ts';

/** CPU time that a cancelled query may still take, in ms: so long others wait at most for what it holds. */
const MAX_STOP_MS = 250;
/** Work that grows with the size takes four times as long for four times as much, and no more than this. */
const MAX_GROWTH = 8;
const GROWTH_STEP = 4;
/** Of several measurements the best counts: others had to share the machine's caches. */
const ATTEMPTS = 3;

/** A query for a size. */
export type SizedQuery = (size: number) => string;

/** How a query did. */
export interface Verdict {
  /** What is wrong with it, or null. */
  readonly fault: string | null;
  readonly isAnswered: boolean;
  /** The message of an error, empty otherwise. */
  readonly message: string;
}

/**
 * Measures a query in CPU time. One that ends before it would have to be cancelled is good. Another must take no more than
 * linear time, and end soon after it is cancelled wherever it is. A fault counts when it shows twice.
 */
export async function judge(probe: Probe, query: SizedQuery, size: number): Promise<Verdict> {
  const verdict = await judgeOnce(probe, query, size);
  return verdict.fault === null ? verdict : judgeOnce(probe, query, size);
}

async function judgeOnce(probe: Probe, query: SizedQuery, size: number): Promise<Verdict> {
  const first = await probe.run(query(size));
  const isAnswered = first.kind === 'answered';
  const message = isAnswered ? '' : first.message;
  const verdict = (fault: string | null): Verdict => ({ fault, isAnswered, message });
  if (first.kind === 'failed' || first.kind === 'killed') return verdict(`${first.kind}: ${first.message}`);
  if (first.cpuMs <= MAX_STOP_MS) return verdict(null);
  const atSize = await best(probe, query(size), MAX_STOP_MS);
  if (atSize <= MAX_STOP_MS) return verdict(null);
  const most = MAX_STOP_MS * (await slowdownOf(probe));
  if (atSize <= most) return verdict(null);
  const growth = atSize / Math.max(await best(probe, query(size / GROWTH_STEP)), 1);
  if (growth > MAX_GROWTH)
    return verdict(`takes ${growth.toFixed(1)} times as long for ${GROWTH_STEP} times as much`);
  for (const part of [0.1, 0.4, 0.7]) {
    const stop = await quickestStop(probe, query(size), atSize * part);
    if (stop > most) return verdict(`goes on for ${Math.round(stop)} ms of CPU time after it is cancelled`);
  }
  return verdict(null);
}

async function quickestStop(probe: Probe, sql: string, afterMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { stoppedInMs } = await probe.run(sql, afterMs);
    least = Math.min(least, stoppedInMs ?? 0);
  }
  return least;
}

/** The least CPU time of several runs, in ms; one that takes `enough` at most is the last. */
async function best(probe: Probe, sql: string, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > enough; attempt++) {
    const { cpuMs } = await probe.run(sql);
    least = Math.min(least, cpuMs);
  }
  return least;
}

/** Takes about NOMINAL_MS on the machine that the limits were set on, with nothing beside it. */
const REFERENCE =
  'SELECT ARRAY_LENGTH(ARRAY(SELECT CAST(x AS STRING) FROM UNNEST(GENERATE_ARRAY(1, n)) AS x)) FROM UNNEST([1000000]) AS n';
const NOMINAL_MS = 60;

/** How much longer than usual the machine takes for the same work: 1 for a free one. */
async function slowdownOf(probe: Probe): Promise<number> {
  return Math.max(1, (await best(probe, REFERENCE)) / NOMINAL_MS);
}
