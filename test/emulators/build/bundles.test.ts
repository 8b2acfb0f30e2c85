import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import { makeDataset } from '../bigquery/support/emulated-dataset.ts';
import { EMULATED_PROJECT } from '../support/bigquery-emulator.ts';
import { freePort } from '../support/emulator.ts';

const run = promisify(execFile);
const TOKEN = 'token-of-the-bundles-in-the-tests';
const ENTRY = {
  id: 'one',
  timestamp: '2026-01-31T12:00:00Z',
  project: 'demo',
  event_message: 'GET /rest/v1/todos',
  metadata: [{ request: [{ path: '/rest/v1/todos', url: 'https://demo.example.co/rest/v1/todos' }] }],
};

/** A function's process, and where it listens. */
interface Running {
  readonly url: string;
  readonly log: () => string;
}

let folder: string;
let dataset: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  await build('one');
  dataset = await makeDataset(
    await loadTableSchemas('queries/sources'),
    new Map([['edge_logs', [JSON.stringify(ENTRY)]]]),
  );
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

async function build(name: string): Promise<string> {
  await run(process.execPath, ['build/run.ts', join(folder, name)]);
  return readFile(join(folder, name, 'manifest.json'), 'utf8');
}

/** Installs a function as the platform does, in a folder of its own outside the repository, and starts it. */
async function start(name: string): Promise<Running> {
  const own = join(folder, `run-${name}`);
  await cp(join(folder, 'one', name), own, { recursive: true });
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: own });
  const { stdout } = await run('npm', ['run', 'gcp-build'], { cwd: own });
  expect(stdout).toMatch(new RegExp(`Compiled ${name} and [1-9]\\d* pieces`));
  const port = await freePort();
  const framework = join(own, 'node_modules/@google-cloud/functions-framework/build/src/main.js');
  const child = spawn(process.execPath, [framework, `--target=${name}`, `--port=${port}`], {
    cwd: own,
    env: {
      PATH: process.env.PATH,
      FIRESTORE_EMULATOR_HOST: process.env.FIRESTORE_EMULATOR_HOST,
      BIGQUERY_EMULATOR_HOST: process.env.BIGQUERY_EMULATOR_HOST,
      METADATA_SERVER_DETECTION: 'none',
      NODE_COMPILE_CACHE: '.compile-cache',
      LQE_WAREHOUSE: 'bigquery',
      LQE_GOOGLE_PROJECT: EMULATED_PROJECT,
      LQE_BIGQUERY_DATASET: dataset,
      LQE_CACHE: 'firestore',
      LQE_TOKEN_STORE: 'firestore',
      LQE_FIRESTORE_DATABASE: '(default)',
      LQE_TOKEN: TOKEN,
    },
  });
  children.push(child);
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => written.push(String(data)));
  const log = () => written.join('');
  await listening(child, log);
  return { url: `http://localhost:${port}`, log };
}

/** Resolves when the framework says where it listens; rejects when its process ends before. */
function listening(child: ChildProcess, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (log().includes('URL:')) resolve();
    });
    child.once('close', (code) => reject(new Error(`ended with code ${code}: ${log()}`)));
  });
}

async function call({ url, log }: Running, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, { ...init, headers: { 'X-API-KEY': TOKEN, ...init.headers } });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${response.status} ${text} ${log()}`);
  return {
    status: response.status,
    cache: response.headers.get('x-cache'),
    body: JSON.parse(text) as unknown,
  };
}

test('the same sources make the same bytes, wherever they are written', async () => {
  expect(await build('somewhere/else/two')).toBe(await readFile(join(folder, 'one/manifest.json'), 'utf8'));
});

describe('a bundle, started by functions-framework outside the repository,', () => {
  test('answers logs.all, and sql and lql over its sources', async () => {
    const running = await start('logs-all');
    const { project: _, ...entry } = ENTRY;
    expect(await call(running, '/?project=demo')).toMatchObject({
      status: 200,
      cache: 'BYPASS',
      body: { result: [{ id: entry.id, event_message: entry.event_message }] },
    });
    const lql = encodeURIComponent('f:edge_logs m.request.path:"/rest/v1/todos" s:id');
    expect(await call(running, `/?project=demo&lql=${lql}`)).toMatchObject({
      body: { result: [{ id: 'one' }] },
    });
    expect(await call(running, '/?project=demo&sql=select+id+from+secret')).toMatchObject({ status: 400 });
    expect(await call(running, `/api/endpoints/query/usage.api-counts?project=demo`)).toMatchObject({
      status: 404,
    });
  });

  test('answers usage.api-counts out of the shared cache, which the function that warms fills', async () => {
    const project = `p${randomUUID()}`;
    const path = `/?interval=daily&project=${project}`;
    const usage = await start('usage-api-counts');
    expect(await call(usage, path)).toMatchObject({ status: 200, cache: 'MISS', body: { result: [] } });
    expect(await call(usage, path)).toMatchObject({ status: 200, cache: 'HIT' });
    const warm = await start('warm');
    const { body } = await call(warm, '/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"endpoint":"usage.api-counts"}',
    });
    expect(body).toMatchObject({ failed: 0 });
    expect((body as { refreshed: number }).refreshed).toBeGreaterThan(0);
  });
});
