import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callRaw, close, listen } from '../shared/http/support/http-client.ts';
import { freePort } from '../support/free-port.ts';

const TOKEN = 'token-of-the-tests-of-stopping';
const ANSWER = JSON.stringify({
  jobComplete: true,
  schema: {
    fields: ['id', 'timestamp', 'event_message', 'metadata'].map((name) => ({ name, type: 'STRING' })),
  },
  rows: [{ f: [{ v: 'one' }, { v: null }, { v: null }, { v: null }] }],
  totalBytesProcessed: '0',
  totalBytesBilled: '0',
});

/** Stands for BigQuery, and keeps each query waiting until the test lets it go. */
const waiting: ServerResponse[] = [];
const warehouse = createServer((req, res) => {
  req.resume();
  waiting.push(res);
});

let folder: string;
let warehousePort: number;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stopping-'));
  await promisify(execFile)(process.execPath, ['build/run.ts', folder]);
  await symlink(resolve('node_modules'), join(folder, 'logs-all', 'node_modules'));
  warehousePort = await listen(warehouse);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await close(warehouse);
  await rm(folder, { recursive: true });
});

/** Starts a function as the platform does: the framework's own program, in the function's folder. */
async function start(cwd: string, target: string) {
  const port = await freePort();
  const framework = resolve('node_modules/@google-cloud/functions-framework/build/src/main.js');
  const child = spawn(process.execPath, [framework, `--target=${target}`, `--port=${port}`], {
    cwd,
    env: {
      PATH: process.env.PATH,
      BIGQUERY_EMULATOR_HOST: `127.0.0.1:${warehousePort}`,
      METADATA_SERVER_DETECTION: 'none',
      LQE_WAREHOUSE: 'bigquery',
      LQE_GOOGLE_PROJECT: 'some-project',
      LQE_BIGQUERY_DATASET: 'logs',
      LQE_TOKENS: join(folder, 'tokens.json'),
      LQE_TOKEN: TOKEN,
      LQE_LOG_FORMAT: 'json',
    },
  });
  children.push(child);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (log += String(data)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, log }));
  while (!log.includes('URL:')) {
    if (child.exitCode !== null) throw new Error(log);
    await new Promise((next) => setTimeout(next, 10));
  }
  return { child, port, ended };
}

/** Of a project each, or they would share one query. */
const logsOf = (project: string) =>
  `GET /api/endpoints/query/logs.all?project=${project}&iso_timestamp_start=2026-01-01 HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${TOKEN}\r\n\r\n`;

async function queryUnderWay(port: number) {
  const before = waiting.length;
  const answer = callRaw(port, logsOf(`p${before}`)).catch(() => 'lost');
  while (waiting.length === before) await new Promise((next) => setTimeout(next, 5));
  return { answer, res: waiting.at(-1) };
}

describe.each([
  ['a bundle', () => join(folder, 'logs-all'), 'logs-all'],
  ['a function out of the sources', () => process.cwd(), 'gateway'],
])('%s that is stopped while it answers', (_, folderOf, target) => {
  test.each(['SIGTERM', 'SIGINT'] as const)('gives the answer first, on %s', async (signal) => {
    const { child, port, ended } = await start(folderOf(), target);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    // The first request makes the service; the framework hands the second one to the handler directly.
    const first = await queryUnderWay(port);
    const second = await queryUnderWay(port);
    child.kill(signal);
    await once(idle, 'close');
    await expect(callRaw(port, logsOf('late'))).rejects.toThrow('ECONNREFUSED');
    for (const { res } of [first, second]) {
      res?.setHeader('Content-Type', 'application/json').end(ANSWER);
    }
    for (const { answer } of [first, second]) {
      expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"id":"one"/);
    }
    const { code, log } = await ended;
    expect([code, log.match(/"severity":"INFO"/g)?.length]).toEqual([0, 2]);
  });

  test('ends at once at the second signal', async () => {
    const { child, port, ended } = await start(folderOf(), target);
    const { answer } = await queryUnderWay(port);
    child.kill('SIGTERM');
    while (await isListening(port));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(143);
    expect(await answer).not.toContain('result');
  });
});

describe.each([
  ['a bundle', () => join(folder, 'logs-all'), 'logs-all'],
  ['a function out of the sources', () => process.cwd(), 'gateway'],
])('%s answers in our envelope, from its first request on,', (_, folderOf, target) => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n', 417],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['headers too large', `GET / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (_name, bytes, code) => {
    const { child, port, ended } = await start(folderOf(), target);
    const text = await callRaw(port, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${code} [\\s\\S]*\\{"error":\\{"code":${code},`));
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
