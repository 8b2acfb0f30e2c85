import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runCheck } from '../../cli/check.ts';
import { fileTokenRegistry } from '../../shared/access/file-token-registry.ts';
import { issueToken } from '../../shared/access/issue-token.ts';
import { NO_LIMITS } from '../../shared/access/token-limits.ts';
import { close, listen } from '../shared/http/support/http-client.ts';
import { runHere } from './support/run-here.ts';

/** What BigQuery's REST API answers, by the end of the path. */
const answers = new Map<string, readonly [status: number, body: object]>();
const server = createServer((req, res) => {
  const path = new URL(req.url ?? '/', 'http://a').pathname;
  const found = [...answers].find(([end]) => path.endsWith(end))?.[1] ?? [404, {}];
  res.writeHead(found[0], { 'Content-Type': 'application/json' }).end(JSON.stringify(found[1]));
});
const refused = (status: number, reason: string) =>
  [status, { error: { message: 'inside', errors: [{ reason, message: 'inside' }] } }] as const;

let folder: string;
let host: string;
let tokens: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-check-'));
  host = `127.0.0.1:${await listen(server)}`;
  tokens = join(folder, 'tokens.json');
  const { record } = issueToken(
    { name: 'a', endpoints: null, projects: null, expiresAtMs: null, limits: NO_LIMITS },
    Date.now(),
  );
  await fileTokenRegistry(tokens).add(record);
  await mkdir(join(folder, 'sources'));
  await writeFile(join(folder, 'sources', 'edge_logs.json'), JSON.stringify(SCHEMA));
});
afterAll(async () => {
  await close(server);
  await rm(folder, { recursive: true });
});

const SCHEMA = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
];
const TABLE = { schema: { fields: SCHEMA }, timePartitioning: { type: 'HOUR', field: 'timestamp' } };

beforeEach(() => {
  answers.clear();
  answers.set('/jobs', [200, {}]);
  answers.set('/datasets/logs', [200, { location: 'EU' }]);
  answers.set('/tables/edge_logs', [200, TABLE]);
});

/** Checks with the fake in place of BigQuery and tokens in a file, which is its own error. */
async function errorsWith(changes: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const env = {
    BIGQUERY_EMULATOR_HOST: host,
    LQE_WAREHOUSE: 'bigquery',
    LQE_GOOGLE_PROJECT: 'acme-logs',
    LQE_BIGQUERY_DATASET: 'logs',
    LQE_SOURCES: join(folder, 'sources'),
    LQE_TOKENS: tokens,
    LQE_CURSOR_KEY: 'ab'.repeat(32),
    ...changes,
  };
  const { stdout } = await runHere(runCheck, ['--json'], { env });
  const found = JSON.parse(stdout) as {
    subject: string;
    problem: string;
    remedy: string;
    severity: string;
  }[];
  return found
    .filter(({ subject }) => subject === 'BigQuery')
    .map(({ severity, problem, remedy }) => `${severity} ${problem}; ${remedy}`);
}

