import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { authenticate } from '../../../shared/access/authenticate.ts';
import { issueToken } from '../../../shared/access/issue-token.ts';
import { updateTokenFile } from '../../../shared/access/token-file.ts';
import { ConfigurationError } from '../../../shared/errors/configuration-error.ts';
import { type ComposeOptions, composeService, type Service } from '../../../shared/runtime/compose.ts';
import { loadConfig } from '../../../shared/runtime/config.ts';
import { processContext } from '../../../shared/runtime/config-context.ts';

let folder: string;
let services: Service[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compose-'));
  services = [];
  await writeFile(
    join(folder, 'edge_logs.ndjson'),
    '{"id":"a","timestamp":1,"project":"p","colour":"red"}\n',
  );
});
afterEach(async () => {
  for (const service of services) await service.close();
  await rm(folder, { recursive: true });
});

async function compose(
  settings: Readonly<Record<string, string>> = {},
  options: Partial<ComposeOptions> = {},
): Promise<Service> {
  const env = {
    LQE_LOGS: folder,
    LQE_TOKENS: join(folder, 'tokens.json'),
    LQE_MEMORY_LIMIT: '256',
    ...settings,
  };
  const service = await composeService(loadConfig([], env, processContext(false)), {
    writeLog: () => {},
    progress: () => {},
    warn: () => {},
    signal: new AbortController().signal,
    ...options,
  });
  services.push(service);
  return service;
}

async function idsOf(service: Service, source = 'edge_logs'): Promise<unknown[]> {
  const query = { sql: `SELECT id FROM logs.${source} ORDER BY id LIMIT 5`, parameters: new Map() };
  const { rows } = await service.warehouse.run(query, { maxRows: 5, deadlineMs: 600_000, nowMicros: 0n });
  return rows.map((row) => JSON.parse(row).id);
}

describe('a service', () => {
  test('serves the logs of a folder, whose own fields its tables have', async () => {
    const service = await compose();
    expect(service.logs?.origin).toBe('files');
    expect(await idsOf(service)).toEqual(['a']);
    expect(service.warehouse.tables.get('edge_logs')?.at(-1)).toMatchObject({
      name: 'colour',
      type: 'STRING',
    });
    expect([...service.warehouse.tables.keys()]).toHaveLength(9);
    expect(await idsOf(service, 'auth_logs')).toEqual([]);
  });

  test('serves what its database file holds when there is no folder, and replaces it when there is one', async () => {
    const database = join(folder, 'kept.db');
    await (await compose({ LQE_DATABASE: database })).close();
    services.pop();
    const kept = await compose({ LQE_DATABASE: database, LQE_LOGS: '' });
    expect(kept.logs?.origin).toBe('database');
    expect(await idsOf(kept)).toEqual(['a']);
    expect(kept.warehouse.tables.get('edge_logs')?.at(-1)).toMatchObject({ name: 'colour' });
    await kept.close();
    services.pop();
    await writeFile(join(folder, 'edge_logs.ndjson'), '{"id":"b","timestamp":1}\n');
    expect(await idsOf(await compose({ LQE_DATABASE: database }))).toEqual(['b']);
  });

  test('serves demo logs of every source up to its clock when there is nothing else', async () => {
    const now = '2026-01-31T12:00:00Z';
    const service = await compose({ LQE_LOGS: '', LQE_NOW: now });
    expect(service.logs?.origin).toBe('demo');
    for (const source of service.warehouse.tables.keys()) {
      const sql = `SELECT COUNT(*) > 10 AS many, MAX(timestamp) <= CURRENT_TIMESTAMP() AS past,
        MAX(timestamp) > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR) AS fresh FROM logs.${source}`;
      const query = { sql, parameters: new Map() };
      const options = { maxRows: 5, deadlineMs: 600_000, nowMicros: service.nowMicros() };
      expect([source, (await service.warehouse.run(query, options)).rows]).toEqual([
        source,
        ['{"many":true,"past":true,"fresh":true}'],
      ]);
    }
  });

  test('has the clock that was set, and the real one otherwise', async () => {
    expect((await compose({ LQE_NOW: '1970-01-01T00:00:01.000002Z' })).nowMicros()).toBe(1_000_002n);
    const before = BigInt(Date.now()) * 1000n;
    const now = (await compose()).nowMicros();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(BigInt(Date.now()) * 1000n);
  });

  test('knows its local token and those of the file', async () => {
    const { token, record } = issueToken(
      { name: 'studio', endpoints: null, projects: null, expiresAtMs: null },
      0,
    );
    await updateTokenFile(join(folder, 'tokens.json'), (tokens) => [...tokens, record]);
    const fixed = 'a-fixed-token-for-tests';
    const service = await compose({ LQE_TOKEN: fixed });
    expect(service.localToken).toBe(fixed);
    const nameOf = async (one: string) =>
      (await authenticate({ 'x-api-key': one }, service.tokens, Date.now())).name;
    expect([await nameOf(fixed), await nameOf(token)]).toEqual(['local', 'studio']);
    const [one, other] = [await compose(), await compose()];
    expect(one.localToken).not.toBe(other.localToken);
    await expect(nameOf(one.localToken)).rejects.toThrow('token is unknown');
  });
});

