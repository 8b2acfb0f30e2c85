import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { firestoreTokenRegistry } from '../../../shared/access/firestore/firestore-token-registry.ts';
import { issueToken } from '../../../shared/access/issue-token.ts';
import { NO_LIMITS } from '../../../shared/access/token-limits.ts';
import { firestoreConnection } from '../../../shared/firestore/firestore-connection.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { TableSchema, TableSchemas } from '../../../shared/schema/table-schema.ts';
import { type Ended, runLqe } from '../../cli/support/run-lqe.ts';
import {
  type SchedulerServer,
  startScheduler,
} from '../../shared/warming/scheduler/support/scheduler-server.ts';
import { makeDataset } from '../bigquery/support/emulated-dataset.ts';
import { EMULATED_PROJECT } from '../support/bigquery-emulator.ts';

const REGION = 'europe-west1';
const JOB = `projects/${EMULATED_PROJECT}/locations/${REGION}/jobs/lqe-warm-usage-api-counts`;
const CURSOR_KEY = 'ab'.repeat(32);

let cwd: string;
let schemas: TableSchemas;
let dataset: string;
let database: string;
let scheduler: SchedulerServer;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lqe-check-'));
  schemas = await loadTableSchemas('queries/sources');
  dataset = await makeDataset(schemas, new Map());
  database = newDatabase();
  await addToken(database, 'studio', null);
  scheduler = await startScheduler({ [JOB]: {} });
});
afterAll(async () => {
  scheduler.stop();
  await rm(cwd, { recursive: true });
});

/** A database that no other test writes to. */
function newDatabase(): string {
  return `check-${randomUUID()}`;
}

async function addToken(id: string, name: string, expiresAtMs: number | null): Promise<void> {
  const address = { googleProject: EMULATED_PROJECT, database: id };
  const registry = firestoreTokenRegistry(firestoreConnection(address));
  const request = { name, endpoints: null, projects: null, expiresAtMs, limits: NO_LIMITS };
  await registry.add(
    issueToken(request, Math.min(Date.now(), (expiresAtMs ?? Number.POSITIVE_INFINITY) - 1)).record,
  );
  await registry.close();
}

/** Checks a deployment that is whole but for the variables given. */
function check(changes: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { BIGQUERY_EMULATOR_HOST = '', FIRESTORE_EMULATOR_HOST = '' } = process.env;
  const env = {
    BIGQUERY_EMULATOR_HOST,
    FIRESTORE_EMULATOR_HOST,
    METADATA_SERVER_DETECTION: 'none',
    LQE_SCHEDULER_EMULATOR_HOST: scheduler.host,
    LQE_WAREHOUSE: 'bigquery',
    LQE_CACHE: 'firestore',
    LQE_TOKEN_STORE: 'firestore',
    LQE_GOOGLE_PROJECT: EMULATED_PROJECT,
    LQE_BIGQUERY_DATASET: dataset,
    LQE_FIRESTORE_DATABASE: database,
    LQE_CURSOR_KEY: CURSOR_KEY,
    LQE_REGION: REGION,
    ...changes,
  };
  return runLqe(['check'], { cwd, env }).ended;
}

/** The lines with what is wrong; tables of the emulator never are partitioned, which is a warning each. */
function errorsOf({ stdout }: Ended): string[] {
  return stdout.split('\n').filter((line) => line.startsWith('error'));
}

