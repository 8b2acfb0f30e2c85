import { describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../../../shared/errors/service-error.ts';
import type { QueryParameter } from '../../../../../shared/sql/types/query-parameter.ts';
import type { PartitionBy } from '../../../../../shared/warehouse/bigquery/billing/partitioned-range.ts';
import type { RunOptions } from '../../../../../shared/warehouse/warehouse.ts';
import { type BilledTables, billedAnswer, dryRuns } from '../support/billing-bigquery.ts';
import { type FakeAnswer, type FakeCall, failed, finished } from '../support/fake-bigquery.ts';
import { openOnFake } from '../support/warehouse-on-fake.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const TIME_WINDOW = { start: 'since', end: 'until' };
const SQL = `SELECT t.id FROM logs.edge_logs AS t
  WHERE t.timestamp > IFNULL(@since, TIMESTAMP '0001-01-01 00:00:00+00') AND t.timestamp <= IFNULL(@until, TIMESTAMP '9999-12-31 00:00:00+00')`;
const hourOf = (text: string) => Math.floor(Date.parse(text) / 3_600_000);
const micros = (text: string) => BigInt(Date.parse(text)) * 1_000n;
const NOW = '2026-03-01T12:30:00Z';

/** 90 days of logs, of which an hour is half a GiB. */
const STEADY: BilledTables = {
  timeWindow: TIME_WINDOW,
  hours: { from: hourOf(NOW) - 90 * 24, to: hourOf(NOW) + 1 },
  bytesOf: () => GIB / 2,
};

/** A warehouse over such tables, and what a query over a range of time is refused with. */
async function openOver(
  tables: BilledTables,
  { partitionBy, ...more }: { readonly partitionBy?: PartitionBy; readonly dryRun?: FakeAnswer } = {},
) {
  const answer = (call: FakeCall): FakeAnswer => {
    if (call.body.dryRun === true && more.dryRun !== undefined) return more.dryRun;
    return billedAnswer(call, tables) ?? finished('a');
  };
  const opened = await openOnFake(answer, partitionBy === undefined ? {} : { partitionBy });
  const between = (since: string | null, until: string | null): [string, QueryParameter][] => [
    ['since', { type: 'TIMESTAMP', value: since === null ? null : micros(since) }],
    ['until', { type: 'TIMESTAMP', value: until === null ? null : micros(until) }],
  ];
  const options = { nowMicros: micros(NOW), timeWindow: TIME_WINDOW, maxBytesBilled: GIB };
  const queryOver = (since: string | null, until: string | null) => ({
    sql: SQL,
    parameters: new Map(between(since, until)),
  });
  return {
    ...opened,
    queryOver,
    options,
    refused: (since: string | null, until: string | null, changed: Partial<RunOptions> = {}) =>
      opened.failure(queryOver(since, until), { ...options, ...changed }),
  };
}

const windowOf = ({ details }: ServiceError) => details[0]?.longestWindow;

describe('a query that would bill too much', () => {
  test('is refused with what it would bill, what it may bill, and the longest window that fits, found by dry runs', async () => {
    const { refused, fake } = await openOver(STEADY);
    const error = await refused('2026-03-01T02:00:00Z', '2026-03-01T12:00:00Z');
    expect(error).toMatchObject({
      kind: 'resource_exhausted',
      headers: {},
      details: [
        {
          parameter: 'since',
          reason: 'too_many_bytes',
          estimatedBytesBilled: 5.5 * GIB,
          maxBytesBilled: GIB,
          longestWindow: {
            seconds: 7_200,
            duration: 'PT2H',
            parameters: { since: '2026-03-01T10:00:00Z', until: '2026-03-01T11:59:59.999999Z' },
            isVerified: true,
          },
        },
      ],
      message:
        "The query would bill 5.5 GiB, more than the 1 GiB that it may. The longest time range that fits is 2 hours: send since=2026-03-01T10:00:00Z and until=2026-03-01T11:59:59.999999Z, or ask the service's operator for a higher cap.",
    });
    expect(dryRuns(fake.calls)).toHaveLength(1);
    expect(fake.calls[0]?.body.maximumBytesBilled).toBe(String(GIB));
  });

  test('runs when it asks for that window', async () => {
    const { refused, run, options, queryOver } = await openOver({
      ...STEADY,
      bytesOf: (hour) => (hour % 24) * 37 * MIB,
    });
    for (const since of [null, '2026-01-01T00:00:00Z', '2026-02-28T23:59:59Z']) {
      const { since: start = null, until = null } = windowOf(await refused(since, null))?.parameters ?? {};
      expect((await run(queryOver(start, until), options)).rows).toEqual(['{"id":"a"}']);
    }
  });

  test('is refused with an hour where nothing longer fits, not with the minutes of the hour that has just begun', async () => {
    const { refused } = await openOver({ ...STEADY, bytesOf: () => 0.9 * GIB });
    const error = await refused('2026-03-01T02:00:00Z', '2026-03-01T12:05:00Z');
    expect(windowOf(error)).toMatchObject({
      duration: 'PT1H',
      parameters: { since: '2026-03-01T11:00:00Z', until: '2026-03-01T11:59:59.999999Z' },
    });
  });

  test.each<[string, boolean, string]>([
    ['the advice to select fewer columns', true, 'select fewer columns'],
    [
      "the operator to ask where the query is not the caller's",
      false,
      "ask the service's operator for a higher cap",
    ],
  ])('is refused as not even an hour fits, with %s', async (_, isUntrusted, advice) => {
    const { failure, options, queryOver } = await openOver({ ...STEADY, bytesOf: () => 2 * GIB });
    const error = await failure({ ...queryOver('2026-03-01T02:00:00Z', null), isUntrusted }, options);
    expect(windowOf(error)).toBeNull();
    expect(error.message).toBe(
      `The query would bill 22 GiB, more than the 1 GiB that it may. Not even one hour of logs fits, and less is not read: ${advice}.`,
    );
  });

  test('is refused with days where the tables have a partition for each', async () => {
    const { refused } = await openOver({ ...STEADY, bytesOf: () => 10 * MIB }, { partitionBy: 'day' });
    const within = (maxBytesBilled: number) =>
      refused('2026-02-20T00:00:00Z', '2026-02-28T00:00:00Z', { maxBytesBilled });
    expect(windowOf(await within(512 * MIB))).toMatchObject({
      duration: 'P2D',
      parameters: { since: '2026-02-26T00:00:00Z' },
      isVerified: true,
    });
    expect((await within(100 * MIB)).message).toContain('Not even one day of logs fits');
  });

  test('counts a later end as the present, and its own conditions as bounds', async () => {
    const { refused, failure, options, queryOver } = await openOver(STEADY);
    const until = { until: '2026-03-01T12:30:00Z' };
    expect(windowOf(await refused('2026-02-01', '2099-01-01'))?.parameters).toMatchObject(until);
    const timeRange = { after: micros('2026-02-01'), upTo: micros('2026-02-03') };
    const own = await failure({ ...queryOver(null, null), timeRange }, options);
    expect(windowOf(own)?.parameters).toEqual({
      since: '2026-02-02T22:00:00Z',
      until: '2026-02-02T23:59:59.999999Z',
    });
  });

  test('without a lower bound is refused with a proposal for one', async () => {
    const { refused, fake } = await openOver(STEADY);
    const error = await refused(null, null);
    expect(windowOf(error)?.parameters.since).toBe('2026-03-01T11:00:00Z');
    expect(dryRuns(fake.calls).length).toBeLessThanOrEqual(3);
  });

  test('of newest rows, which is read in windows, is refused with less than the first window', async () => {
    const { failure, queryOver, options } = await openOver(STEADY);
    const newest = { ...queryOver(null, null), sql: `${SQL} ORDER BY t.timestamp DESC LIMIT 10` };
    const error = await failure(newest, { ...options, maxBytesBilled: 0.75 * GIB });
    expect(windowOf(error)?.parameters.since).toBe('2026-03-01T12:00:00Z');
  });
});

describe('a query whose time range a parameter value selects', () => {
  const seconds = { minutely: 3_600, hourly: 3_600, daily: 604_800, monthly: 2_592_000 };
  const options = {
    nowMicros: micros(NOW),
    lookback: { parameter: 'interval', seconds },
    maxBytesBilled: GIB,
  };
  const sql = 'SELECT id FROM logs.edge_logs WHERE event_message = @interval';
  const query = (value: string) => ({
    sql,
    parameters: new Map<string, QueryParameter>([['interval', { type: 'STRING', value }]]),
  });
  const open = (gib: Readonly<Record<string, number>>) =>
    openOnFake(({ body }) => {
      const value: string = body.queryParameters[0].parameterValue.value;
      const bytes = (gib[value] ?? 0) * GIB;
      if (body.dryRun === true) return { json: { totalBytesProcessed: String(bytes) } };
      return failed(400, 'bytesBilledLimitExceeded', `Too much. ${bytes} or higher required.`);
    });

  test('is refused with the values that fit', async () => {
    const { failure, fake } = await open({ monthly: 800, daily: 168, hourly: 1, minutely: 1 });
    const error = await failure(query('monthly'), options);
    expect(error.details).toEqual([
      {
        parameter: 'interval',
        reason: 'too_many_bytes',
        estimatedBytesBilled: 800 * GIB,
        maxBytesBilled: GIB,
        longestWindow: {
          seconds: 3_600,
          duration: 'PT1H',
          parameters: { interval: 'minutely' },
          isVerified: true,
        },
      },
    ]);
    expect(error.message).toContain(
      'The longest time range that fits is 1 hour: send interval=minutely or interval=hourly, or',
    );
    expect(dryRuns(fake.calls)).toHaveLength(2);
  });

  test.each(['daily', 'hourly'])('is refused as no value fits for %s', async (value) => {
    const { failure } = await open({ daily: 168, hourly: 2, minutely: 2 });
    expect((await failure(query(value), options)).message).toContain('Not even 1 hour of logs fits');
  });
});

describe('looking for a window', () => {
  test.each<[string, FakeAnswer, Partial<RunOptions>]>([
    ['fail', { status: 403, json: {} }, {}],
    ['say nothing that can be read', { json: { totalBytesProcessed: 'many' } }, {}],
    ['do not come in time', 'hang', { deadlineMs: 400 }],
  ])('goes by proportion when dry runs %s', async (_, dryRun, options) => {
    const { refused, warnings } = await openOver(STEADY, { dryRun });
    const error = await refused('2026-03-01T02:00:00Z', '2026-03-01T12:00:00Z', options);
    expect(error.kind).toBe('resource_exhausted');
    expect(windowOf(error)).toMatchObject({ duration: 'PT2H', isVerified: false });
    expect(error.message).toContain('The longest time range that fits is about 2 hours');
    expect(warnings).toEqual([]);
    const open = await refused(null, null, options);
    expect(windowOf(open)).toBeNull();
    expect(open.message).toContain('It has no lower time bound: send since, or');
  });

  test('says nothing where the entries lie elsewhere, or BigQuery does not say how much it is', async () => {
    const early = { from: STEADY.hours.from, to: STEADY.hours.from + 48 };
    const { refused } = await openOver({ ...STEADY, hours: early });
    const error = await refused('2025-11-01', null);
    expect(windowOf(error)).toBeNull();
    expect(error.message).toContain('Narrow the time range, or');

    const { failure, fake } = await openOnFake(() => failed(400, 'bytesBilledLimitExceeded', 'Too much.'));
    const silent = await failure({}, { maxBytesBilled: GIB });
    expect(silent.message).toContain('The query would bill more than the 1 GiB that it may.');
    expect(silent.details).toEqual([{ reason: 'too_many_bytes', maxBytesBilled: GIB, longestWindow: null }]);
    expect(fake.calls).toHaveLength(1);
  });

  test('is done once for the same hours', async () => {
    const { refused, fake } = await openOver(STEADY);
    for (const minute of ['12:01', '12:17', '12:29'])
      expect(
        windowOf(await refused('2026-03-01T02:00:00Z', `2026-03-01T${minute}:00Z`))?.parameters.until,
      ).toBe(`2026-03-01T${minute}:00Z`);
    expect(dryRuns(fake.calls)).toHaveLength(1);
  });

  test('is done for each owner thirty times a minute, and goes by proportion then', async () => {
    const { refused, fake } = await openOver(STEADY);
    const refusals = async (owner: string) => {
      let verified = 0;
      for (let hour = 0; hour < 35; hour++) {
        const until = new Date(Date.parse('2026-02-01') + hour * 3_600_000).toISOString();
        if (windowOf(await refused('2026-01-01', until, { owner }))?.isVerified) verified++;
      }
      return verified;
    };
    expect(await refusals('one')).toBe(30);
    expect(dryRuns(fake.calls)).toHaveLength(30);
    expect(windowOf(await refused('2026-01-01', '2026-01-20', { owner: 'two' }))?.isVerified).toBe(true);
  });
});
