import { describe, expect, test } from '@jest/globals';
import { LEAST_UNDERLYING_AGE_MS } from '../../../../shared/warehouse/bigquery/jobs/table-check.ts';
import { UNDERLYING_TTL_MS } from '../../../../shared/warehouse/bigquery/jobs/underlying-tables.ts';
import { type FakeAnswer, type FakeCall, failed, finished } from './support/fake-bigquery.ts';
import { openOnFake } from './support/warehouse-on-fake.ts';

const LOG_TABLES = new Map([
  ['edge_logs', 'lake-project.views.edge'],
  ['auth_logs', null],
]);
const EVERYTHING =
  "SELECT * FROM `lake-project`.views.edge WHERE timestamp > TIMESTAMP '1970-01-01 00:00:00+00'";

const named = (name: string) => {
  const [projectId, datasetId, tableId] = name.split('.');
  return { projectId, datasetId, tableId };
};

const dryRunOf = (...names: readonly string[]): FakeAnswer => ({
  json: { statistics: { query: { referencedTables: names.map(named) } } },
});

const isOfView = ({ path, body }: FakeCall) =>
  path === '/jobs' && body.configuration.query.query === EVERYTHING;

/** Opens a warehouse whose edge_logs is a view; `reads` says what BigQuery names for a consumer's query, and for the view. */
async function openOnView(reads: { query: readonly string[]; view: readonly string[] | FakeAnswer }) {
  const clock = { nowMs: 0 };
  const opened = await openOnFake(
    (call) => {
      if (call.path !== '/jobs') return finished('a');
      if (!isOfView(call)) return dryRunOf(...reads.query);
      return Array.isArray(reads.view) ? dryRunOf(...reads.view) : (reads.view as FakeAnswer);
    },
    { logTables: LOG_TABLES, monotonicMs: () => clock.nowMs },
  );
  const ask = (id: string) => ({
    sql: `SELECT id FROM logs.edge_logs WHERE id = '${id}'`,
    isUntrusted: true,
  });
  const viewsAsked = () => opened.fake.calls.filter(isOfView).length;
  return { ...opened, clock, ask, viewsAsked };
}

const REFUSAL = {
  kind: 'invalid_argument',
  message: 'The query may only read the sources of the endpoint.',
};

describe('a source that is a view', () => {
  test('may read what BigQuery reads for all of it, and is asked about once', async () => {
    const view = ['lake-project.raw.cloudflare', 'lake-project.raw.names'];
    const { run, ask, viewsAsked, fake } = await openOnView({ query: ['lake-project.raw.cloudflare'], view });
    for (const id of ['a', 'b', 'a']) expect((await run(ask(id))).rows).toEqual(['{"id":"a"}']);
    expect(viewsAsked()).toBe(1);
    expect(fake.calls.find(isOfView)?.body).toMatchObject({
      configuration: { dryRun: true, query: { query: EVERYTHING, useLegacySql: false } },
      jobReference: { location: 'EU' },
    });
  });

  test('is not asked about where BigQuery names the view itself', async () => {
    const { run, ask, viewsAsked } = await openOnView({ query: ['lake-project.views.edge'], view: [] });
    expect((await run(ask('a'))).rows).toHaveLength(1);
    expect(viewsAsked()).toBe(0);
  });

  test.each([
    ['lake-project.raw.secrets'],
    ['lake-project.raw.cloudflare2'],
    ['other-project.raw.cloudflare'],
    ['lake-project.other.cloudflare'],
    ['lake-project.views.edge_logs'],
    ['data-project.secret_dataset.edge_logs'],
  ])('may not read %s', async (foreign) => {
    const view = ['lake-project.raw.cloudflare'];
    const { failure, ask, warnings } = await openOnView({ query: [...view, foreign], view });
    expect(await failure(ask('a'))).toMatchObject(REFUSAL);
    expect(warnings).toEqual([expect.objectContaining({ fields: { foreign: [foreign] } })]);
  });

  test('may not read what another source is allowed that the query does not name', async () => {
    const { failure, viewsAsked } = await openOnView({
      query: ['lake-project.raw.cloudflare'],
      view: ['lake-project.raw.cloudflare'],
    });
    const sql = 'SELECT id FROM logs.auth_logs';
    expect(await failure({ sql, isUntrusted: true })).toMatchObject(REFUSAL);
    expect(viewsAsked()).toBe(0);
  });

  test('is asked about again after a while, and at most once a minute for what is refused', async () => {
    const reads = { query: ['lake-project.raw.new'], view: ['lake-project.raw.old'] };
    const { run, failure, ask, viewsAsked, clock } = await openOnView(reads);
    expect(await failure(ask('a'))).toMatchObject(REFUSAL);
    expect(await failure(ask('a'))).toMatchObject(REFUSAL);
    expect(viewsAsked()).toBe(1);
    reads.view = ['lake-project.raw.new'];
    expect(await failure(ask('b'))).toMatchObject(REFUSAL);
    clock.nowMs += LEAST_UNDERLYING_AGE_MS;
    expect((await run(ask('b'))).rows).toHaveLength(1);
    expect(viewsAsked()).toBe(2);
    reads.view = ['lake-project.raw.old'];
    clock.nowMs += UNDERLYING_TTL_MS - 1;
    expect((await run(ask('c'))).rows).toHaveLength(1);
    clock.nowMs += 1;
    expect(await failure(ask('d'))).toMatchObject(REFUSAL);
  });

  test('answers nothing while BigQuery does not say what it reads', async () => {
    const reads: { query: string[]; view: readonly string[] | FakeAnswer } = {
      query: ['lake-project.raw.cloudflare'],
      view: failed(403, 'accessDenied', 'no'),
    };
    const { run, failure, ask } = await openOnView(reads);
    expect((await failure(ask('a'))).kind).toBe('bad_gateway');
    reads.view = reads.query;
    expect((await run(ask('a'))).rows).toHaveLength(1);
  });

  test('is asked about once for all who ask at the same time', async () => {
    const view = ['lake-project.raw.cloudflare'];
    const { run, ask, viewsAsked } = await openOnView({ query: view, view });
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => run(ask(id))));
    expect(viewsAsked()).toBe(1);
  });
});

describe('an absent source', () => {
  test('reads nothing, and the estimate says that it is absent', async () => {
    const { warehouse, fake, run } = await openOnFake(
      ({ path, body }) =>
        path === '/jobs' || body.dryRun ? { json: { statistics: { query: {} } } } : finished(),
      { logTables: LOG_TABLES },
    );
    const sql = 'SELECT id FROM logs.auth_logs';
    expect((await run({ sql, isUntrusted: true })).rows).toEqual([]);
    expect(fake.calls[0]?.body.query).toMatch(
      /^SELECT id FROM \(SELECT CAST\(NULL AS STRING\) AS id, .* WHERE FALSE\) AS/,
    );
    const options = { maxRows: 10, deadlineMs: 600_000, nowMicros: 0n };
    const query = { sql, parameters: new Map() };
    expect(await warehouse.estimate?.(query, options)).toMatchObject({
      bytes: 0,
      absentSources: ['auth_logs'],
    });
  });

  test('is not what readiness is found out by', async () => {
    const absent = new Map([['edge_logs', null]]);
    const { warehouse, fake } = await openOnFake(() => ({ json: {} }), { logTables: absent });
    await warehouse.ping();
    expect(fake.calls[0]?.body.query).toContain('FROM `data-project`.secret_dataset.auth_logs');
  });
});