describe('lqe check asks BigQuery', () => {
  test('and finds nothing where all is there', async () => {
    expect(await errorsWith({ LQE_BIGQUERY_LOCATION: 'eu' })).toEqual([]);
  });

  test.each<[string, string, readonly [number, object], RegExp]>([
    [
      'the dataset',
      '/datasets/logs',
      refused(403, 'accessDenied'),
      /may not see the dataset acme-logs\.logs; give it/,
    ],
    [
      'a table',
      '/tables/edge_logs',
      refused(403, 'accessDenied'),
      /may not read the table edge_logs; give it/,
    ],
    [
      'queries',
      '/jobs',
      refused(403, 'accessDenied'),
      /may not run queries in the project acme-logs; give it/,
    ],
    ['anything', '/datasets/logs', refused(401, 'authError'), /no valid Google credentials/],
    ['what fails', '/datasets/logs', refused(503, 'backendError'), /cannot be reached \(it answered 503\)/],
    ['what is no BigQuery', '/tables/edge_logs', [200, { schema: 7 }], /not BigQuery/],
    ['a table without a schema', '/tables/edge_logs', [200, {}], /has an unknown schema/],
  ])('for %s', async (_, end, answer, words) => {
    answers.set(end, answer);
    const errors = await errorsWith();
    expect(errors).toEqual([expect.stringMatching(words)]);
    expect(errors[0]).toMatch(/^error /);
    expect(errors[0]).not.toContain('inside');
  });

  test('about partitions', async () => {
    answers.set('/tables/edge_logs', [200, { schema: TABLE.schema, requirePartitionFilter: true }]);
    expect(await errorsWith()).toEqual([
      expect.stringMatching(/^warning the table edge_logs is not partitioned by timestamp/),
      expect.stringMatching(/^error the table edge_logs requires a partition filter/),
    ]);
  });

  test.each([
    ['DAY', 'by day, not by hour, .*; set LQE_PARTITION_BY=day$'],
    ['MONTH', 'by month, not by hour, .*; load its logs into a table that is partitioned by hour or day$'],
  ])('about partitions of another length: %s', async (type, words) => {
    const table = { ...TABLE, timePartitioning: { type, field: 'timestamp' } };
    answers.set('/tables/edge_logs', [200, table]);
    expect(await errorsWith()).toEqual([
      expect.stringMatching(`^warning the table edge_logs is partitioned ${words}`),
    ]);
    expect(await errorsWith({ LQE_PARTITION_BY: 'day' })).toHaveLength(type === 'DAY' ? 0 : 1);
  });

  test('about its place', async () => {
    expect(await errorsWith({ LQE_BIGQUERY_LOCATION: 'US' })).toEqual([
      'error the dataset lies in EU, not in US; set LQE_BIGQUERY_LOCATION=EU',
    ]);
  });
});

describe('lqe check asks BigQuery about tables and views that are named', () => {
  const NAMED = { LQE_BIGQUERY_DATASET: '', LQE_LOG_TABLES: '{"edge_logs":"acme-lake.raw.cloudflare"}' };
  const VIEW = { ...TABLE, type: 'VIEW', timePartitioning: undefined };
  const reading = (count: number) => {
    const table = (_: unknown, index: number) => ({ projectId: 'p', datasetId: 'd', tableId: `t${index}` });
    return { statistics: { query: { referencedTables: Array.from({ length: count }, table) } } };
  };
  const at = '/projects/acme-lake/datasets/raw/tables/cloudflare';

  test('and finds nothing where a table or a view has all', async () => {
    answers.set(at, [200, TABLE]);
    expect(await errorsWith(NAMED)).toEqual([]);
    answers.set(at, [200, VIEW]);
    answers.set('/jobs', [200, reading(3)]);
    expect(await errorsWith(NAMED)).toEqual([]);
  });

  test.each<[string, readonly [number, object], RegExp]>([
    [
      'is not there',
      refused(404, 'notFound'),
      /^error there is no table or view acme-lake\.raw\.cloudflare, which LQE_LOG_TABLES names for edge_logs; create it/,
    ],
    [
      'may not be read',
      refused(403, 'accessDenied'),
      /^error the account in use may not read the table acme-lake\.raw\.cloudflare; give it/,
    ],
    [
      'lacks a column',
      [200, { ...TABLE, schema: { fields: SCHEMA.slice(1) } }],
      /^error the table acme-lake\.raw\.cloudflare \(edge_logs\) lacks the column id \(STRING\); add it with "bq update", or/,
    ],
    [
      'is not partitioned',
      [200, { schema: TABLE.schema }],
      /^warning the table acme-lake\.raw\.cloudflare \(edge_logs\) is not partitioned/,
    ],
  ])('that a table %s', async (_, answer, words) => {
    answers.set(at, answer);
    expect(await errorsWith(NAMED)).toEqual([expect.stringMatching(words)]);
  });

  test.each<[string, object, readonly [number, object], RegExp]>([
    [
      'lacks a column',
      { ...VIEW, schema: { fields: SCHEMA.slice(1) } },
      [200, reading(1)],
      /^error the view acme-lake\.raw\.cloudflare \(edge_logs\) lacks the column id \(STRING\); add it to the query of the view$/,
    ],
    [
      'has one of another type',
      { ...VIEW, schema: { fields: [{ name: 'id', type: 'INTEGER' }, SCHEMA[1]] } },
      [200, reading(1)],
      /^error the view .* has the column id as INT64 in place of STRING; cast it in the query of the view$/,
    ],
    [
      'reads so many tables that BigQuery may not name all',
      VIEW,
      [200, reading(50)],
      /^warning the view acme-lake\.raw\.cloudflare reads 50 tables or more/,
    ],
  ])('that a view %s', async (_, view, jobs, words) => {
    answers.set(at, [200, view]);
    answers.set('/jobs', jobs);
    expect(await errorsWith(NAMED)).toEqual([expect.stringMatching(words)]);
  });

  test('that a view cannot be read, or what is beneath it may not', async () => {
    answers.set(at, [200, VIEW]);
    answers.set('/jobs', refused(400, 'invalidQuery'));
    expect(await errorsWith(NAMED)).toContainEqual(
      expect.stringMatching(
        /^error the view acme-lake\.raw\.cloudflare cannot be read \(inside\); mend its query$/,
      ),
    );
    answers.set('/jobs', refused(403, 'accessDenied'));
    expect(await errorsWith(NAMED)).toContainEqual(
      expect.stringMatching(
        /^error the account in use may not read what the view acme-lake\.raw\.cloudflare reads; authorize/,
      ),
    );
  });

  test('in what location they are', async () => {
    answers.set(at, [200, { ...TABLE, location: 'US' }]);
    expect(await errorsWith({ ...NAMED, LQE_BIGQUERY_LOCATION: 'EU' })).toEqual([
      'error the table acme-lake.raw.cloudflare (edge_logs) lies in US, not in EU; set LQE_BIGQUERY_LOCATION=US',
    ]);
  });

  test('and of datasets whose names no query could have', async () => {
    answers.set('/datasets/Timestamp/tables/x', [200, TABLE]);
    expect(await errorsWith({ ...NAMED, LQE_LOG_TABLES: '{"edge_logs":"Timestamp.x"}' })).toEqual([
      'error the project or dataset Timestamp has the name of a column, which no query in sql or lql can then name; use a dataset of another name; one with views is enough',
    ]);
  });

  test('not where a source is absent, which it tells', async () => {
    expect(await errorsWith({ ...NAMED, LQE_LOG_TABLES: '{"edge_logs":null}' })).toEqual([
      'warning the source edge_logs is absent, so queries over it answer no rows; if it has a table, name it in LQE_LOG_TABLES',
    ]);
  });
});

