import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { bindParameters } from '../../../shared/endpoints/bind-parameters.ts';
import { makeEstimateResult } from '../../../shared/results/estimate-result.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { Warehouse } from '../../../shared/warehouse/warehouse.ts';
import { ENDPOINTS, makeTestService } from '../http/support/test-service.ts';

const MIB = 1024 * 1024;
const silent: Warehouse = {
  ...makeTestService().warehouse,
  tables: await loadTableSchemas('queries/sources'),
};
const counting: Warehouse = {
  ...silent,
  estimate: async () => ({ bytes: 99 * MIB, bytesBilled: 100 * MIB, isRefused: false }),
};

async function mostBytes(warehouse: Warehouse, name: string, given: Readonly<Record<string, string>>) {
  const described = ENDPOINTS.find((one) => one.name === name);
  if (described === undefined) throw new Error(`there is no endpoint ${name}`);
  const endpoint = { ...described, sql: readFileSync(`queries/${name}.sql`, 'utf8') };
  const request = new Map(Object.entries(given).map(([parameter, text]) => [parameter, [text]]));
  const { values } = await bindParameters(endpoint, request);
  const estimate = makeEstimateResult({
    warehouse,
    nowMicros: () => 0n,
    deadlineMs: 1000,
    sqlDeadlineMs: 1000,
    byteCaps: { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 },
  });
  return estimate({
    endpoint,
    values,
    query: { sql: endpoint.sql, parameters: values },
    bypassCache: true,
    isRedacted: false,
    maxRows: null,
    maxBytesBilled: null,
    account: 'warming',
    sqlDeadlineMs: null,
    cpuSecondsPerMinute: null,
    signal: new AbortController().signal,
  });
}

const USAGE = { project: 'demo', interval: 'daily' };
const BOUNDED = { project: 'demo', iso_timestamp_start: '2026-01-01T00:00:00Z' };

test('what a result bills is unknown where the warehouse does not count', async () => {
  expect(await mostBytes(silent, 'usage.api-counts', USAGE)).toBeNull();
});

test('a result bills what the warehouse estimates', async () => {
  expect(await mostBytes(counting, 'usage.api-counts', USAGE)).toBe(100 * MIB);
  expect(await mostBytes(counting, 'logs.all', BOUNDED)).toBe(100 * MIB);
});

test('newest rows without a lower bound, which may be looked for again and again, bill up to three times as much', async () => {
  const once = await mostBytes(counting, 'logs.all', BOUNDED);
  expect(await mostBytes(counting, 'logs.all', { project: 'demo' })).toBe(3 * (once ?? 0));
});
