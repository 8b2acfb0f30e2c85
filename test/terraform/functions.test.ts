import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../shared/runtime/config.ts';
import { processContext } from '../../shared/runtime/config-context.ts';
import { SETTINGS } from '../../shared/runtime/settings.ts';
import { type DeployedFunction, functionsOf } from './support/resources.ts';
import { applied, GIVEN, terraformTest } from './support/terraform-test.ts';

/** Settings that no deployed function is given, each with the reason. */
const LOCAL_ONLY: Readonly<Record<string, string>> = {
  LQE_PORT: 'the platform says where functions listen, in PORT',
  LQE_HOST: 'the platform listens for them',
  LQE_LOGS: 'logs lie in BigQuery',
  LQE_FOLLOW: 'is about log files',
  LQE_SAVED: 'saved queries are files beside a local service',
  LQE_DATABASE: 'there is no DuckDB in the cloud',
  LQE_RETENTION: 'is about entries in DuckDB; the tables in BigQuery have their own',
  LQE_MEMORY_LIMIT: 'there is no DuckDB in the cloud',
  LQE_QUERIES: 'queries are in the bundle',
  LQE_SOURCES: 'table schemas are in the bundle',
  LQE_NOW: 'replays old logs',
  LQE_SKIP_INVALID: 'is about log files',
  LQE_TOKEN: 'is the token of a local process',
  LQE_TOKENS: 'access tokens lie in Firestore',
};

/** Settings that a deployment has only where its variables say so; terraform/tests/data.tftest.hcl looks at them. */
const WHERE_SET = ['LQE_LOG_TABLES'];

let functions: readonly DeployedFunction[];
beforeAll(async () => {
  const outcomes = await terraformTest({
    all: applied(`${GIVEN}\n  ingest = true\n  ingest_default_project = "acme"`),
  });
  functions = functionsOf(outcomes.get('all')?.resources ?? []);
});

/** The functions that run queries, and those that prepare them: all but the one that takes entries. */
const ofQueries = () => functions.filter(({ entryPoint }) => entryPoint !== 'ingest');

describe('the functions that are deployed', () => {
  test('are those that the code exports', () => {
    const code = readFileSync(new URL('../../functions/index.ts', import.meta.url), 'utf8');
    const exported = [...code.matchAll(/^ {2}'?([a-z0-9-]+)'?: fromEnvironment\(/gm)].map(([, name]) => name);
    expect(functions.map(({ entryPoint }) => entryPoint).sort()).toEqual(exported.sort());
  });

  test('are named by the deployment and their entry points', () => {
    expect(functions.filter(({ name, entryPoint }) => name !== `lqe-${entryPoint}`)).toEqual([]);
  });
});

describe('the environment of the functions', () => {
  test('has every setting of the configuration but those of a local start', () => {
    const given = new Set(
      functions.flatMap(({ environment, secrets }) => [...Object.keys(environment), ...secrets]),
    );
    const settings = Object.values(SETTINGS).map(({ env }) => env as string);
    for (const name of ['NODE_OPTIONS', 'NODE_COMPILE_CACHE']) given.delete(name);
    const deployed = settings.filter((env) => !(env in LOCAL_ONLY) && !WHERE_SET.includes(env));
    expect([...given].sort()).toEqual(deployed.sort());
  });

  test('leaves out no setting that does not exist', () => {
    const settings = Object.values(SETTINGS).map(({ env }) => env as string);
    const named = [...Object.keys(LOCAL_ONLY), ...WHERE_SET];
    expect(named.filter((env) => !settings.includes(env))).toEqual([]);
  });

  test('is one that the configuration accepts', () => {
    for (const { environment, secrets } of ofQueries()) {
      const secret = Object.fromEntries(secrets.map((key) => [key, 'ab'.repeat(32)]));
      const config = loadConfig([], { ...environment, ...secret }, processContext(false));
      expect(config).toMatchObject({
        warehouse: 'bigquery',
        googleProject: 'acme-logs',
        bigqueryDataset: 'acme-logs.lqe_logs',
        bigqueryLocation: 'europe-west1',
        partitionBy: 'hour',
        cache: 'firestore',
        firestoreDatabase: 'lqe-results',
        tokenDatabase: 'lqe-tokens',
        deadlineMs: 50_000,
        sqlDeadlineMs: 30_000,
        sqlRunning: 4,
        sqlWaiting: 16,
        sqlCpuSeconds: 60,
        sqlMaxBytes: 1_073_741_824,
        storedMaxBytes: 107_374_182_400,
        logFormat: 'json',
      });
    }
  });

  test('lets Node take headers as long as a local start does', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    const [flag = ''] = /--max-http-header-size=\d+/.exec(scripts.start) ?? [];
    expect(flag).not.toBe('');
    for (const { environment } of functions) expect(environment.NODE_OPTIONS?.split(' ')).toContain(flag);
  });

  test('has the settings of warming in warm alone', () => {
    const warming = functions
      .filter(({ environment }) => Object.keys(environment).some((name) => name.startsWith('LQE_WARM_')))
      .map(({ name }) => name);
    expect(warming).toEqual(['lqe-warm']);
  });

  test('keeps to as many sets for each token wherever they are noted', () => {
    const numbers = ofQueries().map(({ environment }) => environment.LQE_SETS_PER_TOKEN);
    expect(new Set(numbers)).toEqual(new Set(['100']));
  });

  test('looks tokens up in Firestore, but for warm, which checks none', () => {
    const stores = functions.map(({ entryPoint, environment }) => [entryPoint, environment.LQE_TOKEN_STORE]);
    const expected = functions.map(({ entryPoint }) => [
      entryPoint,
      entryPoint === 'warm' ? 'file' : 'firestore',
    ]);
    expect(stores).toEqual(expected);
  });

  test('has the cursor key as a secret, never as text', () => {
    expect(functions.filter(({ environment }) => 'LQE_CURSOR_KEY' in environment)).toEqual([]);
  });
});
