import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../cli/arguments/usage-error.ts';
import { runTail } from '../../cli/tail.ts';
import { makeGateway } from '../../functions/gateway.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { type Host, serve } from '../shared/http/support/hosts.ts';
import { ENDPOINTS, makeTestService, rowsOf, TOKEN } from '../shared/http/support/test-service.ts';
import { runHere } from './support/run-here.ts';
import { type RunningLqe, runLqe } from './support/run-lqe.ts';

/** What the log holds; tests add to it. */
const log: { id: string; timestamp: number; event_message: string }[] = [];
const trouble: { next: ServiceError | null } = { next: null };
const sql = `with edge_logs as (
  select @project as id, @iso_timestamp_start as timestamp, @project as event_message, @project as metadata
) select 1`;
const service = makeTestService({
  endpoints: ENDPOINTS.map((endpoint) => (endpoint.name === 'logs.all' ? { ...endpoint, sql } : endpoint)),
  run: async ({ parameters }) => {
    const failure = trouble.next;
    trouble.next = null;
    if (failure !== null) throw failure;
    if (parameters.get('project')?.value === 'columns') return rowsOf('{"id":"a"}');
    const start = Number(parameters.get('iso_timestamp_start')?.value ?? 0);
    const end = Number(parameters.get('iso_timestamp_end')?.value ?? Number.MAX_SAFE_INTEGER);
    const found = log.filter(({ timestamp }) => timestamp > start && timestamp <= end);
    return rowsOf(...found.sort((a, b) => b.timestamp - a.timestamp).map((entry) => JSON.stringify(entry)));
  },
});
const hosts: Host[] = [];
let cwd: string;
beforeAll(async () => {
  hosts.push(await serve(makeGateway(service)));
  cwd = await mkdtemp(join(tmpdir(), 'lqe-tail-'));
});
afterAll(async () => {
  await hosts[0]?.close();
  await rm(cwd, { recursive: true });
});
beforeEach(() => {
  log.length = 0;
  trouble.next = null;
});

const add = (id: string, agoMs = 0) =>
  void log.push({ id, timestamp: (Date.now() - agoMs) * 1000, event_message: `message ${id}\u001b` });
const env = () => ({ LQE_URL: `http://127.0.0.1:${hosts[0]?.port}`, LQE_TOKEN: TOKEN });
const tail = (...argv: readonly string[]): RunningLqe =>
  runLqe(['tail', 'logs.all', '--project', 'demo', '--interval', '1s', ...argv], { cwd, env: env() });

describe('lqe tail', () => {
  test('prints the newest entries and then each new one once, until Ctrl-C', async () => {
    for (const [index, id] of ['a', 'b', 'c'].entries()) add(id, 3000 - index * 1000);
    const running = tail('--lines', '2');
    await running.printed(/"id":"c"/);
    add('late', 10_000);
    add('d');
    await running.printed(/"id":"d"/);
    trouble.next = new ServiceError('unavailable', 'The warehouse is away.');
    await running.complained(/The warehouse is away. Trying again/);
    add('e');
    await running.printed(/"id":"e"/);
    running.signal('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual(['b', 'c', 'late', 'd', 'e']);
  });

  test('prints lines for people, without what would act on a terminal, until SIGTERM', async () => {
    add('a');
    const running = tail('--format', 'text', '--lql', 'f:edge_logs message');
    const [line] = await running.printed(/^.*\n/);
    expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z {2}message a\\u\{1b\}\n$/);
    running.signal('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  const here = (...argv: readonly string[]) => runHere(runTail, argv, { env: env() });

  test.each<[string, readonly string[], number, string]>([
    ['a wrong token', ['logs.all', '--project', 'demo', '--token-file', '/dev/fd/none'], 2, 'cannot be read'],
    ['another source', ['logs.all', '--project', 'demo', '--source', 'postgres'], 1, 'postgres'],
    ['LQL that is wrong', ['logs.all', '--project', 'demo', '--lql', 'f:edge_logs m.:'], 1, '^'],
    [
      'columns that do not tell entries apart',
      ['logs.all', '--project', 'columns', '--lql', 'f:edge_logs s:id'],
      1,
      's:',
    ],
  ])('ends for %s', async (_, argv, expected, words) => {
    add('a');
    const ended = here(...argv).catch((error: unknown) => {
      if (error instanceof UsageError) return { code: 2, stderr: error.message };
      throw error;
    });
    const { code, stderr } = await ended;
    expect(code).toBe(expected);
    expect(stderr).toContain(words);
  });

  test.each<[readonly string[], string]>([
    [[], 'needs ENDPOINT'],
    [['logs.all', '--lines', '101'], '--lines takes a whole number from 0 to 100'],
    [['logs.all', '--interval', '0s'], '--interval takes a time span'],
    [['logs.all', '--late', 'long'], '--late takes a time span'],
    [['logs.all', '--source', 'a`b'], '--source takes the name of a source'],
    [['logs.all', '--sql', 'select 1'], "no option '--sql'"],
    [['logs.all', '--param', 'iso_timestamp_start=2026-01-01'], 'are set by tail itself'],
  ])('refuses %j', async (argv, words) => {
    await expect(here(...argv)).rejects.toThrow(words);
  });
});
