import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { SETTINGS, type Setting } from '../../shared/runtime/settings.ts';
import type { RunningLqe } from './support/run-lqe.ts';
import { entry, lines, makeStarts, type Starts, stop, urlOf } from './support/starts.ts';

let starts: Starts;
beforeAll(async () => {
  starts = await makeStarts();
});
afterAll(() => starts.end());

const TOKEN = 'token-of-the-start-tests';
const get = (url: string) => fetch(url, { headers: { 'x-api-key': TOKEN } });
const resultOf = async (url: string) => ((await (await get(url)).json()) as { result: object[] }).result;
const query = (name: string, parameters: Record<string, string>) =>
  `/api/endpoints/query/${name}?${new URLSearchParams(parameters)}`;

describe('without any option but a free port', () => {
  let service: RunningLqe;
  let url: string;
  beforeAll(async () => {
    service = starts.start(['--port', '0']);
    url = await urlOf(service);
  });

  test('prints a curl line for each endpoint that works when pasted', async () => {
    const commands = [...service.stdout.matchAll(/^ +(curl .*)$/gm)].map(([, command = '']) => command);
    const { all } = await loadEndpoints('queries');
    expect(commands).toHaveLength(all.length);
    for (const command of commands) {
      const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --silent --fail`]);
      const { result } = JSON.parse(stdout) as { result: object[] };
      if (/logs\.all|usage\.api-counts/.test(command)) expect(result.length).toBeGreaterThan(0);
    }
    expect(commands.join()).toContain('/logs.all?');
    expect(commands.join()).toContain('/usage.api-counts?');
  });

  test('prints a token that works, and another one does not', async () => {
    const [, token = ''] = /^Access token: (\S+)$/m.exec(service.stdout) ?? [];
    const target = `${url}${query('logs.all', { project: 'demo' })}`;
    const answers = await Promise.all(
      [token, `${token}x`, ''].map((given) => fetch(target, { headers: { 'x-api-key': given } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401]);
    expect(token.length).toBeGreaterThanOrEqual(32);
  });

  test('prints a link to the explorer whose code is exchanged for the token, once', async () => {
    const [, token = ''] = /^Access token: (\S+)$/m.exec(service.stdout) ?? [];
    const [, link = ''] = /^Explorer: (\S+)$/m.exec(service.stdout) ?? [];
    expect(link).not.toContain(token);
    const { origin, pathname, search, hash } = new URL(link);
    expect([origin, pathname, search]).toEqual([url, '/', '']);
    const values = new URLSearchParams(hash.slice(1));
    expect(values.get('project')).not.toBeNull();
    const exchange = () =>
      fetch(`${url}/explorer/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ code: values.get('code') }),
      });
    const [first, second] = [await exchange(), await exchange()];
    expect([first.status, second.status]).toEqual([200, 401]);
    expect(await first.json()).toEqual({ token });
  });

  test('has demo logs of both projects in all three intervals', async () => {
    const [, token = ''] = /^Access token: (\S+)$/m.exec(service.stdout) ?? [];
    for (const project of ['demo', 'default']) {
      for (const interval of ['minutely', 'hourly', 'daily']) {
        const target = `${url}${query('usage.api-counts', { project, interval })}`;
        const answer = await fetch(target, { headers: { 'x-api-key': token } });
        expect(((await answer.json()) as { result: object[] }).result.length).toBeGreaterThan(0);
      }
    }
  });

  test('takes headers and a URL of 32 KiB together, and answers 414 beyond', async () => {
    const [, token = ''] = /^Access token: (\S+)$/m.exec(service.stdout) ?? [];
    const ask = async (padding: number) => {
      const target = `${url}${query('logs.all', { project: 'demo', other: 'x'.repeat(padding) })}`;
      return (await fetch(target, { headers: { 'x-api-key': token } })).status;
    };
    expect([await ask(30_000), await ask(40_000)]).toEqual([200, 414]);
  });

  test('keeps its answers apart from its log, which has a line for each request', async () => {
    const id = 'seen-in-the-log';
    await fetch(`${url}/healthz`, { headers: { 'x-request-id': id } });
    const [line] = await service.printed(new RegExp(`^.*${id}.*\\n`, 'm'));
    expect(JSON.parse(line)).toMatchObject({ severity: 'INFO', httpRequest: { status: 200 } });
  });

  test('ends with exit code 0 and without a word on SIGINT', async () => {
    const { code, signal, stderr } = await stop(service);
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});