describe('lqe check', () => {
  test('finds nothing wrong in a deployment that is whole', async () => {
    const ended = await check();
    expect(errorsOf(ended)).toEqual([]);
    expect(ended.code).toBe(0);
    const others = ended.stdout.split('\n').filter((line) => !line.includes('not partitioned by timestamp'));
    expect(others).toEqual(['']);
    expect(ended.stderr).toBe(`0 errors, ${schemas.size} warnings.\n`);
  });

  test('finds missing tables and columns, and columns of other types', async () => {
    const changed = new Map(schemas);
    changed.delete('auth_logs');
    changed.set('postgres_logs', without('event_message', schemas.get('postgres_logs') ?? []));
    changed.set('storage_logs', without('metadata.project', schemas.get('storage_logs') ?? []));
    changed.set(
      'edge_logs',
      (schemas.get('edge_logs') ?? []).map((field) =>
        field.name === 'project' ? { ...field, type: 'INT64' } : field,
      ),
    );
    const broken = await makeDataset(changed, new Map());
    const ended = await check({ LQE_BIGQUERY_DATASET: broken });
    expect(ended.code).toBe(1);
    expect(errorsOf(ended).sort()).toEqual([
      expect.stringMatching(/the table edge_logs has the column project as INT64 in place of STRING; load/),
      expect.stringMatching(/the table postgres_logs lacks the column event_message \(STRING\); add it/),
      expect.stringMatching(/the table storage_logs lacks the column metadata.project \(STRING\); add it/),
      expect.stringMatching(new RegExp(`there is no table auth_logs in ${EMULATED_PROJECT}.${broken}; run`)),
    ]);
  });

  test('finds that there is no such dataset', async () => {
    const ended = await check({ LQE_BIGQUERY_DATASET: 'no_such_dataset' });
    expect(errorsOf(ended)).toEqual([expect.stringContaining('there is no dataset')]);
    expect(ended.code).toBe(1);
  });

  test('finds services that cannot be reached', async () => {
    const away = '127.0.0.1:1';
    const ended = await check({
      BIGQUERY_EMULATOR_HOST: away,
      FIRESTORE_EMULATOR_HOST: away,
      LQE_SCHEDULER_EMULATOR_HOST: away,
    });
    expect(ended.code).toBe(1);
    expect(errorsOf(ended)).toEqual([
      expect.stringMatching(/BigQuery: it cannot be reached; check the network/),
      expect.stringMatching(/access tokens: The Firestore database .* cannot be used/),
      expect.stringMatching(/result cache: The Firestore database .* cannot be used/),
      expect.stringMatching(/warming: .*cannot be reached; check the network/),
    ]);
  });

  test('finds that there is no token, or only ones that have expired', async () => {
    const empty = newDatabase();
    const none = await check({ LQE_FIRESTORE_DATABASE: empty });
    expect([none.code, errorsOf(none)]).toEqual([
      1,
      [expect.stringContaining('there are none, so no caller')],
    ]);

    await addToken(empty, 'old', Date.now() - 1000);
    const expired = await check({ LQE_FIRESTORE_DATABASE: empty });
    expect(errorsOf(expired)).toEqual([expect.stringContaining('all have expired or were revoked')]);

    await addToken(empty, 'soon', Date.now() + 3.5 * 86_400_000);
    const soon = await check({ LQE_FIRESTORE_DATABASE: empty });
    expect(soon.code).toBe(0);
    expect(soon.stdout).toContain('warning  access tokens: "old" has expired; issue a new one');
    expect(soon.stdout).toContain('warning  access tokens: "soon" expires in 3 days; issue a new one');
  });

  test('finds a malformed record of a token', async () => {
    const bad = newDatabase();
    await addToken(bad, 'good', null);
    const connection = firestoreConnection({ googleProject: EMULATED_PROJECT, database: bad });
    const write = connection.call(20_000, ({ database: open }) =>
      open.collection('lqe_tokens').doc('x').set({ name: 1 }),
    );
    await write;
    await connection.close();
    const ended = await check({ LQE_FIRESTORE_DATABASE: bad });
    expect(errorsOf(ended)).toEqual([expect.stringMatching(/The document lqe_tokens\/'?x'? is malformed/)]);
  });

  test('finds jobs that are missing, paused or fail', async () => {
    const job = scheduler.jobs.get(JOB) ?? {};
    const broken: readonly (readonly [object | null, RegExp])[] = [
      [null, /warming: The endpoint "usage.api-counts" has no warming job .*; check both names/],
      [{ state: 'PAUSED' }, /is paused, so its results go cold; run "lqe warm resume usage.api-counts"/],
      [{ state: 'UPDATE_FAILED' }, /is in the state update_failed; run "terraform apply"/],
      [{ status: { code: 7, message: 'denied' } }, /the last call .* failed \(7 denied\)/],
    ];
    for (const [change, words] of broken) {
      if (change === null) scheduler.jobs.delete(JOB);
      else scheduler.jobs.set(JOB, { ...job, ...change });
      const ended = await check();
      expect([ended.code, errorsOf(ended)]).toEqual([1, [expect.stringMatching(words)]]);
    }
    scheduler.jobs.set(JOB, job);
  });

  test('finds settings that do not go together', async () => {
    const ended = await check({ LQE_CURSOR_KEY: '', LQE_CACHE: 'memory', LQE_REGION: '', LQE_CASH: 'x' });
    expect(ended.code).toBe(1);
    expect(errorsOf(ended)).toEqual([
      expect.stringContaining('LQE_CURSOR_KEY is not set'),
      expect.stringContaining('LQE_CACHE is memory beside BigQuery'),
    ]);
    expect(ended.stdout).toContain('LQE_CASH is not a setting and has no effect; rename it to LQE_CACHE');
    expect(ended.stdout).toContain(
      'the jobs in Cloud Scheduler were not checked; give --region (or LQE_REGION)',
    );
  });
});

/** The schema without a column, or without a field of one. */
function without(path: string, schema: TableSchema): TableSchema {
  const [name, ...rest] = path.split('.');
  return schema.flatMap((field) => {
    if (field.name !== name) return [field];
    return rest.length === 0 ? [] : [{ ...field, fields: without(rest.join('.'), field.fields) }];
  });
}
