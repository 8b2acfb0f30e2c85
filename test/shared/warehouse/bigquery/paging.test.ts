import { describe, expect, test } from '@jest/globals';
import type { PageToken } from '../../../../shared/warehouse/page-token.ts';
import { failureKind, nextPage } from '../contract/paging.ts';
import { type FakeAnswer, type FakeCall, failed, UNFINISHED } from './support/fake-bigquery.ts';
import { openOnFake } from './support/warehouse-on-fake.ts';

const ROWS = Array.from({ length: 25 }, (_, index) => `r${index}`);
const JOB = { projectId: 'secret-project', jobId: 'job-1', location: 'EU' };
const SORTED = { sql: 'SELECT id FROM logs.edge_logs ORDER BY id' };

/** BigQuery's answer with some rows of a finished job. */
function rowsFrom(start: number, count: number, more: object = { jobReference: JOB }): FakeAnswer {
  const end = Math.min(start + count, ROWS.length);
  return {
    json: {
      jobComplete: true,
      schema: { fields: [{ name: 'id', type: 'STRING', mode: 'NULLABLE' }] },
      rows: ROWS.slice(start, end).map((id) => ({ f: [{ v: id }] })),
      totalRows: String(ROWS.length),
      totalBytesProcessed: '1000',
      totalBytesBilled: '10485760',
      ...(end < ROWS.length ? { pageToken: `token-${end}` } : {}),
      ...more,
    },
  };
}

/** A job with 25 rows; its pages may be shorter than asked for. */
function answerJob({ method, query, body }: FakeCall, most = 100): FakeAnswer {
  if (method === 'POST') return rowsFrom(0, Math.min(body.maxResults, most));
  const token = query.get('pageToken')?.replace('token-', '');
  return rowsFrom(
    Number(token ?? query.get('startIndex') ?? 0),
    Math.min(Number(query.get('maxResults')), most),
  );
}

const ids = (rows: readonly string[]) => rows.map((row): string => JSON.parse(row).id);

describe('the pages of a job', () => {
  test.each([100, 4])(
    'are read from it, without another query, where BigQuery answers %i rows at once',
    async (most) => {
      const { run, warehouse, fake } = await openOnFake((call) => answerJob(call, most));
      const first = await run(SORTED);
      const second = await nextPage(warehouse, first.pageToken, { maxRows: 10 });
      const third = await nextPage(warehouse, second.pageToken, { maxRows: 10 });
      expect([first, second, third].flatMap(({ rows }) => ids(rows))).toEqual(ROWS);
      expect([first, second, third].map(({ truncated }) => truncated)).toEqual([true, true, false]);
      expect(third).toMatchObject({ columns: first.columns, bytesProcessed: null, bytesBilled: null });
      expect(third.pageToken).toBeUndefined();
      expect(fake.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
      const asked = fake.calls.filter(({ query }) => query.has('startIndex'));
      expect(asked.map(({ path, query }) => [path, query.get('startIndex'), query.get('location')])).toEqual([
        ['/queries/job-1', '10', 'EU'],
        ['/queries/job-1', '20', 'EU'],
      ]);
    },
  );

  test('are the same when they are asked for again', async () => {
    const { run, warehouse } = await openOnFake((call) => answerJob(call));
    const { pageToken } = await run(SORTED);
    expect(await nextPage(warehouse, pageToken, { maxRows: 10 })).toEqual(
      await nextPage(warehouse, pageToken, { maxRows: 10 }),
    );
  });

  test('are ten at most, and that there are more is said', async () => {
    const { run, warehouse } = await openOnFake((call) => answerJob(call));
    let page = await run(SORTED, { maxRows: 2 });
    let count = 1;
    for (; page.pageToken !== undefined; count++)
      page = await nextPage(warehouse, page.pageToken, { maxRows: 2 });
    expect([count, page.truncated, ids(page.rows)]).toEqual([10, true, ['r18', 'r19']]);
  });

  test('are not there where BigQuery made no job', async () => {
    const { run } = await openOnFake(() => rowsFrom(0, 11, {}));
    const result = await run(SORTED);
    expect(result.truncated).toBe(true);
    expect(result.pageToken).toBeUndefined();
  });

  test('are not billed', async () => {
    const { run, warehouse, fake } = await openOnFake((call) => answerJob(call));
    await nextPage(warehouse, (await run(SORTED)).pageToken, { maxRows: 10 });
    expect(fake.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });
});

describe('a page that BigQuery does not give', () => {
  test.each<[string, FakeAnswer, string]>([
    ['as the job is unknown', failed(404, 'notFound', 'Not found: Job secret-project:EU.job-1'), 'gone'],
    ['as its rows are dropped', failed(404, 'notFound', 'Not found: Table secret-project:_x.y'), 'gone'],
    ['as it may not', failed(403, 'accessDenied', 'Access Denied: secret-project'), 'bad_gateway'],
    ['as its answer is none', { json: { jobComplete: 'x' } }, 'bad_gateway'],
    ['as the job has not finished', UNFINISHED, 'bad_gateway'],
    ['in time', 'hang', 'deadline_exceeded'],
  ])('%s', async (_, answer, kind) => {
    const { run, warehouse } = await openOnFake((call) =>
      call.method === 'POST' ? answerJob(call) : answer,
    );
    const { pageToken } = await run(SORTED);
    const limits = { maxRows: 10, ...(answer === 'hang' ? { deadlineMs: 100 } : {}) };
    expect(await failureKind(nextPage(warehouse, pageToken, limits))).toBe(kind);
  });

  const ofResult = { kind: 'result', resultId: 'a', startIndex: 10 } as const;
  test.each<PageToken>([
    { kind: 'job', jobId: 'job-1', startIndex: 100, rowLimit: 100 },
    ofResult,
    { kind: 'worker', workerId: 1, page: ofResult },
    { kind: 'window', page: ofResult },
  ])('after the last row and in what another warehouse stores: %j', async (pageToken) => {
    const { warehouse, fake } = await openOnFake((call) => answerJob(call));
    expect(await failureKind(nextPage(warehouse, pageToken))).toBe('gone');
    expect(fake.calls).toEqual([]);
  });
});
