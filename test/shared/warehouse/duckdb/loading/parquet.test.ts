import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LogFolder, logFolder } from './log-folder.ts';

let logs: LogFolder;
beforeEach(async () => {
  logs = await logFolder();
});
afterEach(() => logs.remove());

async function makeParquet(name: string, select: string): Promise<void> {
  const file = join(logs.path, name).replaceAll("'", "''");
  await logs.store.use((connection) => connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`));
}

describe('a Parquet file', () => {
  test('is loaded with the same rules as lines, timestamps and bytes exactly', async () => {
    await makeParquet(
      'app_logs.parquet',
      `SELECT 'a' AS id, TIMESTAMP '2024-02-29 12:00:00.123456' AS timestamp, 9007199254740993 AS count,
        0.5::DOUBLE AS ratio, true AS ok, '\\x00\\xFF'::BLOB AS raw, TIMESTAMPTZ '2024-01-01 00:00:00+02' AS seen,
        DATE '2024-02-29' AS day, TIME '01:02:03.5' AS clock, 1.25::DECIMAL(10, 2) AS price, ['x', 'y'] AS tags,
        [{'level': 'info', 'request': {'method': 'GET', 'headers': NULL}, 'at': TIMESTAMP '2024-01-01 00:00:00'}] AS metadata,
        7::UBIGINT AS added, MAP {'k': 1.5} AS labels`,
    );
    const report = await logs.load();
    expect(report.sources.get('app_logs')).toMatchObject({
      rows: 1,
      addedFields: [
        { path: 'metadata.at', type: 'INT64' },
        { path: 'added', type: 'INT64' },
        { path: 'labels', type: 'ARRAY<STRUCT<k FLOAT64>>' },
      ],
    });
    const sql = `SELECT timestamp::VARCHAR, count::VARCHAR, hex(raw), seen::VARCHAR, day::VARCHAR, clock::VARCHAR,
      price::VARCHAR, tags::VARCHAR, metadata::VARCHAR, labels::VARCHAR FROM ${await logs.table('app_logs')}`;
    expect(await logs.texts(sql)).toEqual([
      [
        '2024-02-29 12:00:00.123456',
        '9007199254740993',
        '00FF',
        '2023-12-31 22:00:00',
        '2024-02-29',
        '01:02:03.5',
        '1.250000000',
        '[x, y]',
        "[{'level': info, 'request': [{'method': GET, 'headers': []}], 'at': 1704067200000000}]",
        "[{'k': 1.5}]",
      ],
    ]);
  });

  test('is loaded in the order of its rows, all of them', async () => {
    await makeParquet(
      'edge_logs.parquet',
      'SELECT range::VARCHAR AS id, range AS timestamp FROM range(300000)',
    );
    expect((await logs.load()).sources.get('edge_logs')?.rows).toBe(300_000);
    const sql = `SELECT count(*)::VARCHAR FROM logs.main.edge_logs WHERE rowid::VARCHAR = id`;
    expect(await logs.texts(sql)).toEqual([['300000']]);
  });

  test('is found by its very name, whatever characters that has', async () => {
    const select = (id: string) => `SELECT '${id}' AS id, 0 AS timestamp`;
    await logs.write({ 'app_logs/.keep': '' });
    for (const name of ["[ab]*?'.parquet", 'a.parquet', 'year=2024.parquet']) {
      await makeParquet(`app_logs/${name}`, select(name.replaceAll("'", "''")));
    }
    await logs.load();
    const rows = await logs.texts('SELECT id FROM logs.main.app_logs ORDER BY id');
    expect(rows.flat()).toEqual(["[ab]*?'.parquet", 'a.parquet', 'year=2024.parquet']);
  });

  test('may have numbers for ids', async () => {
    await makeParquet(
      'edge_logs.parquet',
      'SELECT unnest([7::UBIGINT, 9223372036854775807, 18446744073709551615]) AS id, 0 AS timestamp',
    );
    await logs.load();
    expect(await logs.texts('SELECT id FROM logs.main.edge_logs ORDER BY length(id)')).toEqual([
      ['7'],
      ['9223372036854775807'],
      ['18446744073709551615'],
    ]);
  });

  test('with a malformed row is refused by the number of the row', async () => {
    await makeParquet('edge_logs.parquet', `SELECT 'a' AS id, unnest([1, NULL, 2]) AS timestamp`);
    await expect(logs.load()).rejects.toThrow(`${logs.path}/edge_logs.parquet, row 2: timestamp: is null`);
    expect((await logs.load({ skipInvalid: true })).sources.get('edge_logs')).toMatchObject({
      rows: 2,
      skipped: 1,
    });
  });

  test('that is not Parquet is an error that names the file', async () => {
    await logs.write({ 'edge_logs.parquet': 'PAR1 but no more' });
    await expect(logs.load({ skipInvalid: true })).rejects.toThrow(
      `${logs.path}/edge_logs.parquet: it cannot be read as a Parquet file`,
    );
  });
});
