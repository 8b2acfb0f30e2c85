import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { guardFrameworkServers } from '../../../../shared/http/server/framework-server.ts';
import { guardServer } from '../../../../shared/http/server/guard-server.ts';
import { SERVER_LIMITS } from '../../../../shared/http/server/server-limits.ts';
import { close, listen } from '../support/http-client.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listening(limits: typeof SERVER_LIMITS | null) {
  const server = createServer();
  if (limits !== null) guardServer(server, limits);
  const process = Object.assign(new EventEmitter(), { pid: 1 }) as unknown as NodeJS.Process;
  ends.push(guardFrameworkServers(process, async () => {}));
  await listen(server);
  ends.push(() => close(server));
  return server;
}

test('a server that somebody else makes has its limits once it listens', async () => {
  const server = await listening(null);
  expect(server.requestTimeout).toBe(SERVER_LIMITS.requestTimeoutMs);
  expect(server.listenerCount('checkExpectation')).toBe(1);
});

test('a server that has limits keeps them', async () => {
  const server = await listening({ ...SERVER_LIMITS, requestTimeoutMs: 1234 });
  expect(server.requestTimeout).toBe(1234);
  expect(server.listenerCount('checkExpectation')).toBe(1);
});
