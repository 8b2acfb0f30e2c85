import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { hasLogs, readStoredSchemas } from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { type LogFolder, logFolder, ndjson, SCHEMAS } from './log-folder.ts';

let folder: string;
let opened: LogFolder[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-file-'));
  opened = [];
});
afterEach(async () => {
  for (const logs of opened) await logs.remove();
  await rm(folder, { recursive: true });
});

async function open(): Promise<LogFolder> {
  const logs = await logFolder(join(folder, 'kept.db'));
  opened.push(logs);
  return logs;
}

async function close(logs: LogFolder): Promise<void> {
  opened = opened.filter((other) => other !== logs);
  await logs.remove();
}

test('a file keeps the logs and their GoogleSQL types for the next start', async () => {
  const first = await open();
  expect(await hasLogs(first.store)).toBe(false);
  await first.write({ 'app_logs.ndjson': ndjson({ raw: 'AP8=', local: '2024-01-01', extra: [1.5] }) });
  const { schemas } = await first.load();
  const rows = await first.rows();
  await close(first);

  const second = await open();
  await second.store.lock();
  expect(await hasLogs(second.store)).toBe(true);
  expect(await readStoredSchemas(second.store)).toEqual(schemas);
  expect(await second.rows()).toEqual(rows);
});

test('a file can be loaded again and keeps the new logs only', async () => {
  for (const id of ['first', 'second']) {
    const logs = await open();
    await logs.write({ 'edge_logs.ndjson': ndjson({ id, [id]: 1 }) });
    await logs.load();
    await close(logs);
  }
  const logs = await open();
  expect(await logs.rows('edge_logs')).toMatchObject([{ id: 'second', second: 1 }]);
  expect((await readStoredSchemas(logs.store)).get('edge_logs')?.map(({ name }) => name)).toEqual([
    ...(SCHEMAS.get('edge_logs') ?? []).map(({ name }) => name),
    'second',
  ]);
});

test('a process that is killed in the middle of a load leaves the old logs', async () => {
  const first = await open();
  await first.write({ 'edge_logs.ndjson': ndjson({ id: 'old' }) });
  await first.load();
  await close(first);

  const product = new URL('../../../../../shared/', import.meta.url);
  const script = `
    const { openStore } = await import(${JSON.stringify(new URL('warehouse/duckdb/store/open-store.ts', product).href)});
    const { loadEntries } = await import(${JSON.stringify(new URL('warehouse/duckdb/loading/load-logs.ts', product).href)});
    const store = await openStore({ databaseFile: process.argv[1], memoryLimitMiB: 256, temporaryParent: process.argv[2] });
    const schema = JSON.parse(process.argv[3]);
    function* lines() {
      for (let n = 0; n < 100_000; n += 1) yield JSON.stringify({ id: 'new', timestamp: n, metadata: [] });
      process.kill(process.pid, 'SIGKILL');
    }
    await loadEntries({ store, schemas: new Map([['edge_logs', schema]]), source: 'edge_logs', lines: lines() });`;
  const args = [join(folder, 'kept.db'), folder, JSON.stringify(SCHEMAS.get('edge_logs'))];
  const other = spawn(process.execPath, ['--input-type=module', '-e', script, ...args], { stdio: 'inherit' });
  expect(await once(other, 'exit')).toEqual([null, 'SIGKILL']);

  const second = await open();
  expect(await second.rows('edge_logs')).toMatchObject([{ id: 'old' }]);
});
