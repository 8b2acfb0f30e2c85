import { isDeepStrictEqual } from 'node:util';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { PROJECTS } from './data/made-time.ts';
import { EXPLORER_QUERIES, type ExplorerQuery } from './explorer-queries.ts';
import { compare } from './measure.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import { type FlatTables, openFlatTables } from './support/flat-tables.ts';
import type { KeepAliveClient } from './support/keep-alive-client.ts';
import { rawQuery } from './support/raw-query.ts';
import { type ServedLogs, serveLogs } from './support/served-logs.ts';

/** Goals: the service's speed as a share of the same over tables made flat by hand, and of the service over lists of records. */
const LEAST_SPEED = 0.7;
const LEAST_OF_LISTS = 1;

const MOST_ENTRIES = 1_000_000;
const PROJECT = PROJECTS[0];

/** Ten queries of log explorers over HTTP, against the same written by hand for DuckDB. */
export const LOG_EXPLORER: Benchmark = { name: 'log-explorer', run };

/** The same entries in three forms. */
interface Logs {
  readonly entries: number;
  readonly served: ServedLogs;
  /** The service over tables with records as lists of structs. */
  readonly lists: ServedLogs;
  /** Tables made flat by hand, without the service. */
  readonly flat: FlatTables;
}

async function run({ entries, budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const count = entries.findLast((size) => size <= MOST_ENTRIES) ?? MOST_ENTRIES;
  const served = await serveLogs('flat', await madeDatabase(count, say));
  const lists = await serveLogs('lists', await madeDatabase(count, say, { layout: 'lists' }));
  const flat = await openFlatTables(await madeDatabase(count, say, { layout: 'by-hand' }));
  try {
    const lines: Measured[] = [];
    for (const query of EXPLORER_QUERIES) {
      say(`log-explorer: ${query.name}`);
      lines.push(await measure({ served, lists, flat, entries: count }, query, budgetMs));
    }
    return lines;
  } finally {
    flat.close();
    await lists.close();
    await served.close();
  }
}

async function measure(
  { entries, served, lists, flat }: Logs,
  query: ExplorerQuery,
  budgetMs: number,
): Promise<Measured> {
  const connection = await lists.service.store.connect();
  const rowsOf = (sql: string) => `SELECT to_json(r)::VARCHAR FROM (${sql}) AS r`;
  const byHand = await rawQuery(connection, rowsOf(query.byHand), [PROJECT]);
  const byHandFlat = await flat.query(rowsOf(query.flat), [PROJECT]);
  const path = `/api/endpoints/query/logs.all?project=${PROJECT}&sql=${encodeURIComponent(query.sql)}`;
  try {
    const expected = await byHand.rows();
    await checkAnswer(query, served.client, path, expected);
    await checkAnswer(query, lists.client, path, expected);
    if (query.isOfFirst !== true) await checkAnswer(query, served.client, path, await byHandFlat.rows());
    const timings = await compare(
      [
        { name: 'service', run: () => served.client.get(path) },
        { name: 'flat', run: () => byHandFlat.rows() },
        { name: 'lists', run: () => lists.client.get(path) },
        { name: 'lists by hand', run: () => byHand.rows() },
      ],
      budgetMs,
    );
    const [service = NaN, flatMs = NaN, listsMs = NaN, byHandMs = NaN] = timings.map(({ p50 }) => p50);
    const [cpu = NaN, flatCpu = NaN] = timings.map(({ leastCpu }) => leastCpu);
    return {
      benchmark: 'Log-explorer queries over HTTP, p50',
      what: query.name,
      entries,
      figures: {
        service: milliseconds(service),
        flat: milliseconds(flatMs),
        lists: milliseconds(listsMs),
        'lists by hand': milliseconds(byHandMs),
        'speed of flat': ratio(flatMs / service),
        'of lists': ratio(listsMs / service),
        CPU: milliseconds(cpu),
        'flat, CPU': milliseconds(flatCpu),
      },
      goal: {
        text: `≥ ${LEAST_SPEED} × flat's speed, ≥ ${LEAST_OF_LISTS} × that of lists`,
        isMet: flatMs / service >= LEAST_SPEED && listsMs / service >= LEAST_OF_LISTS,
      },
    };
  } finally {
    byHand.close();
    byHandFlat.close();
    connection.closeSync();
  }
}

/** Fast answers count only where they are the same. */
async function checkAnswer(
  { name }: ExplorerQuery,
  client: KeepAliveClient,
  path: string,
  expected: readonly string[],
): Promise<void> {
  const { result } = JSON.parse((await client.get(path)).toString('utf8'));
  const rows = expected.map((row) => JSON.parse(row));
  if (rows.length === 0) throw new Error(`${name}: no row to compare`);
  if (!isDeepStrictEqual(sorted(result), sorted(rows))) {
    throw new Error(
      `${name}: the service and the query written by hand answer different rows: ${JSON.stringify(result[0])} and ${expected[0]}`,
    );
  }
}

/** Ties leave the order of some rows open. */
function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
