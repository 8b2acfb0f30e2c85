import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import { makeDataset } from '../bigquery/support/emulated-dataset.ts';
import { BUNDLE_TOKEN, buildBundles, type RunningBundle, startBundle } from './support/running-bundle.ts';

const TOKEN = BUNDLE_TOKEN;
/** What the explorer serves where it is on. */
const EXPLORER = ['/', '/assets/x/explorer/main.js', '/explorer/catalogue.json', '/explorer/sign-in'];
const ENTRY = {
  id: 'one',
  timestamp: '2026-01-31T12:00:00Z',
  project: 'demo',
  event_message: 'GET /rest/v1/todos',
  metadata: [{ request: [{ path: '/rest/v1/todos', url: 'https://demo.example.co/rest/v1/todos' }] }],
};

let folder: string;
let dataset: string;
const started: RunningBundle[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  await build('one');
  dataset = await makeDataset(
    await loadTableSchemas('queries/sources'),
    new Map([['edge_logs', [JSON.stringify(ENTRY)]]]),
  );
});

afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
  await rm(folder, { recursive: true });
});

async function build(name: string): Promise<string> {
  await buildBundles(join(folder, name));
  return readFile(join(folder, name, 'manifest.json'), 'utf8');
}

/** Starts a function in its own folder outside the repository. */
async function start(name: string, env: Readonly<Record<string, string>> = {}): Promise<RunningBundle> {
  const running = await startBundle(name, {
    built: join(folder, 'one'),
    folder: join(folder, `run-${name}-${started.length}`),
    dataset,
    env,
  });
  started.push(running);
  expect(running.compiled).toMatch(new RegExp(`Compiled ${name} and [1-9]\\d* pieces`));
  return running;
}

async function call({ url, log }: RunningBundle, path: string, init: RequestInit = {}) {
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

  test('of the gateway answers every spelling of an endpoint, and what it does not know in our envelope', async () => {
    const running = await start('gateway');
    const { id } = JSON.parse(await readFile('queries/logs.all.json', 'utf8')) as { id: string };
    for (const key of [id, id.toUpperCase(), `${id.toUpperCase()}/`, 'logs.all', 'logs.all/']) {
      const answer = await call(running, `/api/endpoints/query/${key}?project=demo`);
      expect([key, answer]).toEqual([
        key,
        expect.objectContaining({ status: 200, body: { result: [expect.objectContaining({ id: 'one' })] } }),
      ]);
    }
    const notFound = {
      status: 404,
      body: { error: expect.objectContaining({ code: 404, status: 'NOT_FOUND' }) },
    };
    for (const path of ['/api/endpoints/query/logs.none?project=demo', '/nowhere', ...EXPLORER]) {
      expect([path, await call(running, path)]).toEqual([path, expect.objectContaining(notFound)]);
    }
    const unknown = await call(running, '/api/endpoints/query/logs.all', {
      headers: { 'X-API-KEY': 'unknown' },
    });
    expect(unknown).toMatchObject({ status: 401, body: { error: { status: 'UNAUTHENTICATED' } } });
    expect(await call(running, '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  test('of the gateway serves the explorer with all its files, where it is on', async () => {
    const { url } = await start('gateway', { LQE_EXPLORER: 'true' });
    const page = await fetch(url);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-/,
    );
    expect(html).not.toContain(TOKEN);
    const served = [...html.matchAll(/(?:href|src)="\.(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const [, version = ''] = served[0]?.split('/assets/')[1]?.match(/^([^/]+)\//) ?? [];
    const files = await readdir(join(folder, 'one/gateway/assets'), { recursive: true, withFileTypes: true });
    const built = files
      .filter((file) => file.isFile() && file.name !== 'index.html')
      .map((file) => join(file.parentPath, file.name).split('/assets/')[1]);
    expect(new Set(served)).toEqual(new Set(built.map((path) => `/assets/${version}/${path}`)));
    for (const path of served) {
      const file = await fetch(url + path);
      expect([path, file.status, file.headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(bytes.length).toBeGreaterThan(0);
    }
    for (const path of ['explorer/index.html', 'explorer/../../package.json', 'npm/zod.js']) {
      expect((await fetch(`${url}/assets/${version}/${path}`)).status).toBe(404);
    }
    expect((await fetch(`${url}/explorer/catalogue.json`)).status).toBe(401);
    expect((await fetch(`${url}/explorer/sign-in`, { method: 'POST' })).status).toBe(404);
    const headers = { 'X-API-KEY': TOKEN };
    const catalogue = await (await fetch(`${url}/explorer/catalogue.json`, { headers })).json();
    expect(catalogue).toMatchObject({
      endpoints: expect.arrayContaining([expect.objectContaining({ name: 'logs.all' })]),
    });
  });
});