describe('the explorer’s link', () => {
  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['0.0.0.0', false],
  ])('of a service on %s signs in: %p', async (host, signsIn) => {
    const service = starts.start(['--port', '0', '--host', host]);
    const url = await urlOf(service);
    const [, link = ''] = /^Explorer: (\S+)$/m.exec(service.stdout) ?? [];
    expect(/[#&]code=/.test(link)).toBe(signsIn);
    expect(service.stdout.includes('The link signs in once')).toBe(signsIn);
    const answer = await fetch(`${url}/explorer/sign-in`, { method: 'POST' });
    expect(answer.status).toBe(signsIn ? 403 : 404);
    await stop(service);
  });
});

describe('logs of the caller', () => {
  const schema = (...more: object[]) =>
    JSON.stringify([
      { name: 'id', type: 'STRING' },
      { name: 'timestamp', type: 'TIMESTAMP' },
      { name: 'event_message', type: 'STRING' },
      { name: 'project', type: 'STRING' },
      ...more,
    ]);

  test('come from a starts.folder, with every setting from the environment, and stay in a database file', async () => {
    const logs = await starts.folderOf('logs', {
      'edge_logs.ndjson': lines(
        entry('a'),
        entry('b', { timestamp: 1_714_564_800_000_001, zone: 'eu-1', weight: 1.5, level: 3 }),
        entry('c', { metadata: [{ request: [{ retries: 2 }] }] }),
      ),
      'auth_logs.ndjson': `${lines(entry('d'))}{"id": broken}\n${lines({ ...entry('e'), timestamp: 'noon' })}`,
      'other.txt': 'not a log',
    });
    const env = {
      LQE_PORT: '0',
      LQE_HOST: '127.0.0.1',
      LQE_LOGS: logs,
      LQE_FOLLOW: 'false',
      LQE_DEFAULT_PROJECT: 'demo',
      LQE_DATABASE: join(starts.folder, 'kept.db'),
      LQE_SAVED: starts.folder,
      LQE_RETENTION: '36500d',
      LQE_NOW: '2024-05-01T12:30:00Z',
      LQE_SKIP_INVALID: 'true',
      LQE_TOKEN: TOKEN,
      LQE_TOKENS: join(starts.folder, 'own-tokens.json'),
      LQE_DEADLINE: '20000',
      LQE_SQL_DEADLINE: '15000',
      LQE_SQL_RUNNING: '2',
      LQE_SQL_WAITING: '3',
      LQE_SQL_CPU: '30',
      LQE_SQL_MAX_BYTES: '1073741824',
      LQE_STORED_MAX_BYTES: '107374182400',
      LQE_PARTITION_BY: 'day',
      LQE_INGEST_TOPICS: 'logs-',
      LQE_LOG_TABLES: '{"auth_logs":null}',
      LQE_MEMORY_LIMIT: '512',
      LQE_EXPLORER: 'false',
      LQE_LOG_FORMAT: 'pretty',
      LQE_LOG_LEVEL: 'error',
      LQE_CALLER_POSITION: '0',
      LQE_QUERIES: join(process.cwd(), 'queries'),
      LQE_SOURCES: join(process.cwd(), 'queries/sources'),
      LQE_CURSOR_KEY: 'secret-of-all-cursors',
      LQE_WAREHOUSE: 'duckdb',
      LQE_GOOGLE_PROJECT: 'some-project',
      LQE_BIGQUERY_DATASET: 'some_dataset',
      LQE_BIGQUERY_LOCATION: 'EU',
      LQE_CACHE: 'memory',
      LQE_CACHE_MEMORY: '8',
      LQE_ANSWER_MEMORY: '32',
      LQE_TOKEN_STORE: 'file',
      LQE_FIRESTORE_DATABASE: '(default)',
      LQE_TOKEN_DATABASE: '(default)',
      LQE_SETS_PER_TOKEN: '20',
      LQE_WARM_WINDOW: '600',
      LQE_WARM_CONCURRENCY: '2',
      LQE_WARM_DEADLINE: '10000',
      LQE_WARM_MAX_BYTES: '0',
      LQE_WARM_AUDIENCE: 'https://warm.example.com',
      LQE_WARM_SERVICE_ACCOUNT: 'warm@example.iam.gserviceaccount.com',
    };
    expect(Object.keys(env).sort()).toEqual(
      Object.values<Setting>(SETTINGS)
        .map((setting) => setting.env)
        .sort(),
    );
    const first = starts.start([], env);
    const url = await urlOf(first);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(first.stdout).toContain(`Access token: ${TOKEN}\n`);
    expect(first.stdout).not.toContain('httpRequest');
    expect(first.stdout).not.toMatch(/Explorer|sign/);
    const paths = ['/', '/explorer/catalogue.json', '/explorer/sign-in', '/healthz'];
    const statuses = paths.map(async (path) => (await get(`${url}${path}`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200]);

    await first.complained(/fields added to its schema: .*\n/);
    const told = first.stderr.split('\n');
    const added = told.filter((line) => line.includes('zone'));
    expect(added).toHaveLength(1);
    for (const field of ['zone STRING', 'weight FLOAT64', 'level INT64', 'metadata.request.retries INT64']) {
      expect(added[0]).toContain(field);
    }
    expect(told).toContain('edge_logs: 3 entries');
    expect(told).toContain('auth_logs: 2 malformed lines skipped');
    expect(first.stderr).toMatch(/auth_logs\.ndjson: 2 skipped; the first: .*auth_logs\.ndjson, line 2: /);
    expect(first.stderr).toContain('other.txt');

    const newest = query('logs.all', { project: 'mine' });
    expect((await resultOf(`${url}${newest}`)).map((row) => 'id' in row && row.id)).toEqual(['b', 'c', 'a']);
    const counts = query('usage.api-counts', { project: 'mine', interval: 'hourly' });
    const expected = [{ timestamp: '2024-05-01T12:00:00', total_rest_requests: 2 }];
    expect(await resultOf(`${url}${counts}`)).toMatchObject(expected);

    const second = await starts.start(['--port', '0', '--database', env.LQE_DATABASE]).ended;
    expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 2, stdout: '' });
    expect(second.stderr).toMatch(/^lqe: .*kept\.db: another process has this database open; [^\n]+\n$/);

    const { code, stderr } = await stop(first);
    expect([code, stderr]).toEqual([0, told.join('\n')]);

    const again = starts.start(
      ['--port', '0', '--database', env.LQE_DATABASE, '--now', '2024-05-01T12:00:00.000001Z'],
      {
        LQE_TOKEN: TOKEN,
      },
    );
    const urlAgain = await urlOf(again);
    expect(again.stdout).toContain('the logs that the database file holds');
    expect(again.stderr).toBe('');
    expect((await resultOf(`${urlAgain}${newest}`)).map((row) => 'id' in row && row.id)).toEqual([
      'b',
      'c',
      'a',
    ]);
    expect(await resultOf(`${urlAgain}${counts}`)).toMatchObject(expected);
    expect((await stop(again)).code).toBe(0);
  });

  test('are asked by other queries over other tables, at the time that the clock was set to', async () => {
    const sources = await starts.folderOf('sources', {
      'jobs.json': schema({ name: 'took', type: 'INTEGER' }),
    });
    const queries = await starts.folderOf('queries', {
      'jobs.slow.sql':
        'SELECT id, took, CURRENT_TIMESTAMP() AS asked FROM logs.jobs WHERE took > @least AND timestamp <= CURRENT_TIMESTAMP() ORDER BY took DESC',
      'jobs.slow.json': JSON.stringify({
        id: '5d7bb0e5-8a36-4b76-9c1f-0c3b2e0e9f11',
        name: 'jobs.slow',
        description: 'The jobs that took long',
        maxRows: 10,
        cacheTtlSeconds: 0,
        warmEverySeconds: null,
        sandbox: false,
        redactPii: false,
        parameters: [
          { name: 'least', type: 'INT64', required: true, description: 'Milliseconds', example: '100' },
        ],
      }),
    });
    const logs = await starts.folderOf('job-logs', {
      'jobs.ndjson': lines(
        { id: 'a', timestamp: '2024-01-01T00:00:00Z', took: 50 },
        { id: 'b', timestamp: '2024-01-02T00:00:00Z', took: 500 },
        { id: 'c', timestamp: '2024-01-03T00:00:00Z', took: 700 },
      ),
    });
    const argv = ['--port=0', '--logs', logs, '--queries', queries, '--sources', sources];
    const service = starts.start([...argv, '--now', '2024-01-02T01:00:00+01:00'], { LQE_TOKEN: TOKEN });
    const url = await urlOf(service);
    expect(service.stdout).toContain(`'${url}/api/endpoints/query/jobs.slow?least=100'`);
    expect(await resultOf(`${url}${query('jobs.slow', { least: '100' })}`)).toEqual([
      { id: 'b', took: 500, asked: Date.UTC(2024, 0, 2) * 1000 },
    ]);
    expect((await get(`${url}${query('logs.all', { project: 'mine' })}`)).status).toBe(404);
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  test('that are still being loaded are left alone on SIGINT', async () => {
    const logs = await starts.folderOf('endless', { 'auth_logs.ndjson': lines(entry('a')) });
    const many = `${JSON.stringify(entry('e'))}\n`.repeat(500_000);
    await writeFile(join(logs, 'edge_logs.ndjson.gz'), gzipSync(many));
    const database = join(starts.folder, 'interrupted.db');
    const service = starts.start(['--port', '0', '--logs', logs, '--database', database]);
    await service.complained(/auth_logs: 1 entry/);
    const { code, stdout, stderr } = await stop(service);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe('auth_logs: 1 entry\n');
  });
});
