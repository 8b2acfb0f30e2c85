import { constants, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogSink } from '../../shared/ingest/log-sink.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { MADE_NOW_MICROS, PROJECTS } from './data/made-time.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import { WRITE_TOKEN } from './support/bench-service.ts';
import { type ServedLogs, serveLogs } from './support/served-logs.ts';

/** The goals: entries a second in large batches, and the time of logs.all beside small ones as a part of that without. */
const LEAST_ENTRIES_PER_SECOND = 20_000;
const MOST = 2;

const SMALL = { batches: 1_000, entries: 100 };
const LARGE = { batches: 60, entries: 1_000 };
const QUIET_READS = 200;

const LOGS_ALL = `/api/endpoints/query/logs.all?project=${PROJECTS[0]}`;

/** Entries that arrive while others are read: how many a second, and what a reader notices. */
export const INGEST: Benchmark = { name: 'ingest', run };

async function run({ entries, say }: BenchContext): Promise<readonly Measured[]> {
  const count = entries.at(-1) ?? 0;
  const made = await madeDatabase(count, say);
  const folder = await mkdtemp(join(tmpdir(), 'lqe-bench-ingest-'));
  const database = join(folder, 'logs.db');
  await copyFile(made, database, constants.COPYFILE_FICLONE);
  const served = await serveLogs('ingest', database, true);
  const { live } = served.service;
  if (live === null) throw new TypeError('the service takes no entries');
  try {
    const next = await entryMaker(served);
    say('ingest: logs.all without entries that arrive');
    const quiet = await timesOf(served, (read) => read >= QUIET_READS);
    // The ids of what is stored are read once.
    await live.append('edge_logs', [next()]);
    say('ingest: logs.all beside 1,000 batches of 100 entries');
    let isWriting = true;
    const writing = appendAll(live, SMALL, next).finally(() => {
      isWriting = false;
    });
    const beside = await timesOf(served, () => !isWriting);
    const small = await writing;
    say('ingest: batches of 1,000 entries');
    const appended = await appendAll(live, LARGE, next);
    await live.settle();
    say('ingest: the same over HTTP');
    const posted = await postAll(served, LARGE, next);
    await live.settle();
    const after = await timesOf(served, (read) => read >= QUIET_READS);
    const [quietMs, besideMs, afterMs] = [median(quiet), median(beside), median(after)];
    return [
      {
        benchmark: 'Entries that arrive',
        what: 'logs.all beside batches of 100, p50',
        entries: count,
        figures: {
          quiet: milliseconds(quietMs),
          beside: milliseconds(besideMs),
          after: milliseconds(afterMs),
          ratio: ratio(besideMs / quietMs),
          'entries/s': Math.round(small).toLocaleString('en'),
        },
        goal: { text: `≤ ${ratio(MOST)}`, isMet: besideMs / quietMs <= MOST },
      },
      {
        benchmark: 'Entries that arrive',
        what: 'batches of 1,000, without HTTP',
        entries: count,
        figures: { 'entries/s': Math.round(appended).toLocaleString('en') },
        goal: null,
      },
      {
        benchmark: 'Entries that arrive',
        what: 'batches of 1,000, posted to /api/logs',
        entries: count,
        figures: { 'entries/s': Math.round(posted).toLocaleString('en') },
        goal: {
          text: `≥ ${LEAST_ENTRIES_PER_SECOND.toLocaleString('en')} entries/s`,
          isMet: posted >= LEAST_ENTRIES_PER_SECOND,
        },
      },
    ];
  } finally {
    await served.close();
    await rm(folder, { recursive: true });
  }
}

/** Makes entries like the stored ones, each newer than the last. */
async function entryMaker({ service }: ServedLogs): Promise<() => string> {
  const { rows } = await service.deps.warehouse.run(
    { sql: 'SELECT * FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 1000', parameters: new Map() },
    { maxRows: 1_000, deadlineMs: 60_000, nowMicros: MADE_NOW_MICROS },
  );
  const samples = rows.map((row) => JSON.parse(row) as Record<string, unknown>);
  let made = 0;
  return () => {
    made += 1;
    const timestamp = Number(MADE_NOW_MICROS) + made * 1_000;
    return JSON.stringify({ ...samples[made % samples.length], id: `made-${made}`, timestamp });
  };
}

/** Appends batches one after the other; answers the entries a second. */
async function appendAll(
  sink: LogSink,
  { batches, entries }: typeof SMALL,
  next: () => string,
): Promise<number> {
  // Made before: beside queries that are timed, it would be the service's time.
  const prepared = Array.from({ length: batches }, () => Array.from({ length: entries }, next));
  const startMs = performance.now();
  for (const texts of prepared) await sink.append('edge_logs', texts);
  return (batches * entries * 1_000) / (performance.now() - startMs);
}

/** Posts batches one after the other over one connection, by a client in this process; answers the entries a second. */
async function postAll(
  { client }: ServedLogs,
  { batches, entries }: typeof SMALL,
  next: () => string,
): Promise<number> {
  const bodies = Array.from({ length: batches }, () =>
    Buffer.from(`[${Array.from({ length: entries }, next).join(',')}]`),
  );
  const startMs = performance.now();
  for (const body of bodies) {
    await client.post('/api/logs?source=edge_logs', body, { 'x-api-key': WRITE_TOKEN });
  }
  return (batches * entries * 1_000) / (performance.now() - startMs);
}

async function timesOf(
  { client }: ServedLogs,
  isDone: (reads: number) => boolean,
): Promise<readonly number[]> {
  const times: number[] = [];
  while (!isDone(times.length)) {
    const startMs = performance.now();
    await client.get(LOGS_ALL);
    times.push(performance.now() - startMs);
  }
  return times;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
