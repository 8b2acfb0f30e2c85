import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { TOKEN_CACHE_MS } from '../../shared/access/caching-token-store.ts';
import { STORE_LIMITS } from '../../shared/cache/store-level.ts';
import { READY_TIMEOUT_MS } from '../../shared/http/http-limits.ts';
import { makeLogger } from '../../shared/runtime/log.ts';
import { SETTINGS } from '../../shared/runtime/settings.ts';
import { readNewestFirst } from '../../shared/warehouse/newest-first/newest-first-warehouse.ts';
import { RECORD_WAIT_MS } from '../../shared/warming/recorder.ts';
import { MAX_SETS } from '../../shared/warming/warmer.ts';
import { FAULTS } from '../emulators/service/faults.ts';
import {
  ENTRY_BYTES,
  openCountingWarehouse,
} from '../shared/warehouse/newest-first/support/counting-warehouse.ts';
import { logsQuery, newestLogs, TIME_WINDOW } from '../shared/warehouse/newest-first/support/logs-queries.ts';

const page = readFileSync('docs/operations.md', 'utf8');

/** The rows of the one table of a section, by cells. */
function tableOf(heading: string): string[][] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

/** What only a service on one machine is set up by. */
const LOCAL = new Set<string>([
  ...[
    'port',
    'host',
    'logs',
    'follow',
    'database',
    'queries',
    'sources',
    'saved',
    'retention',
    'now',
    'skipInvalid',
    'token',
    'tokens',
  ],
  'memoryLimit',
]);

test('the settings of the cloud are those that there are', () => {
  const settings = Object.entries(SETTINGS).filter(([name]) => !LOCAL.has(name));
  expect(tableOf('Settings')).toEqual(
    settings.map(([, { env, kind, fallback, help }]) => [`\`${env}\``, kind.accepts, fallback, help]),
  );
});

test('what Terraform sets is among them', () => {
  const listed = tableOf('Settings').map(([name = '']) => name.replaceAll('`', ''));
  const set = ['functions.tf', 'warm.tf'].flatMap((file) => [
    ...readFileSync(join('terraform', file), 'utf8').matchAll(/\bLQE_\w+/g),
  ]);
  expect(set.length).toBeGreaterThan(10);
  expect(set.map(([name]) => name).filter((name) => !listed.includes(name))).toEqual([]);
});

test('every fault that is tried has a row, and every row is tried', () => {
  expect(tableOf('Faults').map(([fault]) => fault)).toEqual([...FAULTS]);
});

/** What the log says of a query that was counted after its answer. */
function lateLine(): string {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  makeLogger({ format: 'json', level: 'info', nowMs: () => 0, write }).lateUsage({
    requestId: 'r1',
    notes: { bytesBilled: 1 },
  });
  return JSON.parse(lines[0] ?? '').message;
}

test('every line that the parts of the cloud log has a row, and every row is logged', () => {
  const code = ['shared/cache', 'shared/warming', 'shared/warehouse/bigquery']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const warned = [...code.matchAll(/\bwarn\(\s*'([^']+)'/g)].map(([, line = '']) => line);
  const told = [...code.matchAll(/\btell\(\s*'\w+',\s*'([^']+)'/g)].map(
    ([, line = '']) => `BigQuery: ${line}`,
  );
  const rows = tableOf('Log lines').map(([line = '']) => line.replaceAll('`', ''));
  expect(rows.toSorted()).toEqual([...new Set([...warned, ...told, lateLine()])].sort());
});

test('the time budgets are those of the code', () => {
  const rows = new Map(tableOf('Time budgets').map(([what = '', time = '']) => [what, time]));
  const { firstCallMs, readMs, leaseWaitMs, writeWaitMs, leaseMs } = STORE_LIMITS;
  expect(rows.get('the first calls of an instance to the shared cache')).toMatch(
    new RegExp(`^${firstCallMs / 1000} s,`),
  );
  expect(rows.get('each later read of the shared cache')).toMatch(new RegExp(`^${readMs} ms,`));
  expect(rows.get("waiting for another instance's answer")).toMatch(new RegExp(`^${leaseWaitMs / 1000} s,`));
  expect(rows.get('holding an answer back until it is written to Firestore')).toMatch(
    new RegExp(`^${writeWaitMs} ms,`),
  );
  expect(rows.get('holding an answer back until what it was asked for is noted')).toMatch(
    new RegExp(`^${RECORD_WAIT_MS} ms,`),
  );
  expect(rows.get('`/readyz`')).toBe(`${READY_TIMEOUT_MS / 1000} s`);
  expect(page).toContain(`for ${RECORD_WAIT_MS} ms at most`);
  expect(page).toContain(`at most ${MAX_SETS.toLocaleString('en')}. The sets that have waited longest`);
  expect(page).toContain(`A lease ends after ${leaseMs / 1000} s unless its holder renews it`);
  expect(page).toContain(`stops working on every instance within ${TOKEN_CACHE_MS / 1000} s`);
});

test.each(tableOf('Cost'))('with %s days of logs the newest rows cost what the page says', async (...row) => {
  const [days = 0, newestFirst, everything] = row.map((cell) => Number(cell.replaceAll(',', '')));
  const nowMicros = 1_767_225_600_000_000n;
  const inner = await openCountingWarehouse(
    Array.from({ length: days * 144 }, (_, index) => {
      return { id: String(index), micros: nowMicros - BigInt(index) * 600_000_000n, project: 'demo' };
    }),
  );
  const query = logsQuery(null, 'demo');
  const options = { maxRows: 1000, deadlineMs: 600_000, nowMicros, timeWindow: TIME_WINDOW };
  const entriesOf = async (warehouse: Pick<typeof inner, 'run'>) =>
    ((await warehouse.run(query, options)).bytesProcessed ?? 0) / ENTRY_BYTES;
  expect(await entriesOf(readNewestFirst(inner, newestLogs))).toBe(newestFirst);
  expect(await entriesOf(inner)).toBe(everything);
  await inner.close();
});
