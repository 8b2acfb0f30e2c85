import { randomUUID } from 'node:crypto';
import { appendFileSync, copyFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningLqe, runLqe } from './support/run-lqe.ts';
import { lines, makeStarts, type Starts, stop, urlOf } from './support/starts.ts';

let starts: Starts;
beforeAll(async () => {
  starts = await makeStarts();
});
afterAll(() => starts.end());

const TOKEN = 'token-of-the-follow-tests';
/** The machine may be busy with other tests. */
const ENV = {
  ...{ LQE_TOKEN: TOKEN, LQE_DEADLINE: '600000', LQE_SQL_DEADLINE: '600000' },
  ...{ LQE_SQL_CPU: '100000', LQE_SQL_WAITING: '1000' },
};
const WAIT_MS = 60_000;
const SQL = 'SELECT event_message AS m FROM edge_logs ORDER BY CAST(event_message AS INT64) LIMIT 1000';

/** An entry without an id, whose message is a number. */
const entry = (message: number) => ({
  timestamp: '2024-05-01T12:00:00Z',
  project: 'mine',
  event_message: String(message),
});

async function messages(url: string): Promise<readonly number[]> {
  const parameters = new URLSearchParams({ project: 'mine', sql: SQL });
  const answer = await fetch(`${url}/api/endpoints/query/logs.all?${parameters}`, {
    headers: { 'x-api-key': TOKEN },
  });
  const { result } = (await answer.json()) as { result: { m: string }[] };
  return result.map(({ m }) => Number(m));
}

async function expectMessages(url: string, expected: readonly number[]): Promise<void> {
  const endMs = performance.now() + WAIT_MS;
  let found = await messages(url);
  while (JSON.stringify(found) !== JSON.stringify(expected) && performance.now() < endMs) {
    await sleep(50);
    found = await messages(url);
  }
  expect(found).toEqual(expected);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('lqe start --follow', () => {
  test('reads on files that grow, are renamed and truncated, for queries and lqe tail', async () => {
    const logs = await starts.folderOf('growing', { 'edge_logs.ndjson': lines(entry(1)) });
    const path = join(logs, 'edge_logs.ndjson');
    const service = starts.start(['--port', '0', '--logs', logs], { ...ENV, LQE_FOLLOW: 'true' });
    const url = await urlOf(service);
    expect(service.stdout).toContain(`New entries are read as the files in ${logs} grow.`);
    await expectMessages(url, [1]);
    appendFileSync(path, lines(entry(2)));
    await expectMessages(url, upTo(2));

    const tail = runLqe(['tail', 'logs.all', '--project', 'mine', '--url', url], {
      env: { LQE_TOKEN: TOKEN },
      cwd: logs,
    });
    try {
      const timestamp = new Date().toISOString();
      appendFileSync(path, lines({ ...entry(3), timestamp }));
      const [shown] = await tail.printed(/\{.*"event_message":"3".*\}/);
      expect(JSON.parse(shown)).toMatchObject({ timestamp: Date.parse(timestamp) * 1000 });
    } finally {
      tail.signal('SIGINT');
      await tail.ended;
    }

    renameSync(path, `${path}.1`);
    appendFileSync(`${path}.1`, lines(entry(4)));
    writeFileSync(path, lines(entry(5)));
    await expectMessages(url, upTo(5));
    copyFileSync(path, `${path}.2`);
    truncateSync(path);
    appendFileSync(path, lines(entry(6)));
    await expectMessages(url, upTo(6));
    appendFileSync(path, 'not JSON\n');
    await service.complained(/edge_logs\.ndjson, line 2: it is not JSON/);
    const { code } = await stop(service);
    expect(code).toBe(0);
  });

  test('takes each line once, however often it is killed', async () => {
    const logs = await starts.folderOf('killed', { 'edge_logs.ndjson': lines(entry(1)) });
    const path = join(logs, 'edge_logs.ndjson');
    const argv = ['--port', '0', '--logs', logs, '--follow', '--database', join(starts.folder, 'killed.db')];
    const start = () => starts.start(argv, ENV);
    let written = 1;
    const write = (count: number) => {
      for (let index = 0; index < count; index += 1) {
        written += 1;
        appendFileSync(path, lines(entry(written)));
      }
    };
    for (let kill = 0; kill < 4; kill += 1) {
      const service: RunningLqe = start();
      await urlOf(service);
      // From before the first look at the folder to after positions were written.
      write(20);
      await sleep(kill * 450);
      write(20);
      service.signal('SIGKILL');
      await service.ended;
      write(5);
      if (kill !== 1) continue;
      renameSync(path, join(logs, `edge_logs.${randomUUID()}.old`));
    }
    const service = start();
    const url = await urlOf(service);
    await expectMessages(url, upTo(written));
    expect((await stop(service)).code).toBe(0);

    const without = await starts.start(argv.filter((argument) => argument !== '--follow')).ended;
    expect(without.code).toBe(2);
    expect(without.stderr).toMatch(/^lqe: .*killed\.db: it keeps entries that were followed .* add --follow/);
  });

  test.each([
    [[], /^lqe: --logs \(or LQE_LOGS\) is missing; --follow needs the folder whose files it reads on\n$/],
    [
      [
        '--logs',
        '.',
        '--warehouse',
        'bigquery',
        '--google-project',
        'my-project',
        '--bigquery-dataset',
        'logs',
      ],
      /^lqe: --follow \(or LQE_FOLLOW\) reads log files into the local database; leave out --warehouse \(or LQE_WAREHOUSE\)\n$/,
    ],
    [['--logs', 'nowhere'], /^lqe: --logs \(or LQE_LOGS\) was given 'nowhere', which does not exist/],
  ])('with %j is refused in one line', async (argv, message) => {
    const { code, stderr } = await starts.start(['--port', '0', '--follow', ...argv]).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
