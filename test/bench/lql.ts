import { isDeepStrictEqual } from 'node:util';
import { makeGateway } from '../../functions/gateway.ts';
import { compileLql } from '../../shared/lql/compile.ts';
import { parseLql } from '../../shared/lql/parse.ts';
import { makeSandbox } from '../../shared/sql/sandbox/consumer-query.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { MADE_NOW_MICROS, PROJECTS } from './data/made-time.ts';
import { LQL_QUERIES, type LqlQuery } from './lql-queries.ts';
import { compare } from './measure.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import { type BenchService, openBenchService, TOKEN } from './support/bench-service.ts';
import { serveDirectly } from './support/function-server.ts';
import { type KeepAliveClient, keepAliveClient } from './support/keep-alive-client.ts';

/** Goal: what reading and compiling costs. */
const COMPILE_MS = 0.2;

const MOST_ENTRIES = 1_000_000;
const PROJECT = PROJECTS[0];

/** Queries in LQL: what compiling them costs, and over HTTP against the same in SQL. */
export const LQL: Benchmark = { name: 'lql', run };

async function run({ entries, budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const count = entries.findLast((size) => size <= MOST_ENTRIES) ?? MOST_ENTRIES;
  const service = await openBenchService(await madeDatabase(count, say));
  const gateway = await serveDirectly(
    'gateway',
    makeGateway({ ...service.deps, explorer: null, savedQueries: null, ingest: null }),
  );
  const client = keepAliveClient(gateway.port, { 'x-api-key': TOKEN });
  try {
    say('lql: compiling');
    const lines: Measured[] = [await measureCompiling(service, count, budgetMs)];
    for (const query of LQL_QUERIES) {
      say(`lql: ${query.name}`);
      lines.push(await measureAnswers(client, query, count, budgetMs));
    }
    return lines;
  } finally {
    client.close();
    await gateway.close();
    await service.close();
  }
}

async function measureCompiling(service: BenchService, entries: number, budgetMs: number): Promise<Measured> {
  const endpoint = service.deps.endpoints.find('logs.all');
  if (endpoint === undefined) throw new TypeError('there is no logs.all');
  const { schemas } = makeSandbox({
    endpointSql: endpoint.sql,
    parameterTypes: new Map(endpoint.parameters.map(({ name, type }) => [name, type])),
    tables: service.schemas,
    dataset: 'logs',
    forbiddenNames: [],
  });
  const options = { sources: schemas, nowMicros: MADE_NOW_MICROS, parameterPrefix: 'lql_' };
  let runs = 0;
  const compileNext = async () => {
    runs++;
    const { lql } = LQL_QUERIES[runs % LQL_QUERIES.length] ?? { lql: '' };
    return compileLql(lql, parseLql(lql), options);
  };
  const [timing] = await compare([{ name: 'compile', run: compileNext }], budgetMs);
  const { p50, p99 } = timing ?? { p50: Number.NaN, p99: Number.NaN };
  return {
    benchmark: 'LQL, reading and compiling',
    what: 'five queries in turn',
    entries,
    figures: { p50: `${(p50 * 1000).toFixed(1)} µs`, p99: `${(p99 * 1000).toFixed(1)} µs` },
    goal: { text: `≤ ${COMPILE_MS} ms`, isMet: p50 <= COMPILE_MS },
  };
}

async function measureAnswers(
  client: KeepAliveClient,
  { name, lql, sql }: LqlQuery,
  entries: number,
  budgetMs: number,
): Promise<Measured> {
  const path = (language: string, text: string) =>
    `/api/endpoints/query/logs.all?project=${PROJECT}&${language}=${encodeURIComponent(text)}`;
  const [inLql, inSql] = [path('lql', lql), path('sql', sql)];
  await checkAnswers(name, client, inLql, inSql);
  const [own, same] = await compare(
    [
      { name: 'lql', run: () => client.get(inLql) },
      { name: 'sql', run: () => client.get(inSql) },
    ],
    budgetMs,
  );
  const [lqlMs, sqlMs] = [own?.p50 ?? Number.NaN, same?.p50 ?? Number.NaN];
  return {
    benchmark: 'LQL over HTTP against the same in SQL, p50',
    what: name,
    entries,
    figures: { LQL: milliseconds(lqlMs), SQL: milliseconds(sqlMs), 'LQL / SQL': ratio(lqlMs / sqlMs) },
    goal: null,
  };
}

/** Fast answers count only where they are the same. */
async function checkAnswers(
  name: string,
  client: KeepAliveClient,
  inLql: string,
  inSql: string,
): Promise<void> {
  const [own, same] = await Promise.all([client.get(inLql), client.get(inSql)]);
  const [rows, expected] = [own, same].map((body) => JSON.parse(body.toString('utf8')).result);
  if (rows.length === 0) throw new Error(`${name}: no row to compare`);
  if (!isDeepStrictEqual(rows, expected)) throw new Error(`${name}: LQL and SQL answer different rows`);
}
