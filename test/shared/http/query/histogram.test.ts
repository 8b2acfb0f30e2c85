import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from '../../../data/support/real-service.ts';
import type { Answer } from '../support/http-client.ts';

const STARTED: RealService[] = [];
beforeAll(async () => {
  STARTED.push(await startRealService('--now', '2026-01-31T12:10:00Z'));
});
afterAll(() => STARTED[0]?.close());

const DAY = { project: 'demo', iso_timestamp_start: '2026-01-30T12:10:00Z' };
type Parameters = Readonly<Record<string, string>>;
const ask = (parameters: Parameters, endpoint = 'logs.all'): Promise<Answer> =>
  (STARTED[0] as RealService).ask(endpoint, new URLSearchParams({ ...DAY, ...parameters }));

interface Bar {
  readonly timestamp: number;
  readonly count: number;
}

async function resultOf<Row>(parameters: Parameters): Promise<readonly Row[]> {
  const answer = await ask(parameters);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
  return (answer.json() as { readonly result: readonly Row[] }).result;
}
const barsOf = (parameters: Parameters) => resultOf<Bar>(parameters);
const total = (bars: readonly Bar[]) => bars.reduce((sum, { count }) => sum + count, 0);

/** The bars that the times of entries make. */
function barsFrom(micros: readonly number[], seconds: number): readonly Bar[] {
  const counts = new Map<number, number>();
  const width = seconds * 1e6;
  for (const at of micros) {
    const start = Math.floor(at / width) * width;
    counts.set(start, (counts.get(start) ?? 0) + 1);
  }
  return [...counts]
    .map(([timestamp, count]) => ({ timestamp, count }))
    .sort((a, b) => a.timestamp - b.timestamp);
}

const JOINED = `from edge_logs as t cross join unnest(metadata) as m
  cross join unnest(m.response) as s left join unnest(m.request) as r`;

/** A query, and one that gives the time of each entry that the first selects, once. */
const SELECTIONS: readonly [string, Parameters, string][] = [
  ['all of a source', { sql: 'select * from auth_logs' }, 'select timestamp from auth_logs'],
  [
    'conditions, order, limit and what text may have besides',
    {
      sql: "select id, -- from\n event_message, from auth_logs as a where event_message like '%o%' /* limit */ order by 1 desc limit 3 offset 1;",
    },
    "select timestamp from auth_logs where event_message like '%o%'",
  ],
  [
    'joins with the entry’s own records',
    {
      sql: `select t.timestamp, r.path ${JOINED} where s.status_code >= 500 order by timestamp desc limit 5`,
    },
    'select t.timestamp from edge_logs as t where exists (select 1 from unnest(metadata) as m, unnest(m.response) as s where s.status_code >= 500)',
  ],
  [
    'several rows of one entry',
    { sql: 'select id, n from auth_logs cross join unnest([1, 2, 3]) as n where n > 1' },
    'select timestamp from auth_logs',
  ],
  [
    'a join without elements',
    { sql: 'select id, n from auth_logs, unnest(cast([] as array<int64>)) as n' },
    'select timestamp from auth_logs where false',
  ],
  [
    'a condition on other sources',
    {
      sql: 'select id from auth_logs where timestamp > (select avg_at from (select timestamp_seconds(cast(avg(unix_seconds(timestamp)) as int64)) as avg_at from auth_logs))',
    },
    'select timestamp from auth_logs where timestamp > (select timestamp_seconds(cast(avg(unix_seconds(timestamp)) as int64)) from auth_logs)',
  ],
  [
    'its own WITH, a subquery, and a limit that stands below a condition',
    {
      sql: `with late as (select id, timestamp as seen, event_message, from auth_logs order by timestamp desc limit 40),
        wide as (select * from late)
        select seen from (select * from wide) where event_message like '%o%'`,
    },
    "select timestamp from (select timestamp, event_message from auth_logs order by timestamp desc limit 40) where event_message like '%o%'",
  ],
  [
    'parentheses around all',
    { sql: '((select id from auth_logs order by timestamp limit 2) limit 1)' },
    'select timestamp from auth_logs',
  ],
  [
    'pipe syntax',
    {
      sql: `from edge_logs |> cross join unnest(metadata) as m |> cross join unnest(m.response) as s
      |> extend s.status_code as code |> where s.status_code >= 400 |> select code |> order by code |> limit 3`,
    },
    'select timestamp from edge_logs where exists (select 1 from unnest(metadata) as m, unnest(m.response) as s where s.status_code >= 400)',
  ],
  [
    'pipe syntax that ends with a condition',
    { sql: "from auth_logs |> where event_message like '%o%'" },
    "select timestamp from auth_logs where event_message like '%o%'",
  ],
  [
    'window functions in the list',
    { sql: 'select row_number() over (order by id) as n from auth_logs' },
    'select timestamp from auth_logs',
  ],
  [
    'fields that are called like clauses',
    {
      sql: "select x.`from` as y from auth_logs, unnest([struct('a' as `from`, 1 as `limit`)]) as x where x.limit = 1",
    },
    'select timestamp from auth_logs',
  ],
  [
    'names that the count would use, and text that is full of them',
    {
      sql: `select entry1_time from (select id as entry1_time, ${Array.from({ length: 60 }, (_, n) => n)
        .map((n) => `'entry${n}_${'_'.repeat(20)}'`)
        .join(', ')}
        from auth_logs) as entry2_id`,
    },
    'select timestamp from auth_logs',
  ],
  [
    'LQL',
    { lql: 'f:edge_logs m.response.status_code:>=500' },
    'select timestamp from edge_logs where exists (select 1 from unnest(metadata) as m, unnest(m.response) as s where s.status_code >= 500)',
  ],
  [
    'LQL with columns and its own window',
    { lql: 'f:edge_logs s:m.request.path s:m.response.status_code t:>=2026-01-31T10:10:00Z' },
    "select timestamp from edge_logs where timestamp >= timestamp '2026-01-31T10:10:00Z'",
  ],
  ['the endpoint’s own query', {}, 'select timestamp from edge_logs'],
];