describe('a service that cannot be', () => {
  const refused = async (...args: Parameters<typeof compose>) => {
    const thrown: unknown = await compose(...args).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ConfigurationError);
    return (thrown as ConfigurationError).message;
  };

  test('names every query that its tables cannot answer, and lets go of its database', async () => {
    const queries = join(folder, 'queries');
    await cp('queries', queries, { recursive: true });
    await rm(join(queries, 'sources'), { recursive: true });
    for (const name of ['logs.all', 'usage.api-counts']) {
      await writeFile(join(queries, `${name}.sql`), wrongQuery(name));
    }
    const database = join(folder, 'kept.db');
    const message = await refused({ LQE_QUERIES: queries, LQE_DATABASE: database });
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/logs\.all\.sql: .*edge_log\b.* \(line 2, column 6\)$/),
      expect.stringMatching(/usage\.api-counts\.sql: .*edge_log\b.* \(line 2, column 6\)$/),
    ]);
    expect(await idsOf(await compose({ LQE_DATABASE: database, LQE_LOGS: '' }))).toEqual(['a']);
  });

  function wrongQuery(name: string): string {
    const parameters =
      name === 'logs.all' ? ['project', 'iso_timestamp_start', 'iso_timestamp_end'] : ['interval', 'project'];
    return `SELECT ${parameters.map((parameter) => `@${parameter}`).join(', ')}\nFROM logs.edge_log`;
  }

  test('leaves a database as it was when its loading is stopped', async () => {
    const database = join(folder, 'kept.db');
    await (await compose({ LQE_DATABASE: database })).close();
    services.pop();
    const stop = new AbortController();
    await writeFile(join(folder, 'auth_logs.ndjson'), '{"id":"new","timestamp":1}\n');
    const options = { signal: stop.signal, progress: () => stop.abort() };
    await expect(compose({ LQE_DATABASE: database }, options)).rejects.toThrow();
    const kept = await compose({ LQE_DATABASE: database, LQE_LOGS: '' });
    expect([await idsOf(kept), await idsOf(kept, 'auth_logs')]).toEqual([['a'], []]);
  });

  test('says which line of which file is malformed', async () => {
    await writeFile(join(folder, 'edge_logs.ndjson'), '{"id":"a","timestamp":1}\n{"id":[7],"timestamp":1}\n');
    expect(await refused()).toMatch(/edge_logs\.ndjson, line 2: id: /);
  });

  test('says that the file of tokens is malformed before any logs are loaded', async () => {
    await writeFile(join(folder, 'tokens.json'), '[');
    await writeFile(join(folder, 'edge_logs.ndjson'), 'malformed');
    expect(await refused()).toMatch(/tokens\.json cannot be used/);
  });
});
