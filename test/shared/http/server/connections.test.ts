import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Connections } from '../../../../shared/http/server/connections.ts';
import { guardServer } from '../../../../shared/http/server/guard-server.ts';
import { SERVER_LIMITS } from '../../../../shared/http/server/server-limits.ts';
import { stopServer } from '../../../../shared/http/server/stop-server.ts';
import { close, listen } from '../support/http-client.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** A connection with what came on it. */
interface Client {
  readonly socket: Socket;
  text(): string;
  /** Resolves when the text matches. */
  received(pattern: RegExp): Promise<void>;
  readonly closed: Promise<void>;
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serve(maxConnections = SERVER_LIMITS.maxConnections) {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, res) => void waiting.push(res));
  const connections: Connections = guardServer(server, { ...SERVER_LIMITS, maxConnections });
  const port = await listen(server);
  ends.push(() => close(server).catch(() => {}));
  const client = async (): Promise<Client> => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const wakers = new Set<() => void>();
    socket.on('data', (chunk) => {
      text += chunk;
      for (const wake of wakers) wake();
    });
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    ends.push(async () => socket.destroy());
    const received = (pattern: RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => pattern.test(text) && resolve();
        wakers.add(look);
        look();
      });
    return { socket, text: () => text, received, closed };
  };
  const underWay = async (count: number) => {
    while (waiting.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { server, connections, client, waiting, underWay };
}

describe('more connections than a server takes', () => {
  test('close the one that has waited longest, and none with a request under way', async () => {
    const { client, waiting, underWay } = await serve(3);
    const busy = await client();
    busy.socket.write(GET);
    await underWay(1);
    const half = await client();
    half.socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    const silent = await client();
    const next = await client();
    await half.closed;
    next.socket.write(GET);
    await underWay(2);
    for (const res of waiting) res.end('done');
    await Promise.all([busy.received(/done$/), next.received(/done$/)]);
    expect(silent.socket.destroyed).toBe(false);
  });

  test('are answered with 503 where all the others are at work', async () => {
    const { client, waiting, underWay } = await serve(2);
    const busy = [await client(), await client()];
    for (const { socket } of busy) socket.write(GET);
    await underWay(2);
    const late = await client();
    await late.closed;
    expect(late.text()).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: \d[\s\S]*"code":503/);
    for (const res of waiting) res.end('done');
    await Promise.all(busy.map(({ received }) => received(/done$/)));
  });
});

describe('a server that is stopped', () => {
  test('gives the answers under way, and closes what waits for a request at once', async () => {
    const { server, connections, client, waiting, underWay } = await serve();
    const [busy, begun, idle, half] = [await client(), await client(), await client(), await client()];
    busy.socket.write(GET);
    begun.socket.write(GET);
    half.socket.write('GET / HTTP/1.1\r\n');
    await underWay(2);
    waiting[1]?.writeHead(200, { 'Content-Length': '10' }).write('first');
    await begun.received(/first$/);
    const stopped = stopServer(server, connections);
    await Promise.all([idle.closed, half.closed]);
    waiting[0]?.end('done');
    waiting[1]?.end('later');
    await stopped;
    await Promise.all([busy.closed, begun.closed]);
    expect(busy.text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close\r\n[\s\S]*done$/);
    expect(begun.text()).toMatch(/firstlater$/);
  });

  test('refuses what comes on a connection with a request under way', async () => {
    const { server, connections, client, waiting, underWay } = await serve();
    const busy = await client();
    busy.socket.write(GET);
    await underWay(1);
    waiting[0]?.writeHead(200, { 'Content-Length': '4' }).write('do');
    const stopped = stopServer(server, connections);
    busy.socket.write(GET);
    await new Promise((resolve) => setImmediate(resolve));
    waiting[0]?.end('ne');
    await stopped;
    await busy.closed;
    expect(waiting).toHaveLength(1);
    const [, refused] = busy.text().split('done');
    expect(refused).toMatch(
      /^(|HTTP\/1\.1 503 [\s\S]*Retry-After: \d+\r\n[\s\S]*Connection: close\r\n[\s\S]*"code":503[\s\S]*)$/,
    );
  });

  test('takes no new connections, and breaks off what does not end', async () => {
    const { server, connections, client, underWay } = await serve();
    const busy = await client();
    busy.socket.write(GET);
    await underWay(1);
    await stopServer(server, connections, 50);
    await busy.closed;
    expect(busy.text()).toBe('');
    expect(server.listening).toBe(false);
  });
});
