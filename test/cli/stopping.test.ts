import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callRaw } from '../shared/http/support/http-client.ts';
import { makeStarts, type Starts, urlOf } from './support/starts.ts';

const TOKEN = 'token-of-the-tests-of-stopping';
/** Is under way when the signal comes, if only because it has a process started for it. */
const slowSql = (rows: number) =>
  `select count(*) as n from edge_logs as a cross join (select id from edge_logs limit ${rows}) as b where length(a.id) + length(b.id) > 2`;
/** Seconds of work for any machine. */
const MANY_ROWS = 10_000;

let starts: Starts;
beforeAll(async () => {
  starts = await makeStarts();
});
afterAll(() => starts.end());

async function start() {
  const service = starts.start(['--port', '0', '--host', '127.0.0.1'], {
    LQE_TOKEN: TOKEN,
    LQE_MEMORY_LIMIT: '512',
  });
  const url = await urlOf(service);
  return { service, port: Number(new URL(url).port) };
}

function slow(port: number, id: string, rows = 200): Promise<string> {
  const path = `/api/endpoints/query/logs.all?project=demo&sql=${encodeURIComponent(slowSql(rows))}`;
  const headers = `Host: a\r\nX-API-KEY: ${TOKEN}\r\nX-Request-Id: ${id}\r\n`;
  return callRaw(port, `GET ${path} HTTP/1.1\r\n${headers}\r\n`);
}

describe('a service that is stopped while it answers', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('gives the answer first, on %s, and logs it', async (name) => {
    const { service, port } = await start();
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const answer = slow(port, `slow-${name}`);
    // The query is under way when one that came after it has its answer.
    await callRaw(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await callRaw(port, 'GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    service.signal(name);
    await once(idle, 'close');
    await expect(callRaw(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')).rejects.toThrow('ECONNREFUSED');
    expect(await answer).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*Connection: close\r\n[\s\S]*\{"result":\[\{"n":\d+\}\]\}$/,
    );
    const { code, stdout, stderr } = await service.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`"requestId":"slow-${name}"[^\\n]*\\n`));
  });

  test('ends at once at the second signal', async () => {
    const { service, port } = await start();
    const answer = slow(port, 'lost', MANY_ROWS).catch(() => 'lost');
    await callRaw(port, 'GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    service.signal('SIGTERM');
    while (await isListening(port));
    // One soon after the first may be its repetition.
    await new Promise((resolve) => setTimeout(resolve, 600));
    service.signal('SIGINT');
    const { signal } = await service.ended;
    expect(signal).toBe('SIGINT');
    expect(await answer).not.toContain('result');
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
