import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { type FakeAnswer, type FakeCall, failed, finished, UNFINISHED } from './support/fake-bigquery.ts';
import { openOnFake } from './support/warehouse-on-fake.ts';

/** What no consumer may get to read. */
const INSIDE = /secret|data-project|BigQuery|google|job-1|\bat \[/i;

/** Answers each path by turns; the last answer stays. */
const inTurn =
  (answers: Readonly<Record<string, readonly FakeAnswer[]>>) =>
  ({ path }: FakeCall, index: number): FakeAnswer =>
    answers[path]?.[Math.min(index, (answers[path]?.length ?? 0) - 1)] ?? { status: 404, json: {} };

const queries = (...answers: readonly FakeAnswer[]) => inTurn({ '/queries': answers });

describe('failures that pass by themselves', () => {
  test.each<[string, FakeAnswer]>([
    ['a 503', { status: 503, text: '<html>Service Unavailable</html>' }],
    ['a 502', { status: 502, json: {} }],
    ['a 500 of the backend', failed(500, 'backendError', 'Error encountered during execution.')],
    ['a rate limit', failed(403, 'rateLimitExceeded', 'Exceeded rate limits: too many concurrent queries')],
    ['a connection that breaks', 'reset'],
    ['a connection that breaks in the middle of an answer', 'reset in the middle'],
    ['an answer that is no JSON', { text: '{"jobComplete":true,"rows":[' }],
  ])('%s: the query is run again, and the caller does not notice', async (_, answer) => {
    const { run, fake, warnings } = await openOnFake(queries(answer, answer, finished('a')));
    expect((await run()).rows).toEqual(['{"id":"a"}']);
    expect(fake.calls).toHaveLength(3);
    expect(warnings).toEqual([]);
  });

  test('a call without an answer is repeated as the same request, one that failed as another', async () => {
    const { run, fake } = await openOnFake(queries('reset', { status: 503, json: {} }, finished()));
    await run();
    const [first, second, third] = fake.calls.map(({ body }) => body.requestId);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('those of asking for the rows are waited out too', async () => {
    const { run, fake } = await openOnFake(
      inTurn({
        '/queries': [UNFINISHED],
        '/queries/job-1': ['reset', { status: 503, json: {} }, UNFINISHED, finished('a')],
      }),
    );
    expect((await run()).rows).toEqual(['{"id":"a"}']);
    expect(fake.calls).toHaveLength(5);
  });
});

describe('failures that stay', () => {
  test.each<[string, FakeAnswer, string, object]>([
    ['an outage', { status: 503, json: {} }, 'unavailable', {}],
    ['a broken connection', 'reset', 'unavailable', {}],
    ['an answer that is no JSON', { text: 'nonsense' }, 'unavailable', {}],
    [
      'an exhausted quota',
      failed(403, 'quotaExceeded', 'Quota exceeded: secret-project used 100 TiB of its quota'),
      'resource_exhausted',
      { 'Retry-After': '30' },
    ],
    [
      'no permission',
      failed(403, 'accessDenied', 'Access Denied: Table data-project:secret_dataset.edge_logs: User x@y.iam'),
      'bad_gateway',
      {},
    ],
    [
      'a project without billing',
      failed(403, 'billingNotEnabled', 'Billing of secret-project'),
      'bad_gateway',
      {},
    ],
    ['credentials that are not taken', failed(401, 'authError', 'Invalid Credentials'), 'bad_gateway', {}],
    [
      'a table that is gone',
      failed(404, 'notFound', 'Not found: Dataset data-project:secret_dataset was not found in location EU'),
      'bad_gateway',
      {},
    ],
    [
      'a query that is refused by names of the inside',
      failed(
        400,
        'invalidQuery',
        'Name x not found inside `data-project`.`secret_dataset`.`edge_logs` at [3:7]',
      ),
      'invalid_argument',
      {},
    ],
    ...[
      'Invalid view beneathlake.secret_dataset2.v: it reads what is gone',
      'Column x is not in table `beneathlake`.`secret_dataset2`.`t`',
      "Cannot read field of table 'beneathlake.secret_dataset2.t'",
    ].map((message): [string, FakeAnswer, string, object] => [
      `a query that is refused by what is beneath a view (${message})`,
      failed(400, 'invalidQuery', message),
      'invalid_argument',
      {},
    ]),
  ])('%s: the operator learns the reason, the consumer what to do', async (_, answer, kind, headers) => {
    const { failure, warnings } = await openOnFake(queries(answer));
    const error = await failure();
    expect(error).toMatchObject({ kind, headers });
    expect(error.message).not.toMatch(INSIDE);
    expect(warnings).toHaveLength(1);
    if (typeof answer === 'object' && 'json' in answer && answer.status !== 503) {
      expect(JSON.stringify(warnings)).toContain(
        (answer.json as { error: { message: string } }).error.message,
      );
    }
  });

  test.each<[string, FakeAnswer, string, string]>([
    [
      'a value',
      failed(400, 'invalidQuery', 'division by zero: 1 / 0'),
      'invalid_argument',
      'division by zero: 1 / 0',
    ],
    [
      'a place in the text that BigQuery was sent',
      failed(400, 'invalidQuery', 'No matching signature for function NOPE at [12:7]'),
      'invalid_argument',
      'No matching signature for function NOPE',
    ],
    [
      'a name that only holds one of the inside',
      failed(400, 'invalidQuery', 'Bad int64 value: my_secret_dataset_2'),
      'invalid_argument',
      'Bad int64 value: my_secret_dataset_2',
    ],
    [
      'memory',
      failed(400, 'resourcesExceeded', 'Resources exceeded during query execution: job-1'),
      'resource_exhausted',
      'The query needs more memory than it may have; narrow the time range or select fewer columns.',
    ],
    [
      'its time',
      failed(400, 'stopped', 'Job execution was cancelled: Job timed out after 0.5s'),
      'deadline_exceeded',
      'The query ran out of time and was cancelled; narrow the time range or select fewer rows.',
    ],
  ])('%s is the matter of whoever wrote the query', async (_, answer, kind, message) => {
    const { failure, warnings } = await openOnFake(queries(answer));
    expect(await failure()).toMatchObject({ kind, message });
    expect(warnings).toEqual([]);
  });
});

describe('a consumer query that fails for a value', () => {
  const NO_TABLES = { json: { statistics: { query: { referencedTables: [] } } } };
  const FOREIGN = "another tenant's message";

  test.each<[string, string]>([
    ['Bad int64 value: ', 'A value cannot be converted or parsed; use SAFE_CAST or the prefix SAFE.'],
    ['division by zero: ', 'The query divides by zero; use SAFE_DIVIDE or NULLIF.'],
    [
      'int64 overflow: ',
      'A number or time is out of range; use SAFE_ADD and its siblings, or the prefix SAFE.',
    ],
    [
      'Array index is out of bounds: ',
      'An array has no element at a position; use SAFE_OFFSET or SAFE_ORDINAL.',
    ],
    ['', 'An expression fails for the value of some row; use SAFE_CAST, the prefix SAFE. or IF.'],
    [
      'Unrecognized name: ',
      'An expression fails for the value of some row; use SAFE_CAST, the prefix SAFE. or IF.',
    ],
  ])(
    '"%s…" never repeats the value, which may be of a row that it must not read',
    async (sentence, message) => {
      const answer = failed(400, 'invalidQuery', sentence + FOREIGN);
      const { failure } = await openOnFake(inTurn({ '/queries': [answer], '/jobs': [NO_TABLES] }));
      expect(await failure({ isUntrusted: true })).toMatchObject({
        kind: 'invalid_argument',
        message,
        details: [],
      });
    },
  );

  test('never repeats it either when it fails after some time', async () => {
    const answer = failed(400, 'invalidQuery', FOREIGN);
    const { failure } = await openOnFake(
      inTurn({ '/queries': [UNFINISHED], '/queries/job-1': [answer], '/jobs': [NO_TABLES] }),
    );
    expect((await failure({ isUntrusted: true })).message).not.toContain(FOREIGN);
  });

  test('repeats the words of BigQuery where these are of its text alone', async () => {
    const message = 'No matching signature for function NOPE';
    const answer = failed(400, 'invalidQuery', `${message} at [12:7]`);
    const { failure } = await openOnFake(inTurn({ '/queries': [answer], '/jobs': [answer] }));
    expect(await failure({ isUntrusted: true })).toMatchObject({ kind: 'invalid_argument', message });
  });
});

describe('a query that takes long', () => {
  test('is waited for until it has finished', async () => {
    const { run, fake } = await openOnFake(
      inTurn({ '/queries': [UNFINISHED], '/queries/job-1': [UNFINISHED, UNFINISHED, finished('a')] }),
    );
    expect((await run()).rows).toEqual(['{"id":"a"}']);
    expect(fake.calls[1]?.query.get('location')).toBe('EU');
    expect(fake.calls[1]?.query.get('formatOptions.useInt64Timestamp')).toBe('true');
  });

  const cancels = (calls: readonly FakeCall[]) =>
    calls.filter(({ path }) => path === '/jobs/job-1/cancel').length;

  test('is cancelled at its deadline, and no empty answer', async () => {
    const { failure, fake, warehouse } = await openOnFake(
      inTurn({ '/queries': [UNFINISHED], '/queries/job-1': ['hang'], '/jobs/job-1/cancel': [{ json: {} }] }),
    );
    expect(await failure({}, { deadlineMs: 100 })).toMatchObject({
      kind: 'deadline_exceeded',
      message: expect.stringContaining('100 ms'),
    });
    await warehouse.close();
    expect(cancels(fake.calls)).toBe(1);
  });

  test('is cancelled when the caller goes away, again where that fails at first', async () => {
    const caller = new AbortController();
    const { failure, fake, warehouse } = await openOnFake(({ path }, index) => {
      if (path === '/queries') return UNFINISHED;
      if (path === '/jobs/job-1/cancel') return index === 0 ? 'reset' : { json: {} };
      caller.abort();
      return 'hang';
    });
    const endings: Promise<void>[] = [];
    const onEnding = (ended: Promise<void>) => void endings.push(ended);
    expect((await failure({}, { signal: caller.signal, onEnding })).kind).toBe('deadline_exceeded');
    await setImmediate();
    expect(endings).toHaveLength(1);
    await endings[0];
    expect(cancels(fake.calls)).toBe(2);
    await warehouse.close();
  });

  test('is cancelled even if its job becomes known only when no caller waits any longer', async () => {
    const caller = new AbortController();
    const gate = Promise.withResolvers<void>();
    const { failure, fake, warehouse } = await openOnFake(async ({ path }) => {
      if (path !== '/queries') return { json: {} };
      caller.abort();
      await gate.promise;
      return UNFINISHED;
    });
    expect((await failure({}, { signal: caller.signal })).kind).toBe('deadline_exceeded');
    gate.resolve();
    await warehouse.close();
    expect(cancels(fake.calls)).toBe(1);
  });

  test('reports to the operator that it cannot be cancelled', async () => {
    const { failure, warehouse, warnings } = await openOnFake(
      inTurn({
        '/queries': [UNFINISHED],
        '/queries/job-1': ['hang'],
        '/jobs/job-1/cancel': [failed(403, 'accessDenied', 'no')],
      }),
    );
    await failure({}, { deadlineMs: 100 });
    await warehouse.close();
    expect(warnings).toEqual([
      {
        message: 'a query that no caller waits for could not be cancelled',
        fields: expect.objectContaining({ jobId: 'job-1' }),
      },
    ]);
  });

  test('out of time before BigQuery answers anything is out of time', async () => {
    const { failure } = await openOnFake(queries('hang'));
    expect((await failure({}, { deadlineMs: 100 })).kind).toBe('deadline_exceeded');
  });

  test('out of time between attempts is out of time, and there are no more attempts', async () => {
    const { failure, fake, warehouse } = await openOnFake(queries({ status: 503, json: {} }), {
      retryDelayMs: () => 600_000,
    });
    expect((await failure({}, { deadlineMs: 100 })).kind).toBe('deadline_exceeded');
    await warehouse.close();
    expect(fake.calls.length).toBeLessThanOrEqual(1);
  });

  test.each<[string, number]>([
    ['before the first answer', 0],
    ['in a later attempt', 1],
  ])('is given up when the caller goes away %s', async (_, attempt) => {
    const caller = new AbortController();
    const { failure, fake } = await openOnFake((_call, index) => {
      if (index < attempt) return { status: 503, json: {} };
      caller.abort();
      return 'hang';
    });
    expect((await failure({}, { signal: caller.signal })).kind).toBe('deadline_exceeded');
    expect(fake.calls).toHaveLength(attempt + 1);
  });

  test('is given up when the caller goes away between attempts', async () => {
    const caller = new AbortController();
    const retryDelayMs = () => {
      caller.abort();
      return 600_000;
    };
    const { failure, fake } = await openOnFake(queries({ status: 503, json: {} }), { retryDelayMs });
    expect((await failure({}, { signal: caller.signal })).kind).toBe('deadline_exceeded');
    expect(fake.calls).toHaveLength(1);
  });
});

describe('answers that cannot be used', () => {
  const schema = { fields: [{ name: 'id', type: 'STRING' }] };
  test.each<[string, unknown]>([
    ['a number', 5],
    ['null', null],
    ['rows that are no list', { jobComplete: true, schema, rows: 'a' }],
    ['a row without cells', { jobComplete: true, schema, rows: [{}] }],
    ['a row with too many cells', { jobComplete: true, schema, rows: [{ f: [{ v: 'a' }, { v: 'b' }] }] }],
    ['an invalid cell', { jobComplete: true, schema, rows: [{ f: ['a'] }] }],
    ['a value that is no text', { jobComplete: true, schema, rows: [{ f: [{ v: 5 }] }] }],
    ['no columns', { jobComplete: true, rows: [{ f: [] }] }],
    [
      'other columns',
      { jobComplete: true, schema: { fields: [...schema.fields, ...schema.fields] }, rows: [] },
    ],
    [
      'a type that is not known',
      { jobComplete: true, schema: { fields: [{ name: 'id', type: 'RANGE' }] }, rows: [] },
    ],
    ['no end and no job', { jobComplete: false }],
    ['more rows and no job', { jobComplete: true, schema, rows: [], pageToken: 'x' }],
  ])('%s', async (_, json) => {
    const { failure, warnings } = await openOnFake(queries({ json }));
    const error = await failure();
    expect(error).toMatchObject({
      kind: 'bad_gateway',
      message: 'The warehouse answered with something that cannot be used.',
    });
    expect(warnings).toHaveLength(1);
  });
});

describe('rows', () => {
  test('come in pages, each asked for until there are enough', async () => {
    const page = (ids: readonly string[], pageToken: string) => {
      const answer = finished(...ids) as { json: object };
      return { json: { ...answer.json, pageToken } };
    };
    const { run, fake } = await openOnFake(
      inTurn({
        '/queries': [page(['a', 'b'], 'second')],
        '/queries/job-1': [page(['c'], 'third'), page(['d'], 'fourth')],
      }),
    );
    const result = await run({}, { maxRows: 3 });
    expect(result).toMatchObject({
      rows: ['{"id":"a"}', '{"id":"b"}', '{"id":"c"}'],
      truncated: true,
      bytesProcessed: 1000,
    });
    expect(fake.calls.map(({ query }) => query.get('pageToken'))).toEqual([null, 'second', 'third']);
  });

  test('that are too long together are refused', async () => {
    const { failure } = await openOnFake(
      queries(finished(...Array<string>(9).fill('x'.repeat(4 * 1024 * 1024)))),
    );
    expect(await failure()).toMatchObject({
      kind: 'resource_exhausted',
      message: expect.stringContaining('32 MiB'),
    });
  });
});
