import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '../../../shared/errors/configuration-error.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'schemas-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('a folder of table schemas', () => {
  test('of the project holds the nine sources', async () => {
    const schemas = await loadTableSchemas(new URL('../../../queries/sources', import.meta.url).pathname);
    expect([...schemas.keys()]).toEqual([
      'auth_logs',
      'edge_logs',
      'function_edge_logs',
      'function_logs',
      'pgbouncer_logs',
      'postgres_logs',
      'postgrest_logs',
      'realtime_logs',
      'storage_logs',
    ]);
    const columns = [...schemas.values()].map((schema) =>
      schema.map(({ name, type }) => `${name} ${type}`).join(', '),
    );
    for (const list of columns) expect(list).toMatch(/^id STRING, timestamp TIMESTAMP, event_message STRING/);
  });

  test('is read by file name', async () => {
    await writeFile(join(directory, 'a_logs.json'), '[{"name":"id","type":"INTEGER","mode":"REQUIRED"}]');
    await writeFile(join(directory, 'notes.txt'), 'not a schema');
    expect(await loadTableSchemas(directory)).toEqual(
      new Map([['a_logs', [{ name: 'id', type: 'INT64', mode: 'REQUIRED', fields: [] }]]]),
    );
  });

  test.each<[string, string, RegExp]>([
    ['a_logs.json', '[', /a_logs\.json: not valid JSON/],
    ['a_logs.json', '[]', /a_logs\.json: /],
    ['a_logs.json', '[{"name":"id","type":"UUID"}]', /a_logs\.json: \[0\]\.type: /],
    [
      'a_logs.json',
      '[{"name":"id","type":"STRING","length":3}]',
      /a_logs\.json: \[0\]: unknown setting 'length'/,
    ],
    [
      'a_logs.json',
      '[{"name":"m","type":"RECORD","fields":[{"name":"x y","type":"STRING"}]}]',
      /a_logs\.json: \[0\]\.fields\[0\]\.name: a name of letters/,
    ],
    [
      'a-logs.json',
      '[{"name":"id","type":"STRING"}]',
      /a-logs\.json: a source's name must be lower-case letters/,
    ],
  ])('refuses %s with %s', async (file, text, message) => {
    await writeFile(join(directory, file), text);
    const error = await loadTableSchemas(directory).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).message).toMatch(message);
    expect((error as ConfigurationError).message).not.toContain('\n');
  });

  test('names every faulty file', async () => {
    await writeFile(join(directory, 'a.json'), '{}');
    await writeFile(join(directory, 'b.json'), '"x"');
    await expect(loadTableSchemas(directory)).rejects.toThrow(/a\.json: [^\n]+\n[^\n]+b\.json: [^\n]+$/);
  });

  test('that is empty or missing is refused', async () => {
    await expect(loadTableSchemas(directory)).rejects.toThrow(/no table schema/);
    await expect(loadTableSchemas(join(directory, 'none'))).rejects.toThrow(/it does not exist/);
  });
});
