import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { digestToken } from '../../../shared/access/access-token.ts';
import type { FakeCall } from '../../shared/warehouse/bigquery/support/fake-bigquery.ts';
import { emulatorHost } from '../bigquery/support/emulated-dataset.ts';
import { type Instance, makeCloud, newProject } from './support/cloud.ts';
import { makeLogs } from './support/logs.ts';

test('every query is accounted and capped, those that are only estimated too', async () => {
  const cloud = await makeCloud(await makeLogs());
  try {
    const { bigquery, send } = await cloud.startInstance();
    const labels = {
      endpoint: 'usage_api-counts',
      kind: 'consumer',
      token: digestToken(cloud.token).slice(0, 16),
    };
    const callsOf = async (parameters: Record<string, string>): Promise<readonly FakeCall[]> => {
      const before = bigquery.calls.length;
      const query = new URLSearchParams({ interval: 'hourly', project: 'acme', ...parameters });
      const answer = await send(`/api/endpoints/query/usage.api-counts?${query}`, {
        headers: { 'x-api-key': cloud.token },
      });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return bigquery.calls.slice(before);
    };
    const sql = 'select count(*) as entries from edge_logs';

    const [estimate, ...more] = await callsOf({ sql, explain: 'true' });
    expect(more).toEqual([]);
    expect(estimate?.body).toMatchObject({ dryRun: true, labels });
    const [run] = await callsOf({ sql });
    expect(run?.body).toMatchObject({ labels, maximumBytesBilled: String(2 ** 30) });
    const [stored] = await callsOf({});
    expect(stored?.body).toMatchObject({
      labels: { ...labels, kind: 'stored' },
      maximumBytesBilled: String(100 * 2 ** 30),
    });
  } finally {
    await cloud.close();
  }
});

test('what was billed is what the statistics of the job say, in the answer and in the log', async () => {
  const cloud = await makeCloud(await makeLogs());
  try {
    const instance = await cloud.startInstance();
    const answer = await instance.counts(newProject());
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const asked = instance.bigquery.calls.filter(({ method, path }) => method === 'GET' && isJob(path));
    expect(asked).toHaveLength(1);
    const { bytesBilled, bytesProcessed } = await statisticsOf(asked[0]?.path ?? '');
    expect(answer.headers).toMatchObject({
      'x-bytes-billed': String(bytesBilled),
      'x-bytes-processed': String(bytesProcessed),
    });
    const line = await lineOf(instance, ({ endpoint }) => endpoint === 'usage.api-counts');
    expect(line).toMatchObject({ bytesBilled, bytesProcessed });
  } finally {
    await cloud.close();
  }
});

test('a query that ends after its deadline is billed, in its own line', async () => {
  const cloud = await makeCloud(await makeLogs());
  try {
    const instance = await cloud.startInstance({ deadlineMs: 1_000 });
    const answered = Promise.withResolvers<void>();
    instance.bigquery.fault = async (_, passOn) => {
      await answered.promise;
      return passOn();
    };
    const refused = await instance.counts(newProject());
    expect(refused.status).toBe(504);
    answered.resolve();
    const { requestId, ...late } = await lineOf(
      instance,
      ({ message }) => message === 'A query was counted after its answer',
    );
    expect(late).toMatchObject({ endpoint: 'usage.api-counts', bytesBilled: expect.any(Number) });
    expect(requestId).toBe(refused.headers['x-request-id']);
    const job = instance.bigquery.calls.find(({ method, path }) => method === 'GET' && isJob(path));
    const { bytesBilled, bytesProcessed } = await statisticsOf(job?.path ?? '');
    expect(late).toMatchObject({ bytesBilled, bytesProcessed });
  } finally {
    await cloud.close();
  }
});

function isJob(path: string): boolean {
  return /\/jobs\/[^/]+$/.test(path);
}

/** What the emulator itself says of a job. */
async function statisticsOf(path: string): Promise<{ bytesBilled: number; bytesProcessed: number }> {
  const response = await fetch(`http://${emulatorHost()}${path}`);
  const { query } = ((await response.json()) as { statistics: { query: Record<string, string> } }).statistics;
  return {
    bytesBilled: Number(query.totalBytesBilled),
    bytesProcessed: Number(query.totalBytesProcessed),
  };
}

/** The first line of an instance's log that fits, once it is written. */
async function lineOf(
  { log }: Instance,
  fits: (line: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  for (let looks = 0; looks < 600; looks++) {
    const lines = log.map((line): Record<string, unknown> => JSON.parse(line));
    const line = lines.find(fits);
    if (line !== undefined) return line;
    await sleep(50);
  }
  throw new Error(`no such line in ${log.join('\n')}`);
}
