import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../cli/arguments/usage-error.ts';
import { runQuery } from '../../cli/query.ts';
import { makeGateway } from '../../functions/gateway.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { WarehouseQuery } from '../../shared/warehouse/warehouse.ts';
import { type Host, serve } from '../shared/http/support/hosts.ts';
import { close, listen } from '../shared/http/support/http-client.ts';
import { makeTestService, rowsOf, TOKEN } from '../shared/http/support/test-service.ts';
import { type EndedHere, type RunHere, runHere } from './support/run-here.ts';

const ROWS = ['{"id":"a","big":12345678901234567890,"x":1.0}', '{"id":"b\\u001b[2J","big":1,"x":null}'];

/** What a terminal is told before and after bold text. */
const BOLD = ['\u001b[1m', '\u001b[22m'] as const;

const asked: WarehouseQuery[] = [];
const service = makeTestService({
  run: async (query) => {
    asked.push(query);
    const project = query.parameters.get('project')?.value;
    if (project === 'away') throw new ServiceError('unavailable', 'The warehouse is away.');
    return { ...rowsOf(...(project === 'empty' ? [] : ROWS)), truncated: project === 'many' };
  },
});
const hosts: Host[] = [];
let folder: string;
beforeAll(async () => {
  hosts.push(await serve(makeGateway(service)));
  folder = await mkdtemp(join(tmpdir(), 'lqe-query-'));
});
afterAll(async () => {
  await hosts[0]?.close();
  await rm(folder, { recursive: true });
});

const url = () => `http://127.0.0.1:${hosts[0]?.port}`;
const query = (argv: readonly string[], options: RunHere = {}): Promise<EndedHere> =>
  runHere(runQuery, argv, { ...options, env: { LQE_URL: url(), LQE_TOKEN: TOKEN, ...options.env } });
const demo = ['logs.all', '--project', 'demo'];
const lastParameters = () =>
  Object.fromEntries([...(asked.at(-1)?.parameters ?? [])].map(([name, { value }]) => [name, value]));

