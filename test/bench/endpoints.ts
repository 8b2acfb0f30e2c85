import { isDeepStrictEqual } from 'node:util';
import { makeGateway } from '../../functions/gateway.ts';
import { asFrameworkFunction, bypassFramework } from '../../shared/http/server/framework-requests.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { ENDPOINT_CASES, type EndpointCase } from './endpoint-cases.ts';
import { type Candidate, compare } from './measure.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import { type BenchService, openBenchService, TOKEN } from './support/bench-service.ts';
import { serveFunction } from './support/function-server.ts';
import { type KeepAliveClient, keepAliveClient } from './support/keep-alive-client.ts';
import { rawQuery } from './support/raw-query.ts';

const MILLION = 1_000_000;

/** Goals: logs.all's time over a million entries, and how far it may grow from the smallest table to the largest. */
const LOGS_ALL_MS = 10;
const LOGS_ALL_GROWTH = 1.5;

/** Goal: usage.api-counts against the query written by hand. */
const USAGE_RATIO = 1.2;

/** Both endpoints over HTTP against a bare function with the same bytes, and against DuckDB alone. */
export const ENDPOINTS: Benchmark = { name: 'endpoints', run };

interface Result {
  readonly endpointCase: EndpointCase;
  readonly entries: number;
  readonly serviceMs: number;
  readonly bareMs: number;
  readonly rawMs: number;
}

/** One request against one database in its three ways. */
interface Ways {
  readonly entries: number;
  readonly candidates: readonly Candidate[];
  close(): Promise<void>;
}

/** All sizes take turns, so that what differs between them is their size and not the moment. */
async function run({ entries, budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const services = new Map<number, BenchService>();
  const stop = bypassFramework();
  try {
    for (const count of entries) services.set(count, await openBenchService(await madeDatabase(count, say)));
    const results: Result[] = [];
    for (const endpointCase of ENDPOINT_CASES) {
      say(`endpoints: ${endpointCase.name}`);
      results.push(...(await measure(services, endpointCase, budgetMs)));
    }
    return results.map((result) => toLine(result, results));
  } finally {
    stop();
    for (const service of services.values()) await service.close();
  }
}

async function measure(
  services: ReadonlyMap<number, BenchService>,
  endpointCase: EndpointCase,
  budgetMs: number,
): Promise<readonly Result[]> {
  const opened: Ways[] = [];
  try {
    for (const [entries, service] of services) opened.push(await openWays(service, endpointCase, entries));
    const timings = await compare(
      opened.flatMap(({ candidates }) => candidates),
      budgetMs * opened.length,
    );
    return opened.map(({ entries }, index) => {
      const [service, bare, raw] = timings.slice(index * 3).map(({ p50 }) => p50);
      const missing = Number.NaN;
      return {
        endpointCase,
        entries,
        serviceMs: service ?? missing,
        bareMs: bare ?? missing,
        rawMs: raw ?? missing,
      };
    });
  } finally {
    for (const ways of opened) await ways.close();
  }
}

async function openWays(service: BenchService, endpointCase: EndpointCase, entries: number): Promise<Ways> {
  const { path, sql, values } = endpointCase;
  const connection = await service.store.connect();
  const raw = await rawQuery(connection, sql, values);
  const gateway = await serveFunction(
    `gateway-${entries}`,
    asFrameworkFunction(makeGateway({ ...service.deps, explorer: null })),
  );
  const client = keepAliveClient(gateway.port, { 'x-api-key': TOKEN });
  const body = await client.get(path);
  const bareFunction = await serveFunction(`bare-${entries}`, async (_req, res) => {
    res.setHeader('content-type', 'application/json; charset=utf-8');
    res.end(body);
  });
  const bareClient = keepAliveClient(bareFunction.port, {});
  await checkAnswer(endpointCase, client, await raw.rows());
  return {
    entries,
    candidates: [
      { name: 'service', run: () => client.get(path) },
      { name: 'bare function', run: () => bareClient.get('/') },
      { name: 'DuckDB alone', run: () => raw.rows() },
    ],
    close: async () => {
      client.close();
      bareClient.close();
      await gateway.close();
      await bareFunction.close();
      raw.close();
      connection.closeSync();
    },
  };
}

/** Fast answers count only where they are the same. */
async function checkAnswer(
  { name, path }: EndpointCase,
  client: KeepAliveClient,
  expected: readonly string[],
): Promise<void> {
  const { result } = JSON.parse((await client.get(path)).toString('utf8'));
  if (
    !isDeepStrictEqual(
      result,
      expected.map((row) => JSON.parse(row)),
    )
  ) {
    throw new Error(`${name}: the service and the query written by hand answer different rows`);
  }
}

function toLine(result: Result, all: readonly Result[]): Measured {
  const { endpointCase, entries, serviceMs, bareMs, rawMs } = result;
  const smallest = all.find((other) => other.endpointCase === endpointCase);
  const growth = serviceMs / (smallest?.serviceMs ?? serviceMs);
  return {
    benchmark: 'Endpoints over HTTP, p50',
    what: endpointCase.name,
    entries,
    figures: {
      service: milliseconds(serviceMs),
      'bare function': milliseconds(bareMs),
      'DuckDB alone': milliseconds(rawMs),
      'of bare': ratio(serviceMs / bareMs),
      'of DuckDB': ratio(serviceMs / rawMs),
      'of smallest': ratio(growth),
    },
    goal: goalOf(result, growth),
  };
}

/** The absolute goal is for a million entries; over few, planning a query takes longer than running it. */
function goalOf({ endpointCase, entries, serviceMs, rawMs }: Result, growth: number): Measured['goal'] {
  if (endpointCase.goal === 'ratio') {
    if (entries < MILLION) return null;
    return { text: `≤ ${USAGE_RATIO} × DuckDB`, isMet: serviceMs / rawMs <= USAGE_RATIO };
  }
  if (endpointCase.goal === null) return null;
  const flat = { text: `flat within ${LOGS_ALL_GROWTH} ×`, isMet: growth <= LOGS_ALL_GROWTH };
  if (entries !== MILLION) return flat;
  return { text: `≤ ${LOGS_ALL_MS} ms, ${flat.text}`, isMet: flat.isMet && serviceMs <= LOGS_ALL_MS };
}
