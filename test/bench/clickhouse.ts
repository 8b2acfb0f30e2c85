import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { quoteLiteral } from '../../shared/warehouse/duckdb/quote.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { type ChDb, installChDb, openChDb } from './clickhouse/chdb.ts';
import { QUESTIONS, type Question } from './clickhouse/questions.ts';
import { BENCH_FOLDER, madeDatabase } from './data/made-database.ts';
import { compare } from './measure.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import type { KeepAliveClient } from './support/keep-alive-client.ts';
import { serveLogs } from './support/served-logs.ts';

/** What HTTP may cost beside ClickHouse's time, which has none, in ms. */
const HTTP_MS = 2;
const MOST_ENTRIES = 1_000_000;

/**
 * Seven questions to the service over HTTP, and to embedded ClickHouse over a schema flattened by hand. Without Python or
 * the package it says so and measures nothing.
 */
export const CLICKHOUSE: Benchmark = { name: 'clickhouse', run };

async function run({ entries, budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const count = entries.findLast((size) => size <= MOST_ENTRIES) ?? MOST_ENTRIES;
  const served = await madeDatabase(count, say);
  const byHand = await madeDatabase(count, say, { layout: 'by-hand' });
  let python: string;
  try {
    say('clickhouse: installing chDB, the first time');
    python = await installChDb(BENCH_FOLDER);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n', 1)[0] : String(error);
    say(`clickhouse: skipped, as chDB needs python3 with venv and pip, and PyPI: ${reason}`);
    return [];
  }
  const folder = await filledFolder(python, byHand, say);
  const logs = await serveLogs('clickhouse', served);
  const chdb = openChDb(python, folder);
  try {
    const lines: Measured[] = [];
    for (const question of QUESTIONS) {
      say(`clickhouse: ${question.name}`);
      lines.push(await measure(question, logs.client, chdb, count, budgetMs));
    }
    return lines;
  } finally {
    await chdb.close();
    await logs.close();
  }
}

/** ClickHouse's database with the table that was made flat by hand; kept beside the file that it is made of. */
async function filledFolder(python: string, byHand: string, say: (line: string) => void): Promise<string> {
  const folder = byHand.replace(/\.duckdb$/, '.chdb');
  if (existsSync(folder)) return folder;
  say(`clickhouse: filling ${folder}`);
  const [parquet, unfinished] = [`${folder}.${process.pid}.parquet`, `${folder}.${process.pid}`];
  try {
    const instance = await DuckDBInstance.create(byHand, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    await connection.run(`COPY edge_logs TO ${quoteLiteral(parquet)} (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
    const chdb = openChDb(python, unfinished);
    try {
      await chdb.rows(`CREATE TABLE edge_logs ENGINE = MergeTree ORDER BY timestamp
        SETTINGS allow_nullable_key = 1 AS SELECT * FROM file('${parquet}', Parquet)`);
      await chdb.rows('OPTIMIZE TABLE edge_logs FINAL');
    } finally {
      await chdb.close();
    }
    await rename(unfinished, folder);
    return folder;
  } finally {
    await rm(parquet, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function measure(
  question: Question,
  client: KeepAliveClient,
  chdb: ChDb,
  entries: number,
  budgetMs: number,
): Promise<Measured> {
  const { name, path, clickHouse } = question;
  await checkAnswer(question, client, chdb);
  const [service = NaN, other = NaN] = (
    await compare(
      [
        { name: 'service', run: () => client.get(path) },
        { name: 'ClickHouse', run: () => chdb.rows(clickHouse) },
      ],
      budgetMs,
    )
  ).map(({ p50 }) => p50);
  return {
    benchmark: 'The service over HTTP and embedded ClickHouse, p50',
    what: name,
    entries,
    figures: {
      service: milliseconds(service),
      ClickHouse: milliseconds(other),
      'of ClickHouse': ratio(service / other),
    },
    goal: { text: `≤ ClickHouse + ${HTTP_MS} ms`, isMet: service <= other + HTTP_MS },
  };
}

async function checkAnswer(
  { name, path, clickHouse, isOfFirst }: Question,
  client: KeepAliveClient,
  chdb: ChDb,
) {
  const { result } = JSON.parse((await client.get(path)).toString('utf8')) as { result: readonly Row[] };
  const lines = (await chdb.rows(clickHouse)).split('\n').filter((line) => line !== '');
  const rows = lines.map((line) => withJson(JSON.parse(line) as Row));
  if (rows.length !== result.length) {
    throw new Error(`${name}: ${result.length} rows, and ${rows.length} of ClickHouse`);
  }
  if (isOfFirst !== true && !isDeepStrictEqual(sorted(result), sorted(rows))) {
    throw new Error(
      `${name}: ClickHouse answers other rows: ${JSON.stringify(result[0])} and ${JSON.stringify(rows[0])}`,
    );
  }
}

type Row = Readonly<Record<string, unknown>>;

/** ClickHouse's table has the metadata as text. */
function withJson(row: Row): Row {
  return typeof row.metadata === 'string' ? { ...row, metadata: JSON.parse(row.metadata) } : row;
}

function sorted(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
