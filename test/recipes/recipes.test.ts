import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { updateTokenFile } from '../../shared/access/token-file.ts';
import { type RealService, startRealService } from '../data/support/real-service.ts';
import { tokenRecord } from '../shared/access/support/token-record.ts';
import { freePort } from '../support/free-port.ts';

const WRITER = 'lqe_test-token-that-writes-edge-logs-for-recipes';
const WAIT_MS = 60_000;

/** The blocks of code of docs/getting-logs-in.md under a heading. */
function recipe(heading: string): readonly string[] {
  const page = readFileSync('docs/getting-logs-in.md', 'utf8');
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

let folder: string;
let service: RealService;
let url: string;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recipes-'));
  const tokens = join(folder, 'tokens.json');
  await updateTokenFile(tokens, () => [tokenRecord(WRITER, { writes: ['edge_logs'] })]);
  const logs = await mkdtemp(join(folder, 'logs-'));
  service = await startRealService('--logs', logs, '--tokens', tokens);
  url = `http://localhost:${service.port}`;
});
afterEach(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.pid === undefined) continue;
    process.kill(-child.pid, 'SIGKILL');
    await once(child, 'close');
  }
  running.clear();
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Runs a program in the folder, with its children in a group of processes that ends with the test. */
function run(command: string, ...argv: readonly string[]): { child: ChildProcess; output: () => string } {
  const env = { PATH: process.env.PATH, BASE_URL: url, LQE_WRITE_TOKEN: WRITER };
  const child = spawn(command, argv, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += String(chunk);
    });
  }
  return { child, output: () => output };
}

async function runToEnd(command: string, ...argv: readonly string[]): Promise<string> {
  const { child, output } = run(command, ...argv);
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, code === 0 ? '' : output()]).toEqual([0, '']);
  return output();
}

async function expectRows(sql: string, expected: readonly object[], output = () => ''): Promise<void> {
  const parameters = new URLSearchParams({ project: 'demo', sql });
  const ask = async () => {
    const answer = (await service.ask('logs.all', parameters)).json() as { result?: unknown };
    return answer.result ?? answer;
  };
  const endMs = performance.now() + WAIT_MS;
  let rows = await ask();
  while (JSON.stringify(rows) !== JSON.stringify(expected) && performance.now() < endMs) {
    await sleep(100);
    rows = await ask();
  }
  expect([rows, output()]).toEqual([expected, expect.anything()]);
}

const entry = (message: string) => `${JSON.stringify({ id: message, project: 'demo', message })}\n`;
const messagesLike = (pattern: string) =>
  `select event_message as m from edge_logs where event_message like '${pattern}' order by event_message`;

describe('A shell loop', () => {
  const [loop = '', whole = ''] = recipe('A shell loop');

  test('sends each line of a file that grows and is rotated', async () => {
    const path = join(folder, 'app.ndjson');
    await writeFile(path, entry('loop 1'));
    const { output } = run('sh', '-c', loop);
    await expectRows(messagesLike('loop %'), [{ m: 'loop 1' }], output);
    await appendFile(path, entry('loop 2'));
    await expectRows(messagesLike('loop %'), [{ m: 'loop 1' }, { m: 'loop 2' }], output);
    await rename(path, `${path}.1`);
    await writeFile(path, entry('loop 3'));
    await expectRows(messagesLike('loop %'), [{ m: 'loop 1' }, { m: 'loop 2' }, { m: 'loop 3' }], output);
  });

  test('sends a whole file in one request', async () => {
    await writeFile(join(folder, 'app.ndjson'), entry('whole 1') + entry('whole 2'));
    const answer = await runToEnd('sh', '-c', whole);
    expect(JSON.parse(answer)).toEqual({ message: 'Logged!', taken: 2, duplicates: 0 });
    await expectRows(messagesLike('whole %'), [{ m: 'whole 1' }, { m: 'whole 2' }]);
  });
});

test('syslog-ng sends the messages that it receives', async () => {
  const [configuration = ''] = recipe('syslog-ng');
  const port = await freePort();
  const text = configuration
    .replace('localhost:8080', `localhost:${service.port}`)
    .replace('port(5514)', `port(${port})`);
  expect(text).toContain(`port(${port})`);
  await writeFile(join(folder, 'syslog-ng.conf'), text);
  const own = ['--persist-file', 'persist', '--control', 'control', '--pidfile', 'pid', '--no-caps'];
  const { output } = run('syslog-ng', '-F', '-f', 'syslog-ng.conf', ...own);
  const socket = await connect(port, output);
  socket.end('<11>Nov 23 03:20:01 web1 api: hello "syslog"\n<14>Nov 23 03:20:02 web1 api: syslog again\n');
  await expectRows(
    'select event_message as m, d.program, d.level from edge_logs cross join unnest(metadata) d where d.program is not null order by timestamp',
    [
      { m: 'hello "syslog"', program: 'api', level: 'err' },
      { m: 'syslog again', program: 'api', level: 'info' },
    ],
    output,
  );
});

describe('OpenTelemetry', () => {
  const [program = '', , file = ''] = recipe('OpenTelemetry');

  test("its exporter's records are entries", async () => {
    await symlink(resolve('test/recipes/node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'program.mjs'), program);
    await runToEnd(process.execPath, 'program.mjs');
    await expectRows(
      "select d.level, d.scope, d.service_name, d.order_id from edge_logs cross join unnest(metadata) d where event_message = 'payment refused'",
      [{ level: 'ERROR', scope: 'checkout', service_name: 'shop', order_id: 42 }],
    );
  });

  test('a file of its requests is sent as it is', async () => {
    const request = (message: string) => {
      const record = {
        body: { stringValue: message },
        attributes: [{ key: 'project', value: { stringValue: 'demo' } }],
      };
      return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
    };
    await writeFile(join(folder, 'otlp.json'), `${request('file 1')}\n${request('file 2')}\n`);
    expect(await runToEnd('sh', '-c', file)).toBe('{}');
    await expectRows(messagesLike('file %'), [{ m: 'file 1' }, { m: 'file 2' }]);
  });
});

async function connect(port: number, output: () => string): Promise<ReturnType<typeof createConnection>> {
  const endMs = performance.now() + WAIT_MS;
  for (;;) {
    const socket = createConnection({ port, host: '127.0.0.1' });
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      if (performance.now() > endMs) throw new Error(`nothing listens at ${port}: ${output()}`);
      await sleep(100);
    }
  }
}
