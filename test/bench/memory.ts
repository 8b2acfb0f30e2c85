import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileTokenRegistry } from '../../shared/access/file-token-registry.ts';
import { issueToken } from '../../shared/access/issue-token.ts';
import { freePort } from '../support/free-port.ts';
import type { BenchContext, Benchmark } from './benchmark.ts';
import type { Measured } from './report.ts';
import { startBigAnswers } from './support/big-answers-warehouse.ts';
import { deployedMemory } from './support/deployed-memory.ts';

const BENCHMARK = 'Memory of long answers';
/** A token has only so many queries under way, so the callers share them in fours. */
const CALLERS_A_TOKEN = 4;
const TOKENS_FILE = 'tokens.json';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BYTES_PER_MIB = 1024 * 1024;
const ROWS = 1000;
/** As Terraform has it. */
const DEADLINE_MS = '50000';
const CALLERS = [
  { count: 80, mib: 5 },
  { count: 30, mib: 20 },
];

/** Callers of long answers at the same time, in a process with the memory that Terraform gives it. */
export const MEMORY: Benchmark = { name: 'memory', run };

async function run({ say }: BenchContext): Promise<readonly Measured[]> {
  const lines: Measured[] = [];
  for (const { count, mib } of CALLERS) {
    for (const kind of ['function', 'start'] as const) {
      say(`memory: ${count} callers of ${mib} MiB each, ${kind}`);
      lines.push(await measure(kind, count, mib));
    }
  }
  return lines;
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  close(): Promise<void>;
}

async function measure(kind: 'function' | 'start', count: number, mib: number): Promise<Measured> {
  const rowBytes = Math.floor((mib * BYTES_PER_MIB) / ROWS);
  const memory = await deployedMemory(ROOT);
  const folder = await mkdtemp(join(tmpdir(), 'lqe-memory-'));
  const tokens = await issueTokens(folder, Math.ceil(count / CALLERS_A_TOKEN));
  const running = kind === 'function' ? await startFunction(folder, rowBytes) : await startLocal(folder);
  try {
    const began = performance.now();
    const calls = Array.from({ length: count }, (_, index) =>
      callFor(running.port, tokens[index % tokens.length] ?? '', rowBytes, index),
    );
    const outcomes = await Promise.all(calls);
    const seconds = (performance.now() - began) / 1000;
    const peakMib = await peakMibOf(running.child);
    const whole = outcomes.filter((bytes) => bytes >= rowBytes * ROWS).length;
    return {
      benchmark: BENCHMARK,
      what: `${count} × ${mib} MiB, ${kind === 'function' ? 'a function on BigQuery' : 'npm start'}`,
      entries: 0,
      figures: {
        answered: `${whole} of ${count}`,
        seconds: seconds.toFixed(1),
        cpu: `${await cpuSecondsOf(running.child)} s`,
        peak: `${Math.round(peakMib)} MiB`,
        'of memory': `${memory.memoryMib} MiB`,
      },
      goal: { text: 'all, below', isMet: whole === count && peakMib < memory.memoryMib },
    };
  } finally {
    await running.close();
    await rm(folder, { recursive: true });
  }
}

async function issueTokens(folder: string, count: number): Promise<readonly string[]> {
  const registry = fileTokenRegistry(join(folder, TOKENS_FILE));
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const limits = { endpoints: null, projects: null, expiresAtMs: null };
    const { token, record } = issueToken({ name: `caller-${index}`, ...limits }, Date.now());
    await registry.add(record);
    tokens.push(token);
  }
  return tokens;
}

async function startFunction(folder: string, rowBytes: number): Promise<Running> {
  const warehouse = await startBigAnswers(rowBytes);
  const port = await freePort();
  const framework = join(ROOT, 'node_modules/@google-cloud/functions-framework/build/src/main.js');
  const child = spawn(process.execPath, [framework, '--target=logs-all', `--port=${port}`], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...(await environment(folder)),
      BIGQUERY_EMULATOR_HOST: warehouse.address,
      METADATA_SERVER_DETECTION: 'none',
      LQE_WAREHOUSE: 'bigquery',
      LQE_GOOGLE_PROJECT: 'some-project',
      LQE_BIGQUERY_DATASET: 'logs',
    },
  });
  return serving(child, port, () => warehouse.close());
}

async function startLocal(folder: string): Promise<Running> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [join(ROOT, 'cli/lqe.ts'), 'start', `--port=${port}`, '--host=127.0.0.1'],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: await environment(folder),
    },
  );
  return serving(child, port, () => {});
}

async function environment(folder: string): Promise<Record<string, string | undefined>> {
  const { variables } = await deployedMemory(ROOT);
  return {
    PATH: process.env.PATH,
    LQE_TOKENS: join(folder, TOKENS_FILE),
    LQE_DEADLINE: DEADLINE_MS,
    LQE_SQL_DEADLINE: DEADLINE_MS,
    ...variables,
  };
}

async function serving(child: ChildProcess, port: number, clean: () => void): Promise<Running> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    clean();
  };
  while (child.exitCode === null && (await bytesOf(port, '/', '')) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { child, port, close };
}

/** Each caller asks for other rows. */
function callFor(port: number, token: string, rowBytes: number, index: number): Promise<number> {
  const text = `concat('caller ${index}', repeat('x', ${rowBytes}))`;
  const sql = `select ${text} as text from edge_logs limit ${ROWS}`;
  const query = new URLSearchParams({ project: 'demo', sql, iso_timestamp_start: '2020-01-01' });
  return bytesOf(port, `/api/endpoints/query/logs.all?${query}`, token);
}

/** How many bytes a whole answer has; 0 for one that is lost or cut off. */
function bytesOf(port: number, path: string, token: string): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      headers: { 'X-API-KEY': token },
    });
    outgoing.on('response', (incoming) => {
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      incoming.on('end', () => resolve(bytes));
      incoming.on('error', () => resolve(0));
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end();
  });
}

/** The most resident memory that a process has had (proc(5), VmHWM); without it none. */
async function peakMibOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** The processor time that a process has taken (proc(5), utime and stime in hundredths). */
async function cpuSecondsOf({ pid }: ChildProcess): Promise<number> {
  const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / 100;
}
