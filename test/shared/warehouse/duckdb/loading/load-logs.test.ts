import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LoadProgress } from '../../../../../shared/warehouse/duckdb/loading/load-progress.ts';
import { hasLogs } from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { type LogFolder, logFolder, ndjson, SCHEMAS } from './log-folder.ts';

let logs: LogFolder;
beforeEach(async () => {
  logs = await logFolder();
});
afterEach(() => logs.remove());

async function ids(source = 'app_logs'): Promise<unknown[]> {
  return (await logs.texts(`SELECT id FROM logs.main.${source} ORDER BY rowid`)).flat();
}

const at = (id: string, timestamp: number) => ndjson({ id, timestamp });

describe('which files are loaded', () => {
  test('every form of a source, and a folder of its files, all of them', async () => {
    await logs.write({
      'app_logs.ndjson': at('file', 1),
      'app_logs.ndjson.gz': gzipSync(at('gz', 2)),
      'app_logs/2.ndjson': at('second', 4),
      'app_logs/1.ndjson.gz': gzipSync(at('first', 3)),
      'app_logs/.hidden': 'not read',
    });
    const report = await logs.load();
    expect(await ids()).toEqual(['file', 'gz', 'first', 'second']);
    expect(report.sources.get('app_logs')?.rows).toBe(4);
    expect(logs.warnings).toEqual([]);
  });

  test('a source without a file is an empty table', async () => {
    const report = await logs.load();
    expect([...report.sources.keys()]).toEqual([...SCHEMAS.keys()]);
    expect(await ids('app_logs')).toEqual([]);
    expect(await ids('edge_logs')).toEqual([]);
  });

  test('what belongs to no source is named, with the source that may be meant', async () => {
    await logs.write({
      'edge_log.ndjson': '',
      'Edge_Logs.ndjson': '',
      'notes.txt': '',
      'edge_logs.csv': '',
      'app-logs/1.ndjson': '',
      '.hidden': '',
    });
    await logs.load();
    expect(logs.warnings.sort()).toEqual([
      `${logs.path}/Edge_Logs.ndjson is not loaded: no source has this name; did you mean edge_logs?`,
      `${logs.path}/app-logs is not loaded: no source has this name; did you mean app_logs?`,
      `${logs.path}/edge_log.ndjson is not loaded: no source has this name; did you mean edge_logs?`,
      `${logs.path}/edge_logs.csv is not loaded: only .ndjson, .ndjson.gz and .parquet files can be loaded`,
      `${logs.path}/notes.txt is not loaded: no source has this name`,
    ]);
  });

  test("a file in a source's folder that cannot be loaded stops the load", async () => {
    await logs.write({ 'app_logs/part.json': '' });
    await expect(logs.load()).rejects.toThrow(
      `${logs.path}/app_logs/part.json: only .ndjson, .ndjson.gz and .parquet files can lie in a source's folder`,
    );
  });

  test("so does a folder in a source's folder", async () => {
    await mkdir(join(logs.path, 'app_logs', 'more.ndjson'), { recursive: true });
    await expect(logs.load()).rejects.toThrow("files can lie in a source's folder");
  });

  test('a folder that is missing, or is a file, is named', async () => {
    await logs.write({ file: '' });
    for (const directory of [join(logs.path, 'missing'), join(logs.path, 'file')]) {
      await expect(logs.load({ directory })).rejects.toThrow(`${directory}: there is no such folder`);
    }
  });

  test('a source cannot have a name of the store itself', async () => {
    const schemas = new Map([['_schemas', SCHEMAS.get('edge_logs') ?? []]]);
    await expect(logs.load({ schemas })).rejects.toThrow('the source _schemas needs another name');
  });

  test('a schema without a time is refused', async () => {
    const schemas = new Map([['edge_logs', (SCHEMAS.get('edge_logs') ?? []).slice(0, 1)]]);
    await expect(logs.load({ schemas })).rejects.toThrow('needs a column "timestamp" of type TIMESTAMP');
  });
});

