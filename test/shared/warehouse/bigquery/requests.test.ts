import { describe, expect, test } from '@jest/globals';
import type { QueryParameter } from '../../../../shared/sql/types/query-parameter.ts';
import { type FakeAnswer, type FakeCall, failed, finished } from './support/fake-bigquery.ts';
import { openOnFake } from './support/warehouse-on-fake.ts';

const table = (tableId: string, more: object = {}) => {
  return { projectId: 'data-project', datasetId: 'secret_dataset', tableId, ...more };
};

const dryRunOf = (...referencedTables: readonly object[]): FakeAnswer => {
  return { json: { statistics: { totalBytesProcessed: '123456', query: { referencedTables } } } };
};

/** Whether a call asks what a table itself is. */
const isOfTable = ({ path, body }: FakeCall) =>
  path === '/jobs' && body.configuration.query.query.startsWith('SELECT * FROM');

const answers =
  (dryRun: FakeAnswer) =>
  (call: FakeCall): FakeAnswer => {
    if (isOfTable(call)) return dryRunOf(table('edge_logs'));
    return call.path === '/jobs' ? dryRun : finished('a');
  };

describe('what BigQuery is sent', () => {
  test('is the whole query with its limits and what it is accounted under', async () => {
    const { run, fake } = await openOnFake(() => finished('a'));
    await run(
      { sql: 'SELECT id FROM logs.edge_logs ORDER BY id' },
      {
        maxRows: 10,
        deadlineMs: 15_000,
        maxBytesBilled: 20_000_000,
        labels: { endpoint: 'logs.all', kind: 'Stored', token: `${'a'.repeat(70)}`, '1st': 'no key' },
      },
    );
    expect(fake.calls).toEqual([
      expect.objectContaining({
        method: 'POST',
        path: '/queries',
        body: {
          query: 'SELECT id FROM `data-project`.secret_dataset.edge_logs ORDER BY id LIMIT 101',
          useLegacySql: false,
          maxResults: 11,
          timeoutMs: 2000,
          jobTimeoutMs: '15000',
          formatOptions: { useInt64Timestamp: true },
          jobCreationMode: 'JOB_CREATION_OPTIONAL',
          useQueryCache: true,
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          labels: { endpoint: 'logs_all', kind: 'stored', token: 'a'.repeat(63) },
          maximumBytesBilled: '20000000',
          location: 'EU',
        },
      }),
    ]);
  });

  test.each<[QueryParameter, string | null]>([
    [{ type: 'STRING', value: "'; -- {{projectId}}" }, "'; -- {{projectId}}"],
    [{ type: 'STRING', value: null }, null],
    [{ type: 'INT64', value: -9_223_372_036_854_775_808n }, '-9223372036854775808'],
    [{ type: 'FLOAT64', value: 0.1 }, '0.1'],
    [{ type: 'FLOAT64', value: Number.NaN }, 'NaN'],
    [{ type: 'FLOAT64', value: Number.NEGATIVE_INFINITY }, '-Infinity'],
    [{ type: 'BOOL', value: false }, 'false'],
    [{ type: 'TIMESTAMP', value: 0n }, '1970-01-01 00:00:00.000000+00:00'],
    [{ type: 'TIMESTAMP', value: -1n }, '1969-12-31 23:59:59.999999+00:00'],
    [{ type: 'TIMESTAMP', value: 1_767_315_845_000_006n }, '2026-01-02 01:04:05.000006+00:00'],
    [{ type: 'TIMESTAMP', value: -62_135_596_800_000_000n }, '0001-01-01 00:00:00.000000+00:00'],
    [{ type: 'TIMESTAMP', value: 253_402_300_799_999_999n }, '9999-12-31 23:59:59.999999+00:00'],
    [{ type: 'TIMESTAMP', value: null }, null],
  ])('has parameters with their types: %p', async (parameter, value) => {
    const { run, fake } = await openOnFake(() => finished('a'));
    const unused: QueryParameter = { type: 'STRING', value: 'nobody asks' };
    await run({
      sql: 'SELECT @P AS id',
      parameters: new Map([
        ['p', parameter],
        ['unused', unused],
      ]),
    });
    expect(fake.calls[0]?.body.queryParameters).toEqual([
      { name: 'p', parameterType: { type: parameter.type }, parameterValue: { value } },
    ]);
  });

  test('has the present as a parameter that no other has the name of', async () => {
    const { run, fake } = await openOnFake(() => finished('a'));
    const now: QueryParameter = { type: 'STRING', value: 'x' };
    const query = {
      sql: 'SELECT CONCAT(@NOW, STRING(CURRENT_TIMESTAMP())) AS id',
      parameters: new Map([['now', now]]),
    };
    await run(query, { nowMicros: 1n });
    expect(fake.calls[0]?.body).toMatchObject({
      query: 'SELECT CONCAT(@NOW, STRING(@now_)) AS id LIMIT 101',
      queryParameters: [
        { name: 'now' },
        {
          name: 'now_',
          parameterType: { type: 'TIMESTAMP' },
          parameterValue: { value: '1970-01-01 00:00:00.000001+00:00' },
        },
      ],
    });
  });

  test('never has names of the inside that were not in it', async () => {
    const { run, fake } = await openOnFake(() => finished('a'));
    await run({ sql: "SELECT '{{projectId}}' AS id" });
    expect(fake.calls[0]?.body.query).toBe("SELECT '{{projectId}}' AS id LIMIT 101");
  });

  test('is nothing for what is not understood, or when no caller waits', async () => {
    const { failure, fake } = await openOnFake(() => finished('a'));
    expect(await failure({ sql: 'SELECT nope FROM logs.edge_logs' })).toMatchObject({
      kind: 'invalid_argument',
      details: [{ line: 1, column: 8 }],
    });
    expect((await failure({}, { signal: AbortSignal.abort() })).kind).toBe('deadline_exceeded');
    expect(fake.calls).toEqual([]);
  });
});

