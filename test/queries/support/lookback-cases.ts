import { expect } from '@jest/globals';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import type { Warehouse } from '../../../shared/warehouse/warehouse.ts';

const NOW = 1_767_225_600_000_000n;
const MICROS_PER_SECOND = 1_000_000n;
const { all } = await loadEndpoints('queries');

/** Every value that stands for a time span, in every endpoint that has such: endpoint, value, seconds. */
export const SPANS = all.flatMap((endpoint) =>
  Object.entries(endpoint.lookback?.seconds ?? {}).map(
    ([value, seconds]) => [endpoint.name, value, seconds] as const,
  ),
);

/** The instants of the entries: the microseconds around the start of every span and around the present. */
const TIMES = [NOW, ...new Set(SPANS.map(([, , seconds]) => startOf(seconds)))]
  .flatMap((edge) => [edge - 1n, edge, edge + 1n])
  .sort((one, other) => (one < other ? -1 : 1));

/** The entries of edge_logs, as lines of a log file: one at each of those instants. */
export const LINES = TIMES.map((micros) => {
  const request = { url: 'https://demo.example.co/rest/v1/a', path: '/rest/v1/a' };
  const timestamp = `${new Date(Number(micros / 1000n)).toISOString().slice(0, -1)}${String(micros % 1000n).padStart(3, '0')}Z`;
  return JSON.stringify({
    id: String(micros),
    timestamp,
    project: 'demo',
    metadata: [{ request: [request] }],
  });
});

function startOf(seconds: number): bigint {
  return NOW - BigInt(seconds) * MICROS_PER_SECOND;
}

/** Asks a warehouse with those entries, and expects those from the span's start up to the present, both included. */
export async function expectSpan(
  warehouse: Warehouse,
  [name, value, seconds]: (typeof SPANS)[number],
): Promise<void> {
  const endpoint = all.find((one) => one.name === name);
  const parameters = new Map([
    ['project', { type: 'STRING' as const, value: 'demo' }],
    [endpoint?.lookback?.parameter ?? '', { type: 'STRING' as const, value }],
  ]);
  const query = { sql: endpoint?.sql ?? '', parameters };
  const result = await warehouse.run(query, { maxRows: 1000, deadlineMs: 600_000, nowMicros: NOW });
  const counted = result.rows.map((row): number => JSON.parse(row).total_rest_requests);
  const within = TIMES.filter((micros) => micros >= startOf(seconds) && micros <= NOW);
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(within.length);
}
