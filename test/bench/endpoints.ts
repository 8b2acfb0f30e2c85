import { isDeepStrictEqual } from 'node:util';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { madeDatabase } from './data/made-database.ts';
import { ENDPOINT_CASES, type EndpointCase } from './endpoint-cases.ts';
import { type Candidate, compare } from './measure.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import { type FlatTables, openFlatTables } from './support/flat-tables.ts';
import { serveDirectly } from './support/function-server.ts';
import { type KeepAliveClient, keepAliveClient } from './support/keep-alive-client.ts';
import { type ServedLogs, serveLogs } from './support/served-logs.ts';

const MILLION = 1_000_000;

/** Goals: logs.all's time over a million entries, and how far it may grow from the smallest table to the largest. */
const LOGS_ALL_MS = 5;
const LOGS_ALL_GROWTH = 1.5;

/** Goal: usage.api-counts against the query over tables made flat by hand. */
const USAGE_RATIO = 1.5;

/** Both endpoints over HTTP against a bare function with the same bytes, and against DuckDB alone. */
export const ENDPOINTS: Benchmark = { name: 'endpoints', run };

interface Result {
  readonly endpointCase: EndpointCase;
  readonly entries: number;
  readonly serviceMs: number;
  readonly bareMs: number;
  readonly flatMs: number;
  readonly listsMs: number;
  /** The least CPU time of a run. */
  readonly serviceCpuMs: number;
  readonly flatCpuMs: number;
}

/** The same entries in three forms. */
interface Logs {
  readonly entries: number;
  readonly served: ServedLogs;
  /** The service over tables with records as lists of structs. */
  readonly lists: ServedLogs;
  /** Tables made flat by hand, without the service. */
  readonly flat: FlatTables;
}

/** One request in its ways. */
interface Ways {
  readonly entries: number;
  readonly candidates: readonly Candidate[];
  close(): Promise<void>;
}

/** All sizes take turns, so that what differs between them is their size and not the moment. */
async function run({ entries, budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const opened: Logs[] = [];
  try {
    for (const count of entries) {
      opened.push({
        entries: count,
        served: await serveLogs(`flat-${count}`, await madeDatabase(count, say)),
        lists: await serveLogs(`lists-${count}`, await madeDatabase(count, say, { layout: 'lists' })),
        flat: await openFlatTables(await madeDatabase(count, say, { layout: 'by-hand' })),
      });
    }
    const results: Result[] = [];
    for (const endpointCase of ENDPOINT_CASES) {
      say(`endpoints: ${endpointCase.name}`);
      results.push(...(await measure(opened, endpointCase, budgetMs)));
    }
    return results.map((result) => toLine(result, results));
  } finally {
    for (const { served, lists, flat } of opened) {
      flat.close();
      await lists.close();
      await served.close();
    }
  }
}

async function measure(
  logs: readonly Logs[],
  endpointCase: EndpointCase,
  budgetMs: number,
): Promise<readonly Result[]> {
  const opened: Ways[] = [];
  try {
    for (const one of logs) opened.push(await openWays(one, endpointCase));
    const timings = await compare(
      opened.flatMap(({ candidates }) => candidates),
      budgetMs * opened.length,
    );
    return opened.map(({ entries, candidates }, index) => {
      const first = index * candidates.length;
      const own = timings.slice(first, first + candidates.length);
      const [serviceMs = NaN, bareMs = NaN, flatMs = NaN, listsMs = NaN] = own.map(({ p50 }) => p50);
      const [serviceCpuMs = NaN, , flatCpuMs = NaN] = own.map(({ leastCpu }) => leastCpu);
      return { endpointCase, entries, serviceMs, bareMs, flatMs, listsMs, serviceCpuMs, flatCpuMs };
    });
  } finally {
    for (const ways of opened) await ways.close();
  }
}

async function openWays({ entries, served, lists, flat }: Logs, endpointCase: EndpointCase): Promise<Ways> {
  const { name, path, sql, values } = endpointCase;
  const byHand = await flat.query(sql, values);
  const body = await served.client.get(path);
  const bareFunction = await serveDirectly(functionName(entries, name), async (_req, res) => {
    res.setHeader('content-type', 'application/json; charset=utf-8');
    res.end(body);
  });
  const bareClient = keepAliveClient(bareFunction.port, {});
  await checkAnswer(endpointCase, served.client, await byHand.rows());
  await checkAnswer(endpointCase, lists.client, await byHand.rows());
  return {
    entries,
    candidates: [
      { name: 'service', run: () => served.client.get(path) },
      { name: 'bare function', run: () => bareClient.get('/') },
      { name: 'flat', run: () => byHand.rows() },
      { name: 'lists', run: () => lists.client.get(path) },
    ],
    close: async () => {
      bareClient.close();
      await bareFunction.close();
      byHand.close();
    },
  };
}

/** The framework takes letters, digits and hyphens, a letter or digit last. */
function functionName(entries: number, name: string): string {
  return `bare-${entries}-${name.replaceAll(/[^a-zA-Z0-9]+/g, '-')}-0`;
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
  const { endpointCase, entries, serviceMs, bareMs, flatMs, listsMs, serviceCpuMs, flatCpuMs } = result;
  const smallest = all.find((other) => other.endpointCase === endpointCase);
  const growth = serviceMs / (smallest?.serviceMs ?? serviceMs);
  return {
    benchmark: 'Endpoints over HTTP, p50',
    what: endpointCase.name,
    entries,
    figures: {
      service: milliseconds(serviceMs),
      'bare function': milliseconds(bareMs),
      flat: milliseconds(flatMs),
      lists: milliseconds(listsMs),
      'of flat': ratio(serviceMs / flatMs),
      'of lists': ratio(serviceMs / listsMs),
      'of smallest': ratio(growth),
      CPU: milliseconds(serviceCpuMs),
      'flat, CPU': milliseconds(flatCpuMs),
    },
    goal: goalOf(result, growth),
  };
}

/** The absolute goals are for a million entries; over few, planning a query takes longer than running it. */
function goalOf({ endpointCase, entries, serviceMs, flatMs }: Result, growth: number): Measured['goal'] {
  if (endpointCase.goal === 'ratio') {
    if (entries < MILLION) return null;
    return { text: `≤ ${USAGE_RATIO} × flat`, isMet: serviceMs / flatMs <= USAGE_RATIO };
  }
  if (endpointCase.goal === null) return null;
  const even = { text: `even within ${LOGS_ALL_GROWTH} ×`, isMet: growth <= LOGS_ALL_GROWTH };
  if (entries !== MILLION) return even;
  return { text: `≤ ${LOGS_ALL_MS} ms, ${even.text}`, isMet: even.isMet && serviceMs <= LOGS_ALL_MS };
}