describe('lqe check', () => {
  const check = (env: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
    runHere(runCheck, argv, { env });

  test('finds nothing wrong with a local start that has a token', async () => {
    expect(await check({ LQE_TOKENS: tokens })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Everything is in place.\n',
    });
  });

  test('tells every setting that is malformed, and lets options win', async () => {
    const { code, stdout, stderr } = await check({ LQE_PORT: 'x', LQE_CACHE: 'y' });
    expect([code, stderr]).toEqual([1, '2 errors, 0 warnings.\n']);
    expect(stdout).toMatch(
      /^error {2}settings: --port \(or LQE_PORT\) was given 'x'.*\nerror {2}settings: --cache/,
    );
    expect((await check({ LQE_CACHE: 'y', LQE_TOKENS: tokens }, '--cache', 'memory')).code).toBe(0);
  });

  test('reports a stored query that the second reader cannot read', async () => {
    const queries = join(folder, 'queries');
    await cp('queries', queries, { recursive: true });
    const piped =
      'FROM logs.edge_logs |> WHERE project = @project AND timestamp > TIMESTAMP(@interval) |> LIMIT 1';
    await writeFile(join(queries, 'usage.api-counts.sql'), piped);
    const { code, stdout } = await check({ LQE_TOKENS: tokens }, '--queries', queries);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error {2}queries: usage\.api-counts\.sql: .*node-sql-parser, cannot read it/);
  });

  test('tells what is wrong with queries and table schemas', async () => {
    const bad = await mkdtemp(join(folder, 'bad-'));
    await writeFile(join(bad, 'x.json'), '{');
    const { code, stdout } = await check({ LQE_TOKENS: tokens }, '--sources', bad);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error {2}settings: .*x\.json: not valid JSON/);
  });
});