describe('how lines are read', () => {
  test('blank lines, CRLF, a byte order mark and a missing last newline are accepted', async () => {
    const lines = [at('a', 1), at('b', 2), at('c', 3)].map((line) => line.trim());
    await logs.write({ 'app_logs.ndjson': `\ufeff${lines[0]}\r\n\r\n  \n\n${lines[1]}\r\n${lines[2]}` });
    await logs.load();
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  test('lines are counted with the blank ones, in a file larger than what is read at once', async () => {
    const long = ndjson({ id: 'long', event_message: 'ü'.repeat(2_000_000) });
    await logs.write({ 'app_logs.ndjson': `${long}\n${at('b', 1_800_000_000_000_000)}${long}{"id":[5]}\n` });
    await expect(logs.load()).rejects.toThrow('app_logs.ndjson, line 5: id: an array does not fit STRING');
    await logs.load({ skipInvalid: true });
    expect(
      await logs.texts('SELECT length(event_message)::VARCHAR FROM logs.main.app_logs ORDER BY rowid'),
    ).toEqual([['2000000'], ['2000000'], [null]]);
  });

  test('a gzip file of several members is read to its end', async () => {
    const members = Buffer.concat([gzipSync(at('a', 1)), gzipSync(at('b', 2))]);
    await logs.write({ 'app_logs.ndjson.gz': members });
    await logs.load();
    expect(await ids()).toEqual(['a', 'b']);
  });

  test.each<[string, (file: Buffer) => Buffer, string]>([
    ['cut short', (file) => file.subarray(0, file.length - 12), 'the gzip data is cut short'],
    ['no gzip at all', () => Buffer.from(at('a', 1)), 'it is not valid gzip data'],
    [
      'damaged',
      (file) => Buffer.concat([file.subarray(0, 200), Buffer.alloc(300, 7)]),
      'it is not valid gzip data',
    ],
  ])('a gzip file that is %s is an error that names it', async (_name, spoil, problem) => {
    const entries = Array.from({ length: 500 }, (_, index) => ({ event_message: String(Math.sin(index)) }));
    await logs.write({ 'app_logs.ndjson.gz': spoil(gzipSync(ndjson(...entries))) });
    await expect(logs.load({ skipInvalid: true })).rejects.toThrow(
      `${logs.path}/app_logs.ndjson.gz: ${problem}`,
    );
  });

  test('malformed lines are counted by file', async () => {
    await logs.write({
      'app_logs/a.ndjson': `${at('a', 1)}[]\n{}\n`,
      'app_logs/b.ndjson': `${at('b', 2)}`,
      'app_logs/c.ndjson': `5\n${at('c', 3)}`,
    });
    const report = await logs.load({ skipInvalid: true });
    expect(report.sources.get('app_logs')).toMatchObject({
      rows: 3,
      skipped: 3,
      skippedFiles: [
        {
          file: `${logs.path}/app_logs/a.ndjson`,
          skipped: 2,
          first: expect.stringContaining('a.ndjson, line 2: '),
        },
        {
          file: `${logs.path}/app_logs/c.ndjson`,
          skipped: 1,
          first: expect.stringContaining('c.ndjson, line 1: '),
        },
      ],
    });
  });
});

describe('the order of a table', () => {
  const message = 'x'.repeat(50_000);
  const entries = (timestamps: readonly number[]) =>
    ndjson(...timestamps.map((timestamp) => ({ id: `e${timestamp}`, timestamp, event_message: message })));
  const ascending = Array.from({ length: 200 }, (_, index) => index);

  test.each([
    ['ascending', ascending],
    ['descending', ascending.toReversed()],
    ['ascending but for the last', [...ascending.slice(1), 0]],
  ])('is by time when the entries come %s', async (_name, timestamps) => {
    const other = entries(timestamps);
    await logs.write({ 'app_logs.ndjson': other, 'edge_logs.ndjson': other });
    await logs.load();
    const expected = ascending.map((timestamp) => `e${timestamp}`);
    expect(await ids('app_logs')).toEqual(expected);
    expect(await ids('edge_logs')).toEqual(expected);
    const tables = await logs.texts(`SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY 1`);
    expect(tables.flat()).toEqual(['_schemas', 'app_logs', 'edge_logs']);
  });
});

describe('what a store holds is replaced as a whole', () => {
  test('a malformed line leaves everything as it was', async () => {
    await logs.write({
      'app_logs.ndjson': at('old', 1),
      'edge_logs.ndjson': ndjson({ id: 'old', extra: 1 }),
    });
    await logs.load();
    const before = [await logs.rows('app_logs'), await logs.rows('edge_logs')];
    const many = Array.from({ length: 100 }, () => ({ event_message: 'x'.repeat(50_000) }));
    await logs.write({ 'app_logs.ndjson': at('new', 1), 'edge_logs.ndjson': `${ndjson(...many)}[]` });
    await expect(logs.load()).rejects.toThrow('edge_logs.ndjson, line 101');
    expect([await logs.rows('app_logs'), await logs.rows('edge_logs')]).toEqual(before);
    await logs.write({ 'edge_logs.ndjson': ndjson({ id: 'new' }) });
    await logs.load();
    expect(await ids('app_logs')).toEqual(['new']);
    expect(await ids('edge_logs')).toEqual(['new']);
  });

  test('an aborted load leaves everything as it was', async () => {
    await logs.write({ 'app_logs.ndjson': at('old', 1) });
    await logs.load();
    await logs.write({ 'app_logs.ndjson': at('new', 1) });
    await expect(logs.load({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
    expect(await ids()).toEqual(['old']);
  });

  test('sources that the schemas no longer have are gone', async () => {
    expect(await hasLogs(logs.store)).toBe(false);
    await logs.load();
    expect(await hasLogs(logs.store)).toBe(true);
    await logs.load({ schemas: new Map([...SCHEMAS].slice(0, 1)) });
    await expect(ids('edge_logs')).rejects.toThrow('edge_logs does not exist');
  });
});

describe('progress', () => {
  test('is reported at most ten times a second, to the end of each source', async () => {
    const many = Array.from({ length: 200 }, () => ({ event_message: 'x'.repeat(50_000) }));
    await logs.write({ 'app_logs.ndjson': ndjson(...many) });
    const reports: LoadProgress[] = [];
    let ms = 0;
    const nowMs = () => {
      ms += 30;
      return ms;
    };
    await logs.load({ progress: (report) => reports.push(report), nowMs });
    const reading = reports.filter(({ source, phase }) => source === 'app_logs' && phase === 'reading');
    expect(reading.map(({ bytesRead }) => bytesRead)).toEqual(
      reading.map(({ bytesRead }) => bytesRead).toSorted((a, b) => a - b),
    );
    expect(reading.length).toBeGreaterThan(1);
    expect(reading.length).toBeLessThanOrEqual(ms / 100 + 1);
    const done = reports.filter(({ phase }) => phase === 'done');
    expect(done).toMatchObject([
      { source: 'app_logs', rows: 200, bytesRead: done[0]?.totalBytes },
      { source: 'edge_logs', rows: 0, bytesRead: 0, totalBytes: 0 },
    ]);
  });
});
