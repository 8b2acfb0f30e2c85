import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../shared/schema/load-table-schemas.ts';
import { makeDuckDbWarehouse } from '../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installMacros } from '../../shared/warehouse/duckdb/install-macros.ts';
import { loadEntries } from '../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../shared/warehouse/duckdb/store/open-store.ts';
import type { Warehouse } from '../../shared/warehouse/warehouse.ts';

const NOW = 1_767_225_600_000_000n;
const { all } = await loadEndpoints('queries');
const schemas = await loadTableSchemas('queries/sources');

/** Every value that stands for a time span, in every endpoint that has such. */
const SPANS = all.flatMap((endpoint) =>
  Object.entries(endpoint.lookback?.seconds ?? {}).map(
    ([value, seconds]) => [endpoint.name, value, seconds] as const,
  ),
);

/** Entries just within the spans, and just before them. */
const entryAt = (micros: bigint) => {
  const request = { url: 'https://demo.example.co/rest/v1/a', path: '/rest/v1/a' };
  return JSON.stringify({
    id: String(micros),
    timestamp: Number(micros),
    project: 'demo',
    metadata: [{ request: [request] }],
  });
};
const starts = [...new Set(SPANS.map(([, , seconds]) => seconds))].map(
  (seconds) => NOW - BigInt(seconds) * 1_000_000n,
);

const opened: Warehouse[] = [];
beforeAll(async () => {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 1 });
  const lines = starts.flatMap((start) => [entryAt(start + 1n), entryAt(start)]);
  await loadEntries({
    store,
    schemas,
    source: 'edge_logs',
    lines: [...lines, entryAt(NOW), entryAt(NOW + 1n)],
  });
  await installMacros(store);
  await store.lock();
  opened.push(makeDuckDbWarehouse(store, schemas));
});
afterAll(() => opened[0]?.close());

describe('the lookback in the settings is that of the query', () => {
  test('of usage.api-counts, with every interval', () => {
    expect(SPANS.map(([name, value]) => `${name} ${value}`)).toEqual([
      'usage.api-counts minutely',
      'usage.api-counts hourly',
      'usage.api-counts daily',
    ]);
  });

  test.each(SPANS)('%s, %s: %p seconds up to now', async (name, value, seconds) => {
    const endpoint = all.find((one) => one.name === name);
    const parameters = new Map([
      ['project', { type: 'STRING' as const, value: 'demo' }],
      [endpoint?.lookback?.parameter ?? '', { type: 'STRING' as const, value }],
    ]);
    const query = { sql: endpoint?.sql ?? '', parameters };
    const result = await opened[0]?.run(query, { maxRows: 1000, deadlineMs: 600_000, nowMicros: NOW });
    const counted = (result?.rows ?? []).map((row): number => JSON.parse(row).total_rest_requests);
    const start = NOW - BigInt(seconds) * 1_000_000n;
    const within = starts.flatMap((one) => [one + 1n, one]).filter((micros) => micros > start).length + 1;
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(within);
  });
});
