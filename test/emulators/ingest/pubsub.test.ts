import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeIngest } from '../../../functions/ingest.ts';
import { updateTokenFile } from '../../../shared/access/token-file.ts';
import { composeService, type Service } from '../../../shared/runtime/compose.ts';
import { loadConfig } from '../../../shared/runtime/config.ts';
import { processContext } from '../../../shared/runtime/config-context.ts';
import { tokenRecord } from '../../shared/access/support/token-record.ts';
import { type Host, serve } from '../../shared/http/support/hosts.ts';
import { type Answer, call } from '../../shared/http/support/http-client.ts';

const PROJECT = 'demo-lqe';
const WRITER = 'lqe_test-token-that-writes-through-pubsub';
const PREFIX = `lqe-${randomBytes(4).toString('hex')}-`;
const api = `http://${process.env.PUBSUB_EMULATOR_HOST}/v1/projects/${PROJECT}`;

async function ask(method: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${api}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** All messages of the subscription that were not pulled before. */
async function pulled(): Promise<readonly unknown[]> {
  const { receivedMessages = [] } = (await ask('POST', `subscriptions/${PREFIX}all:pull`, {
    maxMessages: 1_000,
    returnImmediately: true,
  })) as { receivedMessages?: readonly { ackId: string; message: { data: string } }[] };
  if (receivedMessages.length === 0) return [];
  await ask('POST', `subscriptions/${PREFIX}all:acknowledge`, {
    ackIds: receivedMessages.map(({ ackId }) => ackId),
  });
  const messages = receivedMessages.map(({ message }) =>
    JSON.parse(Buffer.from(message.data, 'base64').toString()),
  );
  return [...messages, ...(await pulled())];
}

let folder: string;
let service: Service;
let host: Host;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pubsub-'));
  const tokens = join(folder, 'tokens.json');
  await updateTokenFile(tokens, () => [tokenRecord(WRITER, { writes: ['edge_logs', 'auth_logs'] })]);
  await ask('PUT', `topics/${PREFIX}edge_logs`, {});
  await ask('PUT', `subscriptions/${PREFIX}all`, { topic: `projects/${PROJECT}/topics/${PREFIX}edge_logs` });
  const env = {
    LQE_WAREHOUSE: 'bigquery',
    LQE_GOOGLE_PROJECT: PROJECT,
    LQE_BIGQUERY_DATASET: 'logs',
    LQE_TOKENS: tokens,
    LQE_INGEST_TOPICS: PREFIX,
    PUBSUB_EMULATOR_HOST: process.env.PUBSUB_EMULATOR_HOST,
    BIGQUERY_EMULATOR_HOST: process.env.BIGQUERY_EMULATOR_HOST,
  };
  service = await composeService(loadConfig([], env, processContext(false)), {
    writeLog: () => {},
    progress: () => {},
    warn: () => {},
    signal: new AbortController().signal,
  });
  host = await serve(makeIngest(service));
});
afterAll(async () => {
  await host?.close();
  await service?.close();
  await rm(folder, { recursive: true });
});

const post = (
  body: string | Buffer,
  headers: object = {},
  source = 'cloudflare.logs.prod',
): Promise<Answer> =>
  call(host.port, `/api/logs?source_name=${source}`, {
    method: 'POST',
    headers: { 'X-API-KEY': WRITER, 'Content-Type': 'application/json', ...headers },
    body,
  });

describe('the function ingest on Pub/Sub', () => {
  test('publishes entries in the form of the table before it answers', async () => {
    const timestamp = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
    const entry = {
      id: 'a',
      timestamp,
      message: 'm',
      project: 'demo',
      appname: 'kong',
      metadata: { request: { method: 'GET' } },
    };
    const answer = await post(gzipSync(JSON.stringify([entry])), { 'Content-Encoding': 'gzip' });
    expect([answer.status, answer.json()]).toEqual([200, { message: 'Logged!', taken: 1, duplicates: 0 }]);
    expect(await pulled()).toEqual([
      {
        id: 'a',
        timestamp,
        event_message: 'm',
        project: 'demo',
        metadata: [{ request: [{ method: 'GET' }] }],
      },
    ]);
  });

  test('publishes more entries than one call takes', async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => JSON.stringify({ id: index }));
    expect((await post(lines.join('\n'))).json()).toMatchObject({ taken: 2_500 });
    expect(await pulled()).toHaveLength(2_500);
  });

  test('publishes nothing of a batch with a malformed entry', async () => {
    const answer = await post('[{"id":"a"},{"metadata":{"response":{"status_code":"x"}}}]');
    expect(answer.json()).toMatchObject({
      error: { details: [{ entry: 1, field: 'metadata.response.status_code' }] },
    });
    expect(await pulled()).toEqual([]);
  });

  test('answers 503 where the topic is missing, and names nothing of the inside', async () => {
    const answer = await post('[{}]', {}, 'auth_logs');
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain(PREFIX);
  });

  test('answers nothing else', async () => {
    const headers = { 'X-API-KEY': WRITER };
    expect((await call(host.port, '/api/endpoints/query/logs.all?project=demo', { headers })).status).toBe(
      404,
    );
    expect((await call(host.port, '/healthz', { headers })).status).toBe(404);
  });
});
