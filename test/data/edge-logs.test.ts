import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatMicros } from '../../shared/time/iso-timestamp.ts';
import { countByHand, INTERVALS, type Interval } from './support/api-counts.ts';
import { bare, newestEntries, realEntries } from './support/edge-entries.ts';
import { type RealService, rowsOf, startRealService } from './support/real-service.ts';

/** Ten thousand requests of a real web server; its README's facts were counted by other means. */
const entries = realEntries();
const FIRST = BigInt(Date.UTC(2015, 4, 17, 10, 5, 0)) * 1000n;
const LAST = BigInt(Date.UTC(2015, 4, 20, 21, 5, 59)) * 1000n;
const NOW = '2015-05-20T21:06:00Z';

interface LogRow {
  readonly id: string;
  readonly timestamp: number;
  readonly metadata: (typeof entries)[number]['metadata'];
}

let running: RealService;
beforeAll(async () => {
  running = await startRealService('--logs', '../shared/data', '--now', NOW);
});
afterAll(() => running.close());

async function ask(parameters: Readonly<Record<string, string>>): Promise<LogRow[]> {
  const answer = await running.ask('logs.all', new URLSearchParams({ project: 'blog', ...parameters }));
  return rowsOf<LogRow>(answer);
}

describe('logs.all over real requests', () => {
  test('answers the newest hundred, whole and in order', async () => {
    const rows = await ask({});
    expect(rows).toHaveLength(100);
    expect(bare(rows)).toEqual(bare(newestEntries(entries, 'blog')));
    expect(rows[0]?.timestamp).toBe(Number(LAST));
  });

  test('answers what it says in its headers', async () => {
    const answer = await running.ask('logs.all', 'project=blog&zone=berlin');
    expect(answer.headers).toMatchObject({ 'x-row-count': '100', 'x-ignored-parameters': 'zone' });
    expect(answer.headers).not.toHaveProperty('x-truncated');
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  });

  test('answers the same bytes every time, ties included', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => running.ask('logs.all', 'project=blog')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test.each([
    ['only an end, which is inclusive', { iso_timestamp_end: '2015-05-17T10:05:00Z' }, undefined, FIRST],
    [
      'an end a microsecond before',
      { iso_timestamp_end: '2015-05-17T10:04:59.999999Z' },
      undefined,
      FIRST - 1n,
    ],
    ['a start that is exclusive', { iso_timestamp_start: '2015-05-20T21:05:59Z' }, LAST, undefined],
    [
      'a start a microsecond before',
      { iso_timestamp_start: '2015-05-20T21:05:58.999999Z' },
      LAST - 1n,
      undefined,
    ],
    [
      'both bounds at one instant',
      { iso_timestamp_start: '2015-05-20T21:05:59Z', iso_timestamp_end: '2015-05-20T21:05:59Z' },
      LAST,
      LAST,
    ],
    [
      'bounds around one instant',
      {
        iso_timestamp_start: '2015-05-20T21:05:58.999999Z',
        iso_timestamp_end: '2015-05-20T21:05:59.000000Z',
      },
      LAST - 1n,
      LAST,
    ],
    [
      'bounds the wrong way round',
      { iso_timestamp_start: '2015-05-20', iso_timestamp_end: '2015-05-18' },
      BigInt(Date.UTC(2015, 4, 20)) * 1000n,
      BigInt(Date.UTC(2015, 4, 18)) * 1000n,
    ],
    [
      'empty bounds, which are none',
      { iso_timestamp_start: '', iso_timestamp_end: '' },
      undefined,
      undefined,
    ],
    [
      'the first and last instants that can be written',
      { iso_timestamp_start: '0001-01-01T00:00:00Z', iso_timestamp_end: '9999-12-31T23:59:59.999999Z' },
      undefined,
      undefined,
    ],
  ])('takes %s', async (_, parameters, start, end) => {
    expect(bare(await ask(parameters))).toEqual(bare(newestEntries(entries, 'blog', { start, end })));
  });

  test.each([
    '2015-05-19T19:30:00Z',
    '2015-05-19T19:30:00',
    '2015-05-19T19:30',
    '2015-05-19T21:30:00+02:00',
    '2015-05-19T21:30:00+0200',
    '2015-05-19T21:30:00+02',
    '2015-05-19T21:30:00 02:00',
    '2015-05-19T12:00:00-07:30',
    '2015-05-20T09:30:00.000000+14:00',
    '2015-05-19 19:30:00.000000999Z',
  ])('reads the instant %s', async (text) => {
    const end = BigInt(Date.UTC(2015, 4, 19, 19, 30)) * 1000n;
    expect(bare(await ask({ iso_timestamp_end: text }))).toEqual(
      bare(newestEntries(entries, 'blog', { end })),
    );
  });

  test('reads an unescaped plus in the URL, which arrives as a space', async () => {
    const query =
      'project=blog&iso_timestamp_start=2015-05-19T21:00:00+02:00&iso_timestamp_end=2015-05-19T21:10+02:00';
    const [start, end] = [0, 10].map((minute) => BigInt(Date.UTC(2015, 4, 19, 19, minute)) * 1000n);
    const rows = rowsOf(await running.ask('logs.all', query));
    expect(rows.length).toBeGreaterThan(0);
    expect(bare(rows)).toEqual(bare(newestEntries(entries, 'blog', { start, end })));
  });

  test.each(['Blog', 'blo', 'blog ', 'blogs', '.*', '%', "blog' OR '1'='1"])(
    'answers no row of another project: %j',
    async (project) => {
      expect(await ask({ project })).toEqual([]);
    },
  );

  test('agrees with a search by hand for any bounds', async () => {
    const instant = fc
      .tuple(fc.constantFrom(...entries.map(({ micros }) => micros)), fc.constantFrom(-1n, 0n, 1n, 500_000n))
      .map(([micros, offset]) => micros + offset);
    const bound = fc.option(instant, { nil: undefined });
    await fc.assert(
      fc.asyncProperty(bound, bound, async (start, end) => {
        const parameters = {
          ...(start === undefined ? {} : { iso_timestamp_start: formatMicros(start) }),
          ...(end === undefined ? {} : { iso_timestamp_end: formatMicros(end) }),
        };
        expect(bare(await ask(parameters))).toEqual(bare(newestEntries(entries, 'blog', { start, end })));
      }),
      { numRuns: 40 },
    );
  });

  test('answers every entry once when it is asked window by window, with the facts that are known of them', async () => {
    const rows = await allRows();
    expect(rows).toHaveLength(10_000);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(10_000);
    expect(new Set(rows.map(({ timestamp }) => timestamp)).size).toBe(4362);
    const requests = rows.flatMap(({ metadata }) => metadata.flatMap(({ request }) => request ?? []));
    const statuses = rows.flatMap(({ metadata }) => metadata.flatMap(({ response }) => response ?? []));
    expect(tally(statuses.map(({ status_code }) => status_code))).toEqual({
      200: 9126,
      304: 445,
      404: 213,
      301: 164,
      206: 45,
      500: 3,
      403: 2,
      416: 2,
    });
    expect(tally(requests.map(({ method }) => method))).toEqual({ GET: 9952, HEAD: 42, POST: 5, OPTIONS: 1 });
    expect(tally(requests.map(({ path }) => path))).toMatchObject({
      '/favicon.ico': 807,
      '/': 575,
      '/style2.css': 546,
      '/reset.css': 538,
    });
    expect(new Set(requests.map(({ headers }) => headers?.[0]?.x_real_ip)).size).toBe(1753);
    const hours = tally(rows.map(({ timestamp }) => new Date(timestamp / 1000).toISOString().slice(0, 13)));
    expect(Object.entries(hours).sort(([, a], [, b]) => b - a)[0]).toEqual(['2015-05-19T19', 136]);
  });
});

/** All entries by windows that end where the next 90 entries or so begin. */
async function allRows(): Promise<LogRow[]> {
  const times = entries.map(({ micros }) => micros).sort();
  const ends = [...times.filter((_, index) => index % 90 === 0), LAST];
  const rows: LogRow[] = [];
  for (const [index, end] of ends.entries()) {
    const start = ends[index - 1] ?? FIRST - 1n;
    const bounds = { iso_timestamp_start: formatMicros(start), iso_timestamp_end: formatMicros(end) };
    const part = await ask(bounds);
    expect(part.length).toBeLessThan(100);
    rows.push(...part);
  }
  return rows;
}

function tally(values: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

describe('usage.api-counts over real requests', () => {
  const now = BigInt(Date.parse(NOW)) * 1000n;

  test.each(Object.keys(INTERVALS) as Interval[])('counts %s as counted by hand', async (interval) => {
    const rows = rowsOf(await running.ask('usage.api-counts', `interval=${interval}&project=blog`));
    expect(rows).toEqual(countByHand(entries, interval, /blog/, now));
    expect(rows.length).toBe({ minutely: 1, hourly: 1, daily: 4 }[interval]);
  });

  test('knows the one request whose path has to do with storage', async () => {
    const rows = rowsOf<Record<string, number>>(
      await running.ask('usage.api-counts', 'interval=daily&project=blog'),
    );
    const total = (name: string) => rows.reduce((sum, row) => sum + (row[`total_${name}_requests`] ?? 0), 0);
    expect(['rest', 'storage', 'auth', 'realtime'].map(total)).toEqual([0, 1, 0, 0]);
  });

  test.each([
    ['2015-05-20T21:05:59Z'],
    ['2015-05-20T21:05:58.999999Z'],
    ['2015-05-20T00:00:00Z'],
    ['2015-05-19T20:00:00.000001Z'],
    ['2015-05-24T10:05:00Z'],
    ['2015-05-24T10:04:59.999999Z'],
    ['2015-05-17T10:05:00Z'],
    ['2015-05-17T10:04:59Z'],
    ['2026-01-01T00:00:00Z'],
  ])('counts up to the clock when it stands at %s', async (text) => {
    const seconds = BigInt(Date.parse(text.replace(/\.\d+/, ''))) * 1000n;
    running.nowMicros = seconds + BigInt(/\.(\d{6})/.exec(text)?.[1] ?? 0);
    try {
      for (const interval of Object.keys(INTERVALS) as Interval[]) {
        const rows = rowsOf(await running.ask('usage.api-counts', `interval=${interval}&project=blog`));
        expect(rows).toEqual(countByHand(entries, interval, /blog/, running.nowMicros));
      }
    } finally {
      running.nowMicros = null;
    }
  });
});

describe('redaction of real requests', () => {
  const redact = { 'lf-endpoint-redact-pii': 'true' };
  const addresses = new Set(
    entries.flatMap(({ metadata }) =>
      metadata.flatMap(({ request }) =>
        (request ?? []).map(({ headers }) => String(headers?.[0]?.x_real_ip)),
      ),
    ),
  );
  const found = (text: string) =>
    [...text.matchAll(/\d+\.\d+\.\d+\.\d+/g)].filter(([address]) => addresses.has(address)).length;

  test('leaves no address of a client in the rows, and leaves the rest as it is', async () => {
    const [plain, redacted] = await Promise.all([
      running.ask('logs.all', 'project=blog'),
      running.ask('logs.all', 'project=blog', redact),
    ]);
    expect(found(plain.text)).toBeGreaterThanOrEqual(300);
    expect(found(redacted.text)).toBe(0);
    const [before, after] = [rowsOf<LogRow>(plain), rowsOf<LogRow>(redacted)];
    expect(after.map(({ id, timestamp }) => [id, timestamp])).toEqual(
      before.map(({ id, timestamp }) => [id, timestamp]),
    );
  });

  test('leaves none in the message of a query that failed on one', async () => {
    const sql = `select cast(h.x_real_ip as int64) from edge_logs, unnest(metadata) m, unnest(m.request) r,
      unnest(r.headers) h`;
    const query = new URLSearchParams({ project: 'blog', sql });
    const [plain, redacted] = [
      await running.ask('logs.all', query),
      await running.ask('logs.all', query, redact),
    ];
    expect([plain.status, redacted.status]).toEqual([400, 400]);
    expect(found(plain.text)).toBe(1);
    expect(redacted.text).toContain('Bad int64 value: REDACTED');
    expect(found(redacted.text)).toBe(0);
  });
});