describe('histogram counts the entries that a query selects', () => {
  test.each(SELECTIONS)('%s', async (_, own, oracle) => {
    const times: number[] = [];
    for (let offset = 0; ; offset += 1000) {
      const page = await resultOf<{ readonly timestamp: number }>({
        sql: `${oracle.replace(/^select/, 'select')}  order by timestamp limit 1000 offset ${offset}`,
      });
      times.push(...page.map(({ timestamp }) => timestamp));
      if (page.length < 1000) break;
    }
    expect(await barsOf({ ...own, histogram: '900' })).toEqual(barsFrom(times, 900));
  });

  test('in bars of any width, which begin at its multiples', async () => {
    const whole = total(await barsOf({ sql: 'select id from auth_logs', histogram: '315576000' }));
    for (const seconds of [7, 60, 86_400]) {
      const bars = await barsOf({ sql: 'select id from auth_logs', histogram: String(seconds) });
      if (seconds > 7) expect(total(bars)).toBe(whole);
      for (const { timestamp } of bars) expect(timestamp % (seconds * 1e6)).toBe(0);
      const starts = bars.map(({ timestamp }) => timestamp);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    }
  });

  test('within the endpoint’s bounds: after the first, up to the second', async () => {
    const [first, second] = await resultOf<{ readonly timestamp: number }>({
      sql: 'select timestamp from auth_logs order by timestamp limit 2',
    });
    const iso = (micros = 0) =>
      `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, '0')}Z`;
    const bounds = { iso_timestamp_start: iso(first?.timestamp), iso_timestamp_end: iso(second?.timestamp) };
    const bars = await barsOf({ ...bounds, sql: 'select id from auth_logs limit 1', histogram: '1' });
    expect(bars).toEqual([{ timestamp: Math.floor((second?.timestamp ?? 0) / 1e6) * 1e6, count: 1 }]);
  });

  test('with the values of its parameters, those of the list alone not named as ignored', async () => {
    const sql = 'select @note as note from auth_logs where event_message like @pattern';
    const answer = await ask({ sql, note: 'x', pattern: '%o%', other: 'y', histogram: '60' });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ignored-parameters']).toBe('other');
    expect((await ask({ sql, note: 'x', histogram: '60' })).status).toBe(400);
  });

  test('in any format, and explained', async () => {
    const csv = await ask({ histogram: '86400', format: 'csv' });
    expect(csv.text).toMatch(/^timestamp,count\r\n1769731200000000,\d+\r\n/);
    const answer = await ask({ histogram: '60', explain: 'true' });
    expect(answer.json()).toMatchObject({
      explain: {
        sources: ['edge_logs'],
        columns: [{ name: 'timestamp' }, { name: 'count' }],
        entriesOf: 'edge_logs',
      },
    });
  });
});

