import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makePubSubApi } from '../../../../shared/ingest/pubsub/pubsub-api.ts';
import { makePubSubSink } from '../../../../shared/ingest/pubsub/pubsub-sink.ts';
import { tableSchema } from '../../../../shared/schema/table-schema.ts';
import { close, listen } from '../../http/support/http-client.ts';

const SCHEMAS = new Map([
  [
    'edge_logs',
    tableSchema.parse([
      { name: 'id', type: 'STRING', mode: 'REQUIRED' },
      { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
      { name: 'event_message', type: 'STRING' },
    ]),
  ],
]);

interface Call {
  readonly path: string;
  readonly messages: readonly unknown[];
}

/** What the server answers to each call in turn; 200 after these. */
let statuses: number[];
let calls: Call[];
const server = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { data: string }[] };
  const data = messages.map((message) => JSON.parse(Buffer.from(message.data, 'base64').toString()));
  calls.push({ path: req.url ?? '', messages: data });
  const status = statuses.shift() ?? 200;
  res
    .writeHead(status)
    .end(JSON.stringify(status === 200 ? { messageIds: data.map(String) } : { error: {} }));
});
let port: number;
beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => close(server));
beforeEach(() => {
  statuses = [];
  calls = [];
});

function open(host = `127.0.0.1:${port}`, deadlineMs = 20_000) {
  return makePubSubSink({
    api: makePubSubApi({ project: 'demo-lqe', emulatorHost: host }),
    schemas: SCHEMAS,
    topicPrefix: 'lqe-logs-',
    nowMicros: () => 1_767_225_600_000_000n,
    delayMs: () => 1,
    deadlineMs,
  });
}

const ENTRY = '{"id":"a","timestamp":"2026-01-01"}';

describe('makePubSubSink', () => {
  test('publishes an entry as a message of its topic', async () => {
    await expect(open().append('edge_logs', [ENTRY])).resolves.toEqual({ taken: 1, duplicates: 0 });
    expect(calls).toEqual([
      {
        path: '/v1/projects/demo-lqe/topics/lqe-logs-edge_logs:publish',
        messages: [{ id: 'a', timestamp: '2026-01-01T00:00:00Z' }],
      },
    ]);
  });

  test('publishes nothing when one entry is malformed', async () => {
    await expect(open().append('edge_logs', [ENTRY, '{"id":"b"}'])).rejects.toThrow('Entry 1, timestamp');
    expect(calls).toEqual([]);
  });

  test('makes as many calls as the limits of one need', async () => {
    await open().append('edge_logs', Array(2_001).fill(ENTRY));
    expect(calls.map(({ messages }) => messages.length)).toEqual([1_000, 1_000, 1]);
    calls = [];
    const long = JSON.stringify({ id: 'a', timestamp: '2026-01-01', event_message: 'x'.repeat(3_000_000) });
    await open().append('edge_logs', [long, long, long]);
    expect(calls.map(({ messages }) => messages.length)).toEqual([2, 1]);
  });

  test('tries again what may pass by itself', async () => {
    statuses = [503, 429];
    await open().append('edge_logs', [ENTRY]);
    expect(calls).toHaveLength(3);
  });

  test.each([
    ['a denial at once', [403], 1],
    ['a missing topic at once', [404], 1],
    ['a failure that stays', [500, 500, 500, 500, 500, 500], 4],
  ])('reports %s as unavailable, with the reason for the log alone', async (_, answers, count) => {
    statuses = [...answers];
    const error = await open()
      .append('edge_logs', [ENTRY])
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.not.stringContaining('lqe-logs') });
    expect(String((error as Error).cause)).toContain(`Pub/Sub answered ${answers[0]} for lqe-logs-edge_logs`);
    expect(calls).toHaveLength(count);
  });

  test('reports an unreachable service as unavailable', async () => {
    await expect(open('127.0.0.1:1').append('edge_logs', [ENTRY])).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  test('refuses a source without a table', async () => {
    await expect(open().append('__proto__', [ENTRY])).rejects.toMatchObject({ kind: 'invalid_argument' });
  });
});
