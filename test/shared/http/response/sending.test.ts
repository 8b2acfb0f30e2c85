import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { jsonReply, sendReply } from '../../../../shared/http/response/reply.ts';
import { close, listen } from '../support/http-client.ts';

const BYTES_PER_MIB = 1024 * 1024;

test.each([
  ['nobody reads', { sendTimeoutMs: 100, sendMsPerMib: 0 }],
  ['takes longer than its length allows', { sendTimeoutMs: 0, sendMsPerMib: 1 }],
])('the connection of an answer that %s is closed', async (_, limits) => {
  const closed = Promise.withResolvers<boolean>();
  const server = createServer((_req, res) => {
    res.once('close', () => closed.resolve(res.writableFinished));
    sendReply(res, 'GET', jsonReply(200, Buffer.alloc(64 * BYTES_PER_MIB)), [], limits);
  });
  const port = await listen(server);
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  socket.on('error', () => {});
  socket.pause();
  expect(await closed.promise).toBe(false);
  socket.destroy();
  await close(server);
});