describe('a histogram by severity', () => {
  const EDGE = 'sum(if(s.status_code between 500 and 599, 1, 0))';
  test.each(SELECTIONS)('has the same sums as the one without: %s', async (_, own) => {
    const bars = await barsOf({ ...own, histogram: '900' });
    const parts = await barsOf({ ...own, histogram: '900', histogram_by: 'severity' });
    const sums = new Map<number, number>();
    for (const { timestamp, count } of parts) sums.set(timestamp, (sums.get(timestamp) ?? 0) + count);
    expect([...sums].map(([timestamp, count]) => ({ timestamp, count }))).toEqual(bars);
  });

  test.each([
    [
      'by status codes',
      'edge_logs',
      'error',
      `select ${EDGE} as n from edge_logs, unnest(metadata) m, unnest(m.response) s`,
    ],
    [
      'by the severities of PostgreSQL',
      'postgres_logs',
      'fatal',
      "select count(*) as n from postgres_logs, unnest(metadata) m, unnest(m.parsed) p where p.error_severity in ('FATAL', 'PANIC')",
    ],
    [
      'by the more serious one of a level and a status code',
      'auth_logs',
      'warning',
      "select count(*) as n from auth_logs, unnest(metadata) m where (m.level = 'warning' or m.status between 400 and 499) and ifnull(m.level, '') != 'error' and not ifnull(m.status >= 500, false)",
    ],
    ['of nothing where no field says it', 'pgbouncer_logs', null, 'select count(*) as n from pgbouncer_logs'],
  ])('counts %s', async (_, source, severity, oracle) => {
    const parts = await resultOf<Bar & { readonly severity: string | null }>({
      sql: `select id from ${source}`,
      histogram: '315576000',
      histogram_by: 'severity',
    });
    const counted = total(parts.filter((one) => one.severity === severity));
    const [row] = await resultOf<{ readonly n: number }>({ sql: oracle });
    expect(counted).toBe(row?.n);
    expect(counted).toBeGreaterThan(0);
  });

  test.each([
    ['another word', { histogram: '60', histogram_by: 'level' }, 'histogram_by'],
    ['no width', { histogram_by: 'severity' }, 'histogram_by'],
    ['a facet', { histogram: '60', facet: 'id' }, 'facet'],
  ])('is refused with %s', async (_, own, parameter) => {
    const answer = await ask(own);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { details: [{ parameter }] } });
  });
});

describe('a facet counts entries by the values of a field', () => {
  test.each([
    [
      'a column',
      { sql: 'select id from auth_logs' },
      'event_message',
      'select event_message as value, id from auth_logs',
    ],
    [
      'a field of records, with the query’s conditions',
      { sql: `select r.path ${JOINED} where s.status_code >= 500 limit 5` },
      'metadata.request.METHOD',
      `select r.method as value, t.id ${JOINED} where s.status_code >= 500`,
    ],
    [
      'LQL',
      { lql: 'f:auth_logs m.status:>=400 s:id' },
      'metadata.status',
      'select m.status as value, id from auth_logs, unnest(metadata) m where m.status >= 400',
    ],
  ])('%s', async (_, own, facet, oracle) => {
    const values = await resultOf<{ readonly value: unknown; readonly count: number }>({ ...own, facet });
    const expected = await resultOf({
      sql: `select value, count(distinct id) as count from (${oracle}) group by 1 order by 2 desc, 1 limit 100`,
    });
    expect(values).toEqual(expected);
    expect(values.length).toBeGreaterThan(0);
  });

  test.each([
    ['no such field', { facet: 'metadata.request.methd' }, 'Did you mean metadata.request.method'],
    ['a record', { facet: 'metadata.request' }, 'field with one value'],
    [
      'a query of other rows',
      { sql: 'select count(*) from auth_logs', facet: 'id' },
      'There are facets only',
    ],
    ['a path that is too long', { facet: 'a'.repeat(1001) }, 'too long'],
  ])('is refused for %s', async (_, own, message) => {
    const answer = await ask(own);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { message: expect.stringContaining(message), details: [{ parameter: 'facet' }] },
    });
  });
});

