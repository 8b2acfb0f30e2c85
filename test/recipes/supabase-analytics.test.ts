import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningLqe, runLqe } from '../cli/support/run-lqe.ts';

const run = promisify(execFile);
const page = readFileSync('docs/supabase-analytics.md', 'utf8');
const [tokenCommands = '', databaseCommands = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, code = '']) => code,
);
const [, fragment = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];

/**
 * What the Vector configuration of a self-hosted Supabase stack makes of a line of each container's log. Every event has
 * a project and the name of its container.
 */
const EVENTS: Readonly<Record<string, object>> = {
  'cloudflare.logs.prod': {
    project: 'default',
    event_message:
      '172.18.0.1 - - [01/Feb/2026:12:00:00 +0000] "GET /rest/v1/todos HTTP/1.1" 200 2 "-" "curl"',
    metadata: {
      request: {
        headers: { referer: '-', user_agent: 'curl', cf_connecting_ip: '172.18.0.1' },
        ...{ method: 'GET', path: '/rest/v1/todos', protocol: 'HTTP/1.1' },
      },
      response: { status_code: 200 },
    },
  },
  'gotrue.logs.prod': {
    project: 'default',
    event_message: '{"level":"info","msg":"request completed"}',
    metadata: {
      ...{ component: 'api', duration: 1_520_000, level: 'info', method: 'POST', msg: 'request completed' },
      ...{ path: '/token', referer: 'http://localhost:3000', remote_addr: '172.18.0.1', status: 200 },
      timestamp: '2026-02-01T12:00:00Z',
    },
  },
  'postgREST.logs.prod': {
    project: 'default',
    event_message: 'Schema cache loaded',
    metadata: { host: 'default' },
  },
  'postgres.logs': {
    project: 'default',
    event_message: 'ERROR: relation "nowhere" does not exist',
    metadata: {
      host: 'db-default',
      parsed: { timestamp: '2026-02-01T12:00:00.000Z', error_severity: 'ERROR' },
    },
  },
  'realtime.logs.prod': {
    event_message: 'Connected',
    metadata: { project: 'default', external_id: 'default', level: 'info' },
  },
  'storage.logs.prod.2': {
    event_message: 'GET | 200 | /status',
    metadata: {
      ...{ project: 'default', tenantId: 'default', level: 'info', timestamp: '2026-02-01T12:00:00Z' },
      context: [{ host: 'storage', pid: 1 }],
    },
  },
  'deno-relay-logs': { event_message: 'served', metadata: { project_ref: 'default' } },
};

let folder: string;
let service: RunningLqe;
let url: string;
const tokens: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'supabase-'));
  // `npx lqe` as it is where the package is installed.
  const npx = `npx() { shift; '${process.execPath}' '${resolve('bin/lqe.js')}' "$@"; }\n`;
  const issued = await run('sh', ['-ec', npx + tokenCommands], { cwd: folder });
  tokens.push(...(issued.stdout + issued.stderr).match(/\blqe_[\w-]{20,}/g)!);
  await run('sh', ['-ec', npx + databaseCommands], { cwd: folder });
  await cp(join(folder, '.lqe/tokens.json'), join(folder, 'volumes/lqe/tokens.json'));
  const [, command = ''] = /^ +command: npx lqe (.+)$/m.exec(fragment) ?? [];
  const argv = command
    .replace('--host 0.0.0.0 --port 4000', '--host 127.0.0.1 --port 0')
    .replaceAll('/lqe/', `${folder}/volumes/lqe/`);
  expect(argv).toContain('--port 0');
  service = runLqe(argv.split(' '), { cwd: join(folder, 'volumes/lqe') });
  [, url = ''] = await service.printed(/^Listening on (\S+) /m);
});
afterAll(async () => {
  service.signal('SIGTERM');
  await service.ended;
  await rm(folder, { recursive: true });
});

/** The sources of the page's table of sinks, by the name that Vector uses. */
const SINKS = new Map(
  [...page.matchAll(/^\| `([^`]+)` \| `(\w+)`/gm)].map(([, name = '', source = '']) => [name, source]),
);

describe('in the place of the analytics container', () => {
  test('the commands of the page issue two tokens and load an empty database', () => {
    expect(tokens).toHaveLength(2);
    expect(service.stdout).toContain('the logs that the database file holds');
  });

  test('the health check of the fragment passes while the service is ready, and fails at another address', async () => {
    const [, list = ''] = /^ +test: (\[.+\])$/m.exec(fragment) ?? [];
    const [kind, , ...argv] = JSON.parse(list) as string[];
    expect(kind).toBe('CMD');
    const check = (address: string) =>
      run(
        process.execPath,
        argv.map((argument) => argument.replace('http://localhost:4000', address)),
      );
    await check(url);
    await expect(check('http://127.0.0.1:9')).rejects.toThrow('Command failed');
  });

  test.each(Object.keys(EVENTS))(
    'the events of %s are taken, and Studio finds them in their source',
    async (name) => {
      const [studio = '', vector = ''] = tokens;
      const event = { ...EVENTS[name], appname: 'supabase', timestamp: '2026-02-01T12:00:00Z' };
      const posted = await fetch(`${url}/api/logs?source_name=${name}`, {
        method: 'POST',
        headers: { 'x-api-key': vector, 'content-type': 'application/json' },
        body: JSON.stringify([event]),
      });
      expect([posted.status, await posted.json()]).toEqual([
        200,
        { message: 'Logged!', taken: 1, duplicates: 0 },
      ]);
      const parameters = new URLSearchParams({
        project: 'default',
        iso_timestamp_start: '2026-02-01T11:00:00Z',
        iso_timestamp_end: '2026-02-01T13:00:00Z',
        sql: `select id, event_message, s.timestamp, m.appname from ${SINKS.get(name)} as s cross join unnest(metadata) as m limit 100`,
      });
      const answer = await fetch(`${url}/api/endpoints/query/logs.all?${parameters}`, {
        headers: { 'x-api-key': studio },
      });
      const { event_message } = event as { event_message?: string };
      expect(await answer.json()).toEqual({
        result: [
          {
            id: expect.any(String),
            event_message,
            timestamp: Date.UTC(2026, 1, 1, 12) * 1000,
            appname: 'supabase',
          },
        ],
      });
    },
  );

  test('each token is refused what the other one is for', async () => {
    const [studio = '', vector = ''] = tokens;
    const write = await fetch(`${url}/api/logs?source_name=postgres.logs`, {
      ...{ method: 'POST', headers: { 'x-api-key': studio }, body: '[]' },
    });
    const read = await fetch(`${url}/api/endpoints/query/logs.all?project=default`, {
      headers: { 'x-api-key': vector },
    });
    expect([write.status, read.status]).toEqual([403, 403]);
  });
});
