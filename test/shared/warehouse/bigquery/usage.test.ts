import { describe, expect, test } from '@jest/globals';
import type { QueryUsage, RunOptions } from '../../../../shared/warehouse/warehouse.ts';
import { type FakeAnswer, failed, finished, UNFINISHED } from './support/fake-bigquery.ts';
import { openOnFake } from './support/warehouse-on-fake.ts';

const MIB = 1024 ** 2;
const JOB_REFERENCE = { projectId: 'secret-project', jobId: 'job-1', location: 'EU' };

/** An answer to jobs.query with these members in place of what it says of bytes. */
function answered(members: object): FakeAnswer {
  const { json } = finished('a') as { json: Record<string, unknown> };
  const { totalBytesProcessed: _, totalBytesBilled: __, jobReference: ___, ...others } = json;
  return { json: { ...others, ...members } };
}

/** What jobs.get answers of a job. */
function job(state: string, query: object, errorResult?: object): FakeAnswer {
  return { json: { status: { state, ...(errorResult ? { errorResult } : {}) }, statistics: { query } } };
}

/** What a test keeps of what it is told. */
function listen(): { readonly told: QueryUsage[]; readonly onUsage: NonNullable<RunOptions['onUsage']> } {
  const told: QueryUsage[] = [];
  return { told, onUsage: (usage) => void told.push(usage) };
}

describe('what a query that has finished read and billed', () => {
  test.each<[string, object, readonly FakeAnswer[], QueryUsage]>([
    [
      'is what its answer says',
      { totalBytesProcessed: '1000', totalBytesBilled: '20971520', jobReference: JOB_REFERENCE },
      [],
      { bytesProcessed: 1000, bytesBilled: 20 * MIB },
    ],
    [
      'is what its job says where the answer does not',
      { totalBytesProcessed: '1000', jobReference: JOB_REFERENCE },
      [job('DONE', { totalBytesProcessed: '1000', totalBytesBilled: '31457280' })],
      { bytesProcessed: 1000, bytesBilled: 30 * MIB },
    ],
    [
      'is nothing billed for what BigQuery had in its own cache',
      { totalBytesProcessed: '0', cacheHit: true, jobReference: JOB_REFERENCE },
      [],
      { bytesProcessed: 0, bytesBilled: 0 },
    ],
    [
      'is nothing billed either where only the job tells of that cache',
      { totalBytesProcessed: '0', jobReference: JOB_REFERENCE },
      [job('DONE', { totalBytesProcessed: '0', cacheHit: true })],
      { bytesProcessed: 0, bytesBilled: 0 },
    ],
    [
      'is the least that BigQuery bills where there is no job to ask',
      { totalBytesProcessed: '1000' },
      [],
      { bytesProcessed: 1000, bytesBilled: 10 * MIB },
    ],
    [
      'is whole MiB where the job cannot be asked',
      { totalBytesProcessed: String(12 * MIB + 1), jobReference: JOB_REFERENCE },
      [failed(403, 'accessDenied', 'no')],
      { bytesProcessed: 12 * MIB + 1, bytesBilled: 13 * MIB },
    ],
    [
      'is whole MiB where the job says nothing usable',
      { totalBytesProcessed: String(12 * MIB), jobReference: JOB_REFERENCE },
      [{ json: { status: 5 } }],
      { bytesProcessed: 12 * MIB, bytesBilled: 12 * MIB },
    ],
    ['is unknown where nothing counts', {}, [], { bytesProcessed: null, bytesBilled: null }],
  ])('%s', async (_, answer, jobs, expected) => {
    const { run } = await openOnFake(({ path }, index) =>
      path === '/queries' ? answered(answer) : (jobs[index] ?? { status: 500, json: {} }),
    );
    const { told, onUsage } = listen();
    expect(await run({}, { onUsage })).toMatchObject({ rows: ['{"id":"a"}'], ...expected });
    expect(told).toEqual([expected]);
  });

  test('is counted for each table that it names', async () => {
    const { run } = await openOnFake(() => answered({ totalBytesProcessed: '1000' }));
    const sql = 'SELECT e.id FROM logs.edge_logs AS e CROSS JOIN logs.auth_logs AS a';
    expect(await run({ sql })).toMatchObject({ bytesBilled: 20 * MIB });
  });

  test('is asked of its job alone, without the plan of the query', async () => {
    const { run, fake } = await openOnFake(({ path }) =>
      path === '/queries'
        ? answered({ totalBytesProcessed: '1000', jobReference: JOB_REFERENCE })
        : job('DONE', { totalBytesBilled: '10485760' }),
    );
    await run();
    expect(fake.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /queries',
      'GET /jobs/job-1',
    ]);
    expect(fake.calls[1]?.query.get('location')).toBe('EU');
    expect(fake.calls[1]?.query.get('fields')).not.toContain('queryPlan');
  });

  test('is reported once, for rows in pages too, and even if the rows cannot be used', async () => {
    const { failure } = await openOnFake(() =>
      answered({ totalBytesBilled: '10485760', rows: [{ f: [{ v: 5 }] }] }),
    );
    const { told, onUsage } = listen();
    expect((await failure({}, { onUsage })).kind).toBe('bad_gateway');
    expect(told).toEqual([{ bytesProcessed: null, bytesBilled: 10 * MIB }]);
  });
});