const OTHERS: readonly [string, Parameters][] = [
  ['aggregates', { sql: 'select count(*) as n from auth_logs' }],
  ['groups', { sql: 'select id from auth_logs group by id' }],
  ['HAVING', { sql: 'select max(timestamp) as n from auth_logs having count(*) > 1' }],
  ['an aggregate in ORDER BY', { sql: 'select min(timestamp) as n from auth_logs order by count(*)' }],
  ['an aggregate in a window', { sql: 'select sum(count(*)) over () as n from auth_logs' }],
  ['DISTINCT', { sql: 'select distinct event_message from auth_logs' }],
  ['UNION', { sql: 'select id from auth_logs union all select id from edge_logs' }],
  ['two sources', { sql: 'select a.id from auth_logs as a cross join edge_logs as e limit 3' }],
  ['a source joined with itself', { sql: 'select a.id from auth_logs as a join auth_logs as b using (id)' }],
  ['QUALIFY', { sql: 'select id from auth_logs where true qualify row_number() over (order by id) = 1' }],
  ['rows of no entry', { sql: 'select n from unnest([1, 2]) as n left join auth_logs on true limit 3' }],
  ['no source', { sql: 'select 1 as n' }],
  ['an aggregate below', { sql: 'select n from (select count(*) as n from auth_logs)' }],
  ['DISTINCT in WITH', { sql: 'with a as (select distinct id from auth_logs) select id from a' }],
  [
    'a CTE whose columns are counted elsewhere',
    { sql: 'with a as (select id from auth_logs) select id from a where id in (select * from a)' },
  ],
  ['a limit before a condition in a pipe', { sql: 'from auth_logs |> limit 5 |> where true' }],
  ['an aggregate in a pipe', { sql: 'from auth_logs |> aggregate count(*) as n' }],
  ['a chart in LQL', { lql: 'f:auth_logs c:count(*) c:group_by(t::hour)' }],
];

describe('other queries have none, which explain reports', () => {
  test.each(OTHERS)('%s', async (_, own) => {
    expect((await ask(own)).status).toBe(200);
    const answer = await ask({ ...own, histogram: '60' });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { error: { details: [{ parameter: 'histogram' }] } },
    ]);
    expect((await ask({ ...own, explain: 'true' })).json()).toMatchObject({ explain: { entriesOf: null } });
  });

  test('the endpoint’s own', async () => {
    const counts = { interval: 'hourly', histogram: '60' };
    const answer = await ask(counts, 'usage.api-counts');
    expect(answer.status).toBe(400);
    const explained = await ask({ interval: 'hourly', explain: 'true' }, 'usage.api-counts');
    expect(explained.json()).toMatchObject({ explain: { entriesOf: null } });
    const own = await ask(
      { interval: 'hourly', sql: 'select id from edge_logs limit 2', histogram: '60' },
      'usage.api-counts',
    );
    expect(own.status).toBe(200);
  });
});

test.each(['0', '-1', '1.5', '60s', '1e3', '315576001', ' 60', '999999999999999999999', '٦'])(
  'a width of "%s" is refused',
  async (histogram) => {
    const answer = await ask({ histogram });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      {
        error: {
          message: expect.stringContaining('a whole number from 1 to 315576000'),
          details: [{ parameter: 'histogram' }],
        },
      },
    ]);
  },
);

test("an error in the query has its place in the caller's text", async () => {
  const answer = await ask({ sql: 'select id from auth_logs\nwhere nope', histogram: '60' });
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { error: { details: [{ line: 2, column: 7 }] } },
  ]);
});