describe('the rows of lqe query', () => {
  test.each([
    ['ndjson', `${ROWS.join('\n')}\n`],
    ['json', `{"result":[${ROWS.join(',')}]}\n`],
    [
      'table',
      'id                           big  x\na           12345678901234567890  1\nb\\u{1b}[2J                     1\n',
    ],
  ])('as %s', async (format, stdout) => {
    expect(await query([...demo, '--format', format])).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('are NDJSON where they go to no terminal, and a table where they do', async () => {
    expect((await query(demo)).stdout).toBe(`${ROWS.join('\n')}\n`);
    const { stdout, stderr } = await query(demo, { isTerminal: true });
    expect(stdout).toContain(`${BOLD[0]}id                           big  x${BOLD[1]}\n`);
    expect(stderr).toMatch(/2 rows in \d+ ms, cache BYPASS/);
  });

  test('have no colours with NO_COLOR', async () => {
    const { stdout, stderr } = await query(demo, { isTerminal: true, env: { NO_COLOR: '1' } });
    expect(stdout + stderr).not.toContain('\u001b');
  });

  test('may be none', async () => {
    const empty = ['logs.all', '--project', 'empty', '--format'];
    expect((await query([...empty, 'json'])).stdout).toBe('{"result":[]}\n');
    expect((await query([...empty, 'table'])).stdout).toBe('');
    expect((await query([...empty, 'ndjson'])).stdout).toBe('');
  });

  test('that are cut off are reported', async () => {
    const { code, stderr } = await query(['logs.all', '--project', 'many']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^There are more rows than one answer may hold/);
  });
});

describe('the request of lqe query', () => {
  test('has the parameters that options name', async () => {
    await query([...demo, '--from', '2026-01-01', '--to=2026-01-02T00:00:00Z']);
    expect(lastParameters()).toMatchObject({
      project: 'demo',
      iso_timestamp_start: 1_767_225_600_000_000n,
      iso_timestamp_end: 1_767_312_000_000_000n,
    });
    const { stderr } = await query([
      'usage.api-counts',
      '--param',
      'interval=daily',
      '--param',
      'project=a=b',
    ]);
    expect(lastParameters()).toMatchObject({ interval: 'daily', project: 'a=b' });
    expect(stderr).toBe('');
  });

  test("counts --last back from the service's clock, not from this machine's", async () => {
    await query([...demo, '--last', '15m']);
    expect(lastParameters().iso_timestamp_start).toBe(service.nowMicros() - 900_000_000n);
  });

  test('counts --last back from the time of the answer where a service has no catalogue', async () => {
    const targets: URL[] = [];
    const server = createServer((req, res) => {
      const target = new URL(req.url ?? '', 'http://localhost');
      targets.push(target);
      res.setHeader('Date', 'Sat, 31 Jan 2026 12:10:00 GMT');
      if (target.pathname.startsWith('/explorer/')) res.writeHead(404).end('{}');
      else res.writeHead(200, { 'X-Row-Count': '0' }).end('');
    });
    const port = await listen(server);
    const { code } = await query([...demo, '--last', '1h'], { env: { LQE_URL: `http://127.0.0.1:${port}` } });
    await close(server);
    expect(code).toBe(0);
    expect(targets.at(-1)?.searchParams.get('iso_timestamp_start')).toBe('2026-01-31T11:10:00.000Z');
  });

  test('asks for the clock only where --last needs it', async () => {
    const paths: string[] = [];
    const server = createServer((req, res) => {
      paths.push(new URL(req.url ?? '', 'http://localhost').pathname);
      res.writeHead(200, { 'X-Row-Count': '0' }).end('');
    });
    const port = await listen(server);
    await query(demo, { env: { LQE_URL: `http://127.0.0.1:${port}` } });
    await close(server);
    expect(paths).toEqual(['/api/endpoints/query/logs.all']);
  });

  test('reports parameters that the endpoint does not have', async () => {
    const { code, stderr } = await query([...demo, '--param', 'nöpe=1', '--last', '1h']);
    expect(code).toBe(0);
    expect(stderr).toBe('The endpoint has no such parameter, so it was ignored: nöpe\n');
  });

  test.each([
    ['--sql', 'select id from edge_logs'],
    ['--lql', 'f:edge_logs timeout'],
  ])('has the query of %s, given or on standard input', async (option, text) => {
    await query([...demo, option, text]);
    const given = asked.at(-1)?.sql;
    await query([...demo, option, '-'], { stdin: text });
    expect(asked.at(-1)?.sql).toBe(given);
    expect(given).toContain('edge_logs');
  });

  test('has the token of a file before that of the environment', async () => {
    const file = join(folder, 'token');
    await writeFile(file, `${TOKEN}\n`);
    const env = { LQE_TOKEN: 'another-token-that-is-none' };
    expect((await query([...demo, '--token-file', file], { env })).code).toBe(0);
    expect((await query(demo, { env })).code).toBe(1);
  });

  test('explains in place of running', async () => {
    const { code, stdout } = await query([...demo, '--explain', '--sql', 'select id from edge_logs']);
    expect([code, JSON.parse(stdout).sources]).toEqual([0, ['edge_logs']]);
  });
});

describe('lqe query fails', () => {
  test('with the place in the query underlined', async () => {
    const { code, stdout, stderr } = await query([...demo, '--sql', 'select\n  nope from edge_logs']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Unrecognized name: nope.*\n {2}2 \| {3}nope from edge_logs\n {4}\| {3}\^{4}\n$/);
  });

  test.each<[string, readonly string[], Record<string, string>, number, string]>([
    ['an unknown endpoint', ['no.such', '--project', 'demo'], {}, 1, 'endpoint'],
    ['a missing parameter', ['logs.all'], {}, 1, '--project is missing'],
    ['a wrong token', demo, { LQE_TOKEN: 'wrong' }, 1, 'token is unknown'],
    ['a warehouse that is away', ['logs.all', '--project', 'away'], {}, 3, 'The warehouse is away.'],
    ['a service that is not there', demo, { LQE_URL: 'http://127.0.0.1:1' }, 3, 'cannot be reached'],
  ])('for %s', async (_, argv, env, expected, words) => {
    const { code, stdout, stderr } = await query(argv, { env });
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(words);
  });

  test.each<[string, readonly string[], RunHere, string]>([
    ['no endpoint', [], {}, 'needs ENDPOINT'],
    ['both languages', [...demo, '--sql', 'a', '--lql', 'b'], {}, 'not both'],
    ['a query of nothing', [...demo, '--sql', '-'], { stdin: ' \n' }, 'no query on standard input'],
    ['a query too long', [...demo, '--sql', '-'], { stdin: 'x'.repeat(1_048_577) }, 'longer than 1 MiB'],
    ['an invalid time', [...demo, '--from', 'yesterday'], {}, "--from was given 'yesterday'"],
    [
      'two starts',
      [...demo, '--from', '2026-01-01', '--last', '1h'],
      {},
      'iso_timestamp_start is given twice',
    ],
    ['a parameter twice', [...demo, '--param', 'project=x'], {}, 'project is given twice'],
    ['a parameter without a value', [...demo, '--param', 'x'], {}, 'NAME=VALUE'],
    ['sql as a parameter', [...demo, '--param', 'sql=x'], {}, 'use --sql'],
    ['a token as an option', [...demo, '--token', 'x'], {}, 'did you mean --token-file?'],
    ['no token', demo, { env: { LQE_TOKEN: '' } }, 'set LQE_TOKEN'],
    ['a token with a line break', demo, { env: { LQE_TOKEN: 'a\nb' } }, 'holds is not an access token'],
    ['a token file that is not there', [...demo, '--token-file', '/no/such'], {}, 'it does not exist'],
    ['a token file that is empty', [...demo, '--token-file', '/dev/null'], {}, 'is empty'],
    ['an invalid URL', [...demo, '--url', 'localhost:8080'], {}, 'takes a URL'],
    ['a URL with a password', [...demo, '--url', 'http://a:b@localhost'], {}, 'without user'],
    ['an invalid format', [...demo, '--format', 'xml'], {}, 'one of table, json, ndjson, csv'],
  ])('for %s, before it asks anything', async (_, argv, options, words) => {
    const before = asked.length;
    const refused = query(argv, options);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(words);
    await expect(refused).rejects.not.toThrow('a\nb');
    expect(asked).toHaveLength(before);
  });
});

describe('pages', () => {
  const answers = { headers: true, brokenAfter: Number.POSITIVE_INFINITY };
  const server = createServer((req, res) => {
    const at = new URL(req.url ?? '/', 'http://a');
    const page = Number(at.searchParams.get('cursor') ?? 1);
    const format = at.searchParams.get('format');
    if (page > answers.brokenAfter) {
      res.writeHead(410).end('{"error":{"code":410,"status":"NOT_FOUND","message":"Gone.","details":[]}}');
      return;
    }
    if (answers.headers) res.setHeader('X-Row-Count', '1');
    if (page < 3) {
      res.setHeader('X-Truncated', 'true');
      res.setHeader(
        'Link',
        `</api/endpoints/query/logs.all?cursor=${page + 1}&format=${format}>; rel="next"`,
      );
    }
    res.end(format === 'csv' ? `n,"a\r\nb"\r\n${page},\r\n` : `{"n":${page}}\n`);
  });
  const at: { port?: number } = {};
  beforeAll(async () => {
    at.port = await listen(server);
  });
  afterAll(() => close(server));
  const paged = (...argv: readonly string[]) =>
    query([...demo, ...argv], { env: { LQE_URL: `http://127.0.0.1:${at.port}` } });

  test.each([
    ['ndjson', '{"n":1}\n{"n":2}\n{"n":3}\n'],
    ['json', '{"result":[{"n":1},{"n":2},{"n":3}]}\n'],
    ['csv', 'n,"a\r\nb"\r\n1,\r\n2,\r\n3,\r\n'],
    ['table', 'n\n1\n2\n3\n'],
  ])('are followed with --all, as %s', async (format, stdout) => {
    expect(await paged('--all', '--format', format)).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('are reported without it', async () => {
    expect(await paged()).toEqual({
      code: 0,
      stdout: '{"n":1}\n',
      stderr: 'There are more rows than one answer may hold; --all follows them.\n',
    });
  });

  test('that end early fail, and JSON that would lack rows is not printed', async () => {
    answers.brokenAfter = 2;
    expect(await paged('--all')).toEqual({ code: 1, stdout: '{"n":1}\n{"n":2}\n', stderr: 'Gone.\n' });
    expect(await paged('--all', '--format', 'json')).toEqual({ code: 1, stdout: '', stderr: 'Gone.\n' });
    answers.brokenAfter = Number.POSITIVE_INFINITY;
  });

  test('of something else than the service are no rows', async () => {
    answers.headers = false;
    const { code, stdout, stderr } = await paged();
    answers.headers = true;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('does not come from this service');
  });
});

test('lqe query in a shell reads standard input, and ends quietly when its reader does', async () => {
  const command = `node ${resolve('cli/lqe.ts')} query logs.all --project demo --sql - | head -c 5`;
  const env = { PATH: process.env.PATH, HOME: folder, LQE_URL: url(), LQE_TOKEN: TOKEN };
  const running = promisify(execFile)(
    'bash',
    ['--norc', '-o', 'pipefail', '-c', `echo 'select id from edge_logs' | ${command}`],
    {
      env,
    },
  );
  expect(await running).toEqual({ stdout: '{"id"', stderr: '' });
});
