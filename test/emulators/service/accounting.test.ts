import { expect, test } from '@jest/globals';
import { digestToken } from '../../../shared/access/access-token.ts';
import type { FakeCall } from '../../shared/warehouse/bigquery/support/fake-bigquery.ts';
import { makeCloud } from './support/cloud.ts';
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
    expect(stored?.body.labels).toEqual({ ...labels, kind: 'stored' });
  } finally {
    await cloud.close();
  }
});
