import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadTableSchemas } from '../../../../../shared/schema/load-table-schemas.ts';
import { type LogFolder, logFolder } from './log-folder.ts';

const SHARED = '../shared';

let logs: LogFolder;
beforeEach(async () => {
  logs = await logFolder();
});
afterEach(() => logs.remove());

test('entries of all nine sources load completely, field by field', async () => {
  const schemas = await loadTableSchemas(join(SHARED, 'conformance/sources'));
  const directory = join(SHARED, 'conformance/data');
  const report = await logs.load({ schemas, directory });
  expect(report.sources.size).toBe(9);
  for (const [source, { rows, skipped, addedFields }] of report.sources) {
    const lines = (await readFile(join(directory, `${source}.ndjson`), 'utf8')).trimEnd().split('\n');
    expect([source, rows, skipped, addedFields]).toEqual([source, lines.length, 0, []]);
    const written = lines.map((line) => JSON.parse(line)).sort((a, b) => (a.id < b.id ? -1 : 1));
    const stored = (await logs.rows(source)) as { id: string; timestamp: string }[];
    stored.sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(stored.map((row) => bare({ ...row, timestamp: isoOf(row.timestamp) }))).toEqual(written.map(bare));
  }
  expect(logs.warnings).toEqual([]);
});

test('ten thousand real requests load completely and in order', async () => {
  const schemas = await loadTableSchemas('queries/sources');
  const report = await logs.load({ schemas, directory: join(SHARED, 'data') });
  expect(report.sources.get('edge_logs')).toMatchObject({ rows: 10_000, skipped: 0, addedFields: [] });
  const lines = gunzipSync(await readFile(join(SHARED, 'data/edge_logs.ndjson.gz')))
    .toString('utf8')
    .trim()
    .split('\n');
  const byTime = lines
    .map((line) => JSON.parse(line) as { id: string; timestamp: string })
    .sort((a, b) => (`${a.timestamp} ${a.id}` < `${b.timestamp} ${b.id}` ? -1 : 1));
  const ids = await logs.texts('SELECT id FROM logs.main.edge_logs ORDER BY rowid');
  expect(ids.flat()).toEqual(byTime.map(({ id }) => id));
  const facts =
    await logs.texts(`SELECT count(DISTINCT timestamp)::VARCHAR, min(timestamp)::VARCHAR, max(timestamp)::VARCHAR,
      count(DISTINCT metadata[1].request[1].headers[1].x_real_ip)::VARCHAR,
      (count(*) FILTER (metadata[1].response[1].status_code = 404))::VARCHAR FROM ${await logs.table('edge_logs')}`);
  expect(facts).toEqual([['4362', '2015-05-17 10:05:00', '2015-05-20 21:05:59', '1753', '213']]);
});

/** DuckDB writes `2024-05-06 07:00:00.1`, the entries `2024-05-06T07:00:00.100000Z` and shorter. */
function isoOf(timestamp: string): string {
  return `${timestamp.replace(' ', 'T')}Z`;
}

/** A missing field and NULL, a missing array and an empty one count as equal; so do a fraction's last zeros. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value === 'string')
    return value.replace(/^(\d{4}-\d{2}-\d{2}T[\d:]{8}(?:\.\d*[1-9])?)\.?0*Z$/, '$1Z');
  if (typeof value !== 'object' || value === null) return value;
  const filled = Object.entries(value).filter(
    ([, field]) => field !== null && !(Array.isArray(field) && field.length === 0),
  );
  return Object.fromEntries(filled.map(([name, field]) => [name, bare(field)]));
}
