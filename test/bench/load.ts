import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import type { BenchContext, Benchmark } from './benchmark.ts';
import { type Measured, milliseconds, ratio } from './report.ts';
import { LOAD_TOKEN } from './support/load-rows.ts';

/** Goal: throughput of cached hits, as a part of what a function reaches that only sends the same bytes. */
const CACHED_RATIO = 0.9;
/** Goals of the mix: memory at the end, as a part of what it was after the first tenth. */
const MEMORY_RATIO = 1.2;
const STAMPEDE = 200;
const MIX_SECONDS = 60;
const CONNECTIONS = 20;
const ROUNDS = 3;
const BENCHMARK = 'Load';

const SIZES = [2000, 40_000];
const CODINGS = ['identity', 'gzip'];

/** Cached hits against a bare function, a stampede on a cold key, and a mix for a minute. */
export const LOAD: Benchmark = { name: 'load', run };

async function run({ budgetMs, say }: BenchContext): Promise<readonly Measured[]> {
  const [bare, service] = await Promise.all([start('bare'), start('service')]);
  try {
    const lines: Measured[] = [];
    for (const size of SIZES) {
      for (const coding of CODINGS) {
        say(`load: cached hits of ${size} bytes, ${coding}`);
        lines.push(await cachedHits(bare, service, size, coding, budgetMs / 1000));
      }
    }
    say('load: a stampede');
    lines.push(await stampede(service));
    say(`load: a mix for ${MIX_SECONDS} s`);
    lines.push(await mix(service));
    return lines;
  } finally {
    bare.process.kill();
    service.process.kill();
  }
}

interface Server {
  readonly process: ChildProcess;
  readonly url: string;
}

interface ServerState {
  readonly queries: number;
  readonly usedBytes: number;
}

const FILE = fileURLToPath(new URL('./support/load-server.ts', import.meta.url));

async function start(kind: string): Promise<Server> {
  const process = fork(FILE, [kind], { execArgv: ['--expose-gc'] });
  const { port } = await message<{ port: number }>(process);
  return { process, url: `http://127.0.0.1:${port}` };
}

function message<T>(process: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    process.once('message', (value) => resolve(value as T));
    process.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

function stateOf({ process }: Server): Promise<ServerState> {
  const answer = message<ServerState>(process);
  process.send('state');
  return answer;
}

const pathOf = (project: string | number) =>
  `/api/endpoints/query/usage.api-counts?interval=daily&project=${project}`;

/** Both in turn, so that whatever else the machine does takes from both; the middle round counts. */
async function cachedHits(
  bare: Server,
  service: Server,
  size: number,
  coding: string,
  seconds: number,
): Promise<Measured> {
  const rates = async ({ url }: Server) => {
    const headers = { 'X-API-KEY': LOAD_TOKEN, 'Accept-Encoding': coding };
    const duration = Math.max(1, seconds / 2);
    const result = await autocannon({ url: url + pathOf(size), connections: CONNECTIONS, duration, headers });
    if (result.non2xx + result.errors > 0)
      throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
    return result.requests.average;
  };
  // The first round is for the engine, which makes fast code of what runs often.
  await rates(bare);
  await rates(service);
  const rounds: { readonly bare: number; readonly service: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ bare: await rates(bare), service: await rates(service) });
  }
  rounds.sort((a, b) => a.service / a.bare - b.service / b.bare);
  const middle = rounds[Math.floor(ROUNDS / 2)] ?? { bare: 1, service: 0 };
  const reached = middle.service / middle.bare;
  return {
    benchmark: BENCHMARK,
    what: `cached hit, ${size / 1000} KB, ${coding}`,
    entries: 0,
    figures: {
      'bare/s': middle.bare.toFixed(0),
      'service/s': middle.service.toFixed(0),
      ratio: ratio(reached),
    },
    goal: { text: `≥ ${ratio(CACHED_RATIO)}`, isMet: reached >= CACHED_RATIO },
  };
}

/** All ask at once for what no caller has asked for before. */
async function stampede(service: Server): Promise<Measured> {
  const before = await stateOf(service);
  const { latency, non2xx, errors } = await autocannon({
    url: service.url + pathOf('cold2000'),
    connections: STAMPEDE,
    amount: STAMPEDE,
    headers: { 'X-API-KEY': LOAD_TOKEN },
  });
  const queries = (await stateOf(service)).queries - before.queries;
  return {
    benchmark: BENCHMARK,
    what: `stampede of ${STAMPEDE} on a cold key`,
    entries: 0,
    figures: { p50: milliseconds(latency.p50), p99: milliseconds(latency.p99), queries: String(queries) },
    goal: { text: '1 query, no error', isMet: queries === 1 && non2xx + errors === 0 },
  };
}

/** Hits, results that are computed anew, consumers' queries in SQL and LQL, and logs that are never kept. */
async function mix(service: Server): Promise<Measured> {
  const headers = { 'X-API-KEY': LOAD_TOKEN };
  const logs = '/api/endpoints/query/logs.all?project=2000';
  const requests = [
    { path: pathOf(2000), headers },
    { path: pathOf(40_000), headers: { ...headers, 'Accept-Encoding': 'br' } },
    { path: pathOf(40_000), headers: { ...headers, Accept: 'text/csv' } },
    ...Array.from({ length: 50 }, (_, n) => ({ path: pathOf(`${2000 + n}`), headers })),
    { path: logs, headers },
    { path: `${logs}&sql=select+id+from+edge_logs+limit+10`, headers },
    { path: `${logs}&lql=f:edge_logs+m.response.status_code:500&meta=true`, headers },
  ];
  const part = (duration: number) =>
    autocannon({ url: service.url, connections: CONNECTIONS, duration, requests });
  const first = await part(MIX_SECONDS / 10);
  const early = (await stateOf(service)).usedBytes;
  const rest = await part(MIX_SECONDS - MIX_SECONDS / 10);
  const late = (await stateOf(service)).usedBytes;
  const failures = [first, rest].reduce((sum, one) => sum + one.non2xx + one.errors + one.timeouts, 0);
  const growth = late / early;
  return {
    benchmark: BENCHMARK,
    what: `mix for ${MIX_SECONDS} s`,
    entries: 0,
    figures: {
      'service/s': rest.requests.average.toFixed(0),
      p50: milliseconds(rest.latency.p50),
      p99: milliseconds(rest.latency.p99),
      failures: String(failures),
      memory: ratio(growth),
    },
    goal: {
      text: `no failure, memory ≤ ${ratio(MEMORY_RATIO)}`,
      isMet: failures === 0 && growth <= MEMORY_RATIO,
    },
  };
}
