import { isDeepStrictEqual } from 'node:util';
import { makeGateway } from '../../functions/gateway.ts';
import { asFrameworkFunction, bypassFramework } from '../../shared/http/server/framework-requests.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { PROJECTS } from './data/made-time.ts';
import { EXPLORER_QUERIES, type ExplorerQuery } from './explorer-queries.ts';
import { compare } from './measure.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import { type BenchService, openBenchService, TOKEN } from './support/bench-service.ts';
import { serveFunction } from './support/function-server.ts';
import { type KeepAliveClient, keepAliveClient } from './support/keep-alive-client.ts';
import { rawQuery } from './support/raw-query.ts';

/** Goal: the service's speed as a share of the query written by hand. */
const LEAST_SPEED = 0.8;

const MOST_ENTRIES = 1_000_000;
const PROJECT = PROJECTS[0];

/** Ten queries of log explorers over HTTP, against the same written by hand for DuckDB. */
export const LOG_EXPLORER: Benchmark = { name: 'log-explorer', run };

async function run({ entries, budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const count = entries.findLast((size) => size <= MOST_ENTRIES) ?? MOST_ENTRIES;
  const service = await openBenchService(await madeDatabase(count, say));
  const stop = bypassFramework();
  const gateway = await serveFunction(
    'gateway',
    asFrameworkFunction(makeGateway({ ...service.deps, explorer: null })),
  );
  const client = keepAliveClient(gateway.port, { 'x-api-key': TOKEN });
  try {
    const lines: Measured[] = [];
    for (const query of EXPLORER_QUERIES) {
      say(`log-explorer: ${query.name}`);
      lines.push(await measure(service, client, query, count, budgetMs));
    }
    return lines;
  } finally {
    client.close();
    await gateway.close();
    stop();
    await service.close();
  }
}

async function measure(
  service: BenchService,
  client: KeepAliveClient,
  query: ExplorerQuery,
  entries: number,
  budgetMs: number,
): Promise<Measured> {
  const connection = await service.store.connect();
  const byHand = await rawQuery(connection, `SELECT to_json(r)::VARCHAR FROM (${query.byHand}) AS r`, [
    PROJECT,
  ]);
  const path = `/api/endpoints/query/logs.all?project=${PROJECT}&sql=${encodeURIComponent(query.sql)}`;
  try {
    await checkAnswer(query, client, path, await byHand.rows());
    const [served, raw] = await compare(
      [
        { name: 'service', run: () => client.get(path) },
        { name: 'by hand', run: () => byHand.rows() },
      ],
      budgetMs,
    );
    const [servedMs, rawMs] = [served?.p50 ?? Number.NaN, raw?.p50 ?? Number.NaN];
    return {
      benchmark: 'Log-explorer queries over HTTP, p50',
      what: query.name,
      entries,
      figures: {
        service: milliseconds(servedMs),
        'by hand': milliseconds(rawMs),
        speed: ratio(rawMs / servedMs),
      },
      goal: { text: `≥ ${LEAST_SPEED} × its speed`, isMet: rawMs / servedMs >= LEAST_SPEED },
    };
  } finally {
    byHand.close();
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
