import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../../shared/runtime/config.ts';
import { processContext } from '../../../shared/runtime/config-context.ts';
import { fillStore } from '../../../shared/runtime/fill-store.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { TableSchema, TableSchemas } from '../../../shared/schema/table-schema.ts';
import { loadEntries } from '../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../shared/warehouse/duckdb/store/open-store.ts';

const SCHEMAS = await loadTableSchemas('queries/sources');
const NOW = 1_769_861_400_000_000n;

/** The schemas without the fields of auth_logs that have one of the names, at any depth. */
function without(schemas: TableSchemas, ...names: readonly string[]): TableSchemas {
  const strip = (fields: TableSchema): TableSchema =>
    fields
      .filter(({ name }) => !names.includes(name))
      .map((field) => ({ ...field, fields: strip(field.fields) }));
  return new Map([...schemas].map(([name, schema]) => [name, name === 'auth_logs' ? strip(schema) : schema]));
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fill-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Loads an entry under some schemas, then starts on the file as this version does; resolves to what is warned of. */
async function warningsAfter(loadedWith: TableSchemas): Promise<{ origin: string; warnings: string[] }> {
  const databaseFile = join(folder, 'logs.duckdb');
  const store = await openStore({ databaseFile, memoryLimitMiB: 256, threads: 1 });
  const warnings: string[] = [];
  try {
    const entry = { id: 'a', timestamp: '2026-01-31T12:00:00Z', project: 'demo', metadata: [] };
    await loadEntries({ store, schemas: loadedWith, source: 'auth_logs', lines: [JSON.stringify(entry)] });
    const config = loadConfig(['--database', databaseFile], {}, processContext(false));
    const { origin } = await fillStore(store, SCHEMAS, config, {
      nowMicros: NOW,
      progress: () => {},
      warn: (message) => warnings.push(message.replace(databaseFile, 'logs.duckdb')),
      signal: new AbortController().signal,
    });
    return { origin, warnings };
  } finally {
    await store.close();
  }
}

describe('a database file that is there', () => {
  test('is served without a word when its tables have all fields', async () => {
    expect(await warningsAfter(SCHEMAS)).toEqual({ origin: 'database', warnings: [] });
  });

  test('is served with the fields that it was loaded with, and the missing ones are reported', async () => {
    const { origin, warnings } = await warningsAfter(without(SCHEMAS, 'request_id'));
    expect([origin, warnings]).toEqual([
      'database',
      [
        'logs.duckdb lacks fields that the sources have: auth_logs.metadata.request_id; queries that name them are refused until the logs are loaded again',
      ],
    ]);
  });

  test('names a few of many', async () => {
    const names = ['request_id', 'host', 'level', 'method', 'path', 'msg', 'error'];
    const { warnings } = await warningsAfter(without(SCHEMAS, ...names));
    expect(warnings).toEqual([
      expect.stringMatching(/(auth_logs\.metadata\.\w+, ){4}auth_logs\.metadata\.\w+ and 2 more;/),
    ]);
  });
});
