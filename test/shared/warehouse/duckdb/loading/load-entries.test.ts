import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '../../../../../shared/errors/configuration-error.ts';
import { loadEntries } from '../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { readStoredSchemas } from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { type LogFolder, logFolder, ndjson, SCHEMAS } from './log-folder.ts';

let logs: LogFolder;
beforeEach(async () => {
  logs = await logFolder();
});
afterEach(() => logs.remove());

const insert = (lines: Iterable<string> | AsyncIterable<string>, source = 'edge_logs') =>
  loadEntries({ store: logs.store, schemas: SCHEMAS, source, lines });

function* madeLines(count: number): Generator<string> {
  for (let n = count; n > 0; n -= 1) yield `{"id":"${n}","timestamp":${n},"metadata":{"status":${n}}}`;
}

describe('made entries', () => {
  test('are stored sorted by time, from generators of both kinds', async () => {
    async function* later() {
      yield* madeLines(1200);
    }
    for (const lines of [madeLines(1200), later()]) {
      expect(await insert(lines)).toEqual({ rows: 1200, skipped: 0, skippedFiles: [], addedFields: [] });
      const inOrder = 'SELECT count(*)::VARCHAR FROM logs.main.edge_logs WHERE (rowid + 1)::VARCHAR = id';
      expect(await logs.texts(inOrder)).toEqual([['1200']]);
      const whole = `SELECT count(*)::VARCHAR FROM ${await logs.table('edge_logs')}
        WHERE metadata[1].status::VARCHAR = id`;
      expect(await logs.texts(whole)).toEqual([['1200']]);
    }
  });

  test('make the tables of the other sources, empty, and keep those that are filled', async () => {
    await insert(['{"id":"a","timestamp":1}']);
    expect(await logs.rows('app_logs')).toEqual([]);
    expect(await readStoredSchemas(logs.store)).toEqual(SCHEMAS);
    await insert(['{"id":"b","timestamp":1}'], 'app_logs');
    expect(await logs.rows('edge_logs')).toMatchObject([{ id: 'a' }]);
    expect(await logs.rows('app_logs')).toMatchObject([{ id: 'b' }]);
  });

  test('take the place of what the table held, with the fields that were added to it', async () => {
    await logs.write({
      'edge_logs.ndjson': ndjson({ id: 'old', extra: 1 }),
      'app_logs.ndjson': ndjson({ more: 1 }),
    });
    const { schemas } = await logs.load();
    await insert(['{"id":"new","timestamp":1}']);
    expect(await logs.rows('edge_logs')).toEqual([
      { id: 'new', timestamp: '1970-01-01 00:00:00.000001', metadata: [] },
    ]);
    const stored = await readStoredSchemas(logs.store);
    expect(stored.get('edge_logs')).toEqual(SCHEMAS.get('edge_logs'));
    expect(stored.get('app_logs')).toEqual(schemas.get('app_logs'));
  });

  test.each([
    ['malformed', '{"id":[5],"timestamp":1}', 'edge_logs, entry 2: id: an array does not fit STRING'],
    [
      'with a field that the schema lacks',
      '{"timestamp":1,"x":1}',
      'edge_logs, entry 2: x: is not in the schema',
    ],
  ])('an entry %s is refused, and nothing changes', async (_name, line, problem) => {
    await insert(['{"id":"old","timestamp":1}']);
    const error = await insert(['{"id":"new","timestamp":1}', line]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toBe(problem);
    expect(await logs.rows('edge_logs')).toMatchObject([{ id: 'old' }]);
  });

  test('an unknown source is refused', async () => {
    await expect(insert([], 'no_logs')).rejects.toThrow('there is no source no_logs');
  });
});