describe("consumers' queries", () => {
  test('are looked at by BigQuery too, once for each text', async () => {
    const { run, fake } = await openOnFake(answers(dryRunOf(table('edge_logs'))));
    for (const value of ['x', 'y']) {
      const parameters = new Map([['p', { type: 'STRING', value } as const]]);
      const sql = 'SELECT id FROM logs.edge_logs WHERE id = @p';
      expect((await run({ sql, parameters, isUntrusted: true })).rows).toEqual(['{"id":"a"}']);
    }
    const dryRuns = fake.calls.filter(({ path }) => path === '/jobs');
    expect(dryRuns).toHaveLength(1);
    expect(dryRuns[0]?.body).toMatchObject({
      configuration: { dryRun: true, query: { useLegacySql: false } },
      jobReference: { projectId: 'secret-project', location: 'EU' },
    });
    expect(fake.calls).toHaveLength(3);
  });

  test.each<[string, object]>([
    ['table', table('auth_logs')],
    ['dataset', table('edge_logs', { datasetId: 'other' })],
    ['project', table('edge_logs', { projectId: 'secret-project' })],
  ])('that would read from another %s answer nothing, ever', async (_, foreign) => {
    const { failure, fake, warnings } = await openOnFake(answers(dryRunOf(table('edge_logs'), foreign)));
    for (const attempt of [1, 2]) {
      expect(await failure({ isUntrusted: true })).toMatchObject({
        kind: 'invalid_argument',
        message: 'The query may only read the sources of the endpoint.',
      });
      expect(warnings).toHaveLength(attempt);
      const dryRuns = fake.calls.filter((call) => call.path === '/jobs' && !isOfTable(call));
      expect(dryRuns).toHaveLength(attempt);
    }
    expect(fake.calls.filter(isOfTable)).toHaveLength(1);
  });

  test('answer nothing either when that cannot be found out', async () => {
    const { failure } = await openOnFake(answers(failed(403, 'accessDenied', 'no')));
    expect((await failure({ isUntrusted: true })).kind).toBe('bad_gateway');
  });

  test('stored ones are not looked at', async () => {
    const { run, fake } = await openOnFake(answers(dryRunOf(table('auth_logs'))));
    await run();
    expect(fake.calls.map(({ path }) => path)).toEqual(['/queries']);
  });
});

describe('besides', () => {
  const dryRun: FakeAnswer = { json: { totalBytesProcessed: '123456', schema: { fields: [] } } };

  test('an estimate is a dry run', async () => {
    const { warehouse, fake } = await openOnFake(() => dryRun);
    const query = { sql: 'SELECT id FROM logs.edge_logs', parameters: new Map() };
    const options = { maxRows: 10, deadlineMs: 600_000, nowMicros: 0n };
    const estimated = { bytes: 123_456, bytesBilled: 10_485_760 };
    expect(await warehouse.estimate?.(query, options)).toEqual({ ...estimated, isRefused: false });
    for (const [maxBytesBilled, isRefused] of [
      [10_485_759, true],
      [10_485_760, false],
    ] as const)
      expect(await warehouse.estimate?.(query, { ...options, maxBytesBilled })).toEqual({
        ...estimated,
        isRefused,
      });
    expect(fake.calls[0]).toMatchObject({ path: '/queries', body: { dryRun: true, location: 'EU' } });
  });

  test('an estimate of nothing to read is one of nothing to bill', async () => {
    const { warehouse } = await openOnFake(() => ({ json: { totalBytesProcessed: '0' } }));
    const query = { sql: 'SELECT id FROM logs.edge_logs', parameters: new Map() };
    const options = { maxRows: 10, deadlineMs: 600_000, nowMicros: 0n, maxBytesBilled: 10_485_760 };
    expect(await warehouse.estimate?.(query, options)).toEqual({
      bytes: 0,
      bytesBilled: 0,
      isRefused: false,
    });
  });

  test('being there is answered by a dry run over a table', async () => {
    const { warehouse, fake } = await openOnFake(() => dryRun);
    await expect(warehouse.ping()).resolves.toBeUndefined();
    expect(fake.calls).toMatchObject([
      { body: { dryRun: true, query: expect.stringContaining('edge_logs') } },
    ]);
  });

  test.each<[string, FakeAnswer]>([
    ['refuses the service', failed(403, 'accessDenied', 'no')],
    ['has another table', failed(404, 'notFound', 'no')],
    ['is out of order', { status: 503, json: {} }],
  ])('being there is denied when BigQuery %s', async (_, answer) => {
    const { warehouse } = await openOnFake(() => answer);
    await expect(warehouse.ping()).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