describe('what a query that failed billed', () => {
  /** Answers a query that does not end, how it is asked about, and how it is cancelled. */
  const endless =
    (jobs: readonly FakeAnswer[]) =>
    ({ path }: { readonly path: string }, index: number): FakeAnswer => {
      if (path === '/queries') return UNFINISHED;
      if (path === '/queries/job-1') return 'hang';
      if (path === '/jobs/job-1/cancel') return { json: {} };
      return jobs[Math.min(index, jobs.length - 1)] ?? 'hang';
    };

  test.each<[string, readonly FakeAnswer[], readonly QueryUsage[]]>([
    [
      'is what its job says once it has ended',
      [job('RUNNING', {}), job('RUNNING', {}), job('DONE', { totalBytesBilled: '52428800' })],
      [{ bytesProcessed: null, bytesBilled: 50 * MIB }],
    ],
    [
      'is what it had read where its job does not say and it was stopped',
      [job('DONE', { totalBytesProcessed: String(11 * MIB + 1) }, { reason: 'stopped' })],
      [{ bytesProcessed: 11 * MIB + 1, bytesBilled: 12 * MIB }],
    ],
    [
      'is nothing where its job does not say and it had failed by itself',
      [job('DONE', { totalBytesProcessed: '1000' }, { reason: 'invalidQuery' })],
      [{ bytesProcessed: 1000, bytesBilled: 0 }],
    ],
    ['is not reported where its job cannot be asked', [failed(404, 'notFound', 'gone')], []],
    ['is not reported where its job says nothing', [job('DONE', {})], []],
    ['is not reported where its job never ends', [job('RUNNING', {})], []],
  ])('%s', async (_, jobs, expected) => {
    const { failure, warehouse } = await openOnFake(endless(jobs));
    const { told, onUsage } = listen();
    expect((await failure({}, { deadlineMs: 50, onUsage })).kind).toBe('deadline_exceeded');
    // The caller does not wait for it.
    expect(told).toEqual([]);
    await warehouse.close();
    expect(told).toEqual(expected);
  });

  test('is what it billed after all where it ended when no caller waited any more', async () => {
    const caller = new AbortController();
    const gate = Promise.withResolvers<void>();
    const { failure, warehouse, fake } = await openOnFake(async () => {
      caller.abort();
      await gate.promise;
      return finished('a');
    });
    const { told, onUsage } = listen();
    expect((await failure({}, { signal: caller.signal, onUsage })).kind).toBe('deadline_exceeded');
    gate.resolve();
    await warehouse.close();
    expect(told).toEqual([{ bytesProcessed: 1000, bytesBilled: 10 * MIB }]);
    expect(fake.calls).toHaveLength(1);
  });

  test('frees whatever waits for its end before it is counted', async () => {
    const { failure, warehouse } = await openOnFake(endless([]));
    const endings: Promise<void>[] = [];
    await failure({}, { deadlineMs: 50, onEnding: (ended) => void endings.push(ended) });
    await endings[0];
    expect(endings).toHaveLength(1);
    await warehouse.close();
  });
});
