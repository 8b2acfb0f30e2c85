import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatMicros } from '../../shared/time/iso-timestamp.ts';
import { type ApiCounts, countByHand, INTERVALS, type Interval } from './support/api-counts.ts';
import { bare, type EdgeEntry, newestEntries } from './support/edge-entries.ts';
import { type RealService, rowsOf, startWithLogs } from './support/real-service.ts';

const HOUR = 3_600_000_000n;
const DAY = 24n * HOUR;
const micros = (text: string) => BigInt(Date.parse(text)) * 1000n;

/** Where the clock will stand: on and beside the edges of buckets, and on days on which clocks are changed. */
const NOWS = [
  '2026-03-08T07:30:00Z', // New York changes at 07:00
  '2026-03-29T01:00:00Z', // Berlin changes at this instant
  '2026-03-30T00:00:00Z',
  '2026-10-25T01:59:59Z',
  '2026-11-01T06:15:27Z',
  '2028-02-29T23:59:59Z',
].flatMap((text) => [-1n, 0n, 1n].map((offset) => micros(text) + offset));

/** What a request can look like: several elements, none, without fields. Counted once each at most. */
const SHAPES: readonly EdgeEntry['metadata'][] = [
  [{ request: [{ url: 'https://made.example/rest/v1/a', path: '/rest/v1/a' }] }],
  [{ request: [{ url: 'https://made.example/storage/v1/b', path: '/storage/v1/b' }] }],
  [{ request: [{ url: 'https://made.example/auth/v1/c', path: '/auth/v1/c' }] }],
  [{ request: [{ url: 'https://made.example/realtime/v1/d', path: '/realtime/v1/d' }] }],
  [{ request: [{ url: 'https://made.example/', path: '/' }] }],
  [{ request: [{ url: 'https://made.example/rest/storage', path: '/rest/storage/auth/realtime' }] }],
  [
    {
      request: [
        { url: 'https://made.example/x', path: '/v2/rest' },
        { url: 'https://made.example/y', path: '/rest' },
      ],
    },
  ],
  [
    { request: [{ url: 'https://made.example/z', path: '/auth' }] },
    { request: [{ url: 'https://made.example/z', path: '/auth' }, { path: '/realtime' }] },
    { request: [] },
  ],
  [{ request: [{ url: 'https://MADE.example/REST', path: '/REST' }] }],
  [{ request: [{ url: 'https://other.example/rest', path: '/rest' }] }],
  [{ request: [{ path: '/rest/without/url' }] }],
  [{ request: [{ url: 'https://made.example/no/path' }] }],
  [{ request: [{}] }],
  [{ request: [] }],
  [{}],
  [],
];

/** Each instant beside an edge: of the window, and of the minutes, hours and days in it. */
const instants = NOWS.flatMap((now) => {
  const ends = [0n, HOUR, 7n * DAY, 7n * DAY - HOUR, DAY, 2n * DAY].map((back) => now - back);
  const starts = [60_000_000n, HOUR, DAY].flatMap((bucket) => ends.map((end) => end - (end % bucket)));
  return [...ends, ...starts].flatMap((edge) => [-1n, 0n, 1n].map((offset) => edge + offset));
});
const traffic: readonly EdgeEntry[] = [...new Set(instants)].flatMap((instant, index) =>
  [0, 1, 2].map((more) => {
    const metadata = SHAPES[(index * 3 + more) % SHAPES.length] ?? [];
    return { id: `t${index}-${more}`, micros: instant, project: 'made', event_message: 'made', metadata };
  }),
);

/** Entries at the edges of one hour, for answers that can be read off. */
const edge = (id: string, time: string, offset: bigint, path: string): EdgeEntry => ({
  id,
  micros: micros(time) + offset,
  project: 'edge',
  event_message: id,
  metadata: [{ request: [{ path, url: `https://edge.example${path}` }] }],
});
const edges: readonly EdgeEntry[] = [
  edge('week-start-before', '2020-06-01T12:00:00Z', -1n, '/rest/excluded'),
  edge('week-start', '2020-06-01T12:00:00Z', 0n, '/rest/first'),
  edge('day-last', '2020-06-02T00:00:00Z', -1n, '/auth'),
  edge('day-first', '2020-06-02T00:00:00Z', 0n, '/storage'),
  edge('hour-start-before', '2020-06-08T11:00:00Z', -1n, '/realtime/excluded'),
  edge('hour-start', '2020-06-08T11:00:00Z', 0n, '/realtime/first'),
  edge('minute-last', '2020-06-08T11:31:00Z', -1n, '/auth'),
  edge('minute-first', '2020-06-08T11:31:00Z', 0n, '/storage'),
  edge('hour-last', '2020-06-08T12:00:00Z', -1n, '/rest'),
  edge('now', '2020-06-08T12:00:00Z', 0n, '/rest/now'),
  edge('future', '2020-06-08T12:00:00Z', 1n, '/rest/future'),
];

/** One entry in which every element asks for the same, and two areas. */
const many: EdgeEntry = {
  ...edge('many', '2018-06-08T12:00:00Z', 0n, ''),
  metadata: Array.from({ length: 3 }, () => ({
    request: ['/rest', '/rest', '/storage'].map((path) => ({ path, url: `https://many.example${path}` })),
  })),
};

const ODD_URLS = [
  'https://a.b/c?d=1&e=[2]',
  'https://a+b/(c)',
  'https://a/$x^y',
  'https://ünï.example/ẞ',
  'https://a\\b',
  ' ',
  '',
];
const odd: readonly EdgeEntry[] = ODD_URLS.map((url, index) => ({
  id: `odd${index}`,
  micros: micros('2019-01-01T00:00:00Z') - BigInt(index),
  project: 'odd',
  event_message: url,
  metadata: [{ request: [{ url, path: '/rest' }] }],
}));

/** Entries for logs.all: times a microsecond apart and equal, projects that are nearly the same, NULLs. */
const crowd: readonly EdgeEntry[] = Array.from({ length: 250 }, (_, index) => ({
  id: `c${(index * 7919) % 250}`,
  micros: micros('2021-01-01T00:00:00Z') + BigInt(Math.floor(index / 5)),
  project: ['crowd', 'Crowd', 'crowd ', "crowd' OR 'a'='a", null][index % 5] ?? null,
  event_message: `${index}`,
  metadata: SHAPES[index % SHAPES.length] ?? [],
}));
const ties: readonly EdgeEntry[] = Array.from({ length: 300 }, (_, index) => ({
  id: `t${String((index * 7919) % 300).padStart(3, '0')}`,
  micros: micros('2021-02-01T00:00:00Z'),
  project: 'ties',
  event_message: '',
  metadata: [],
}));

const all = [...traffic, ...edges, many, ...odd, ...crowd, ...ties];

let running: RealService;
beforeAll(async () => {
  const lines = all.map(({ micros: timestamp, ...entry }) => ({ ...entry, timestamp: Number(timestamp) }));
  running = await startWithLogs({ edge_logs: lines });
});
afterAll(() => running.close());

async function count(interval: Interval, project: string, now: bigint): Promise<ApiCounts[]> {
  running.nowMicros = now;
  return rowsOf(await running.ask('usage.api-counts', new URLSearchParams({ interval, project })));
}

/** A row as `[timestamp, rest, storage, auth, realtime]`. */
const short = (row: ApiCounts) => Object.values(row);

describe('usage.api-counts over made traffic', () => {
  const noon = micros('2020-06-08T12:00:00Z');

  test('puts the first and last microsecond of an hour in their buckets and leaves out both ends beyond', async () => {
    expect((await count('hourly', 'edge.example', noon)).map(short)).toEqual([
      ['2020-06-08T11:00:00', 1, 1, 1, 1],
      ['2020-06-08T12:00:00', 1, 0, 0, 0],
    ]);
  });

  test('does so with minutes', async () => {
    expect((await count('minutely', 'edge.example', noon)).map(short)).toEqual([
      ['2020-06-08T11:00:00', 0, 0, 0, 1],
      ['2020-06-08T11:30:00', 0, 0, 1, 0],
      ['2020-06-08T11:31:00', 0, 1, 0, 0],
      ['2020-06-08T11:59:00', 1, 0, 0, 0],
      ['2020-06-08T12:00:00', 1, 0, 0, 0],
    ]);
  });

  test('does so with days', async () => {
    expect((await count('daily', 'edge.example', noon)).map(short)).toEqual([
      ['2020-06-01T00:00:00', 1, 0, 1, 0],
      ['2020-06-02T00:00:00', 0, 1, 0, 0],
      ['2020-06-08T00:00:00', 2, 1, 1, 2],
    ]);
  });

  test('counts an entry once, however many elements its records have', async () => {
    const now = micros('2018-06-08T12:00:00Z');
    expect((await count('hourly', 'many.example', now)).map(short)).toEqual([
      ['2018-06-08T12:00:00', 1, 1, 0, 0],
    ]);
  });

  describe.each(NOWS.map((now) => [formatMicros(now), now] as const))('with the clock at %s', (_, now) => {
    test.each(Object.keys(INTERVALS) as Interval[])('%s agrees with a count by hand', async (interval) => {
      const expected = countByHand(all, interval, /made\.example/, now);
      expect(expected.length).toBeGreaterThan(0);
      expect(await count(interval, String.raw`made\.example`, now)).toEqual(expected);
    });
  });

  test.each<[string, RegExp]>([
    ['.*', /.*/],
    ['^https://made', /^https:\/\/made/],
    ['^made', /^made/],
    ['example$', /example$/],
    ['example/$', /example\/$/],
    ['^https://[^/]+/rest', /^https:\/\/[^/]+\/rest/],
    ['made|other', /made|other/],
    ['(?i)made', /made/i],
    ['MADE', /MADE/],
    [String.raw`\bv1\b`, /\bv1\b/],
    ['v[12]/[a-d]$', /v[12]\/[a-d]$/],
    ['(?:rest|auth)/v1', /(?:rest|auth)\/v1/],
    ['o{2}|e{2}', /o{2}|e{2}/],
    [String.raw`\x6dade`, /made/],
  ])('searches URLs for %s', async (pattern, same) => {
    for (const now of [NOWS[0], NOWS[7], NOWS[16]] as bigint[]) {
      expect(await count('daily', pattern, now)).toEqual(countByHand(all, 'daily', same, now));
    }
  });

  test.each<[string, RegExp]>([
    [String.raw`a\.b/c\?d=1&e=\[2\]`, /a\.b\/c\?d=1&e=\[2\]/],
    ['a.b', /a.b/],
    [String.raw`a\+b/\(c\)`, /a\+b\/\(c\)/],
    ['a+b', /a+b/],
    [String.raw`\$x\^y`, /\$x\^y/],
    [String.raw`\Qa+b/(c)\E`, /a\+b\/\(c\)/],
    ['ünï|ẞ', /ünï|ẞ/],
    [String.raw`a\\b`, /a\\b/],
    ['^ $', /^ $/],
    ['^$', /^$/],
    [String.raw`\pL{3}\.`, /\p{L}{3}\./u],
    ["'", /'/],
    ["' OR 1=1 --", /' OR 1=1 --/],
    ['%', /%/],
  ])('takes the characters of %s as a regular expression has them', async (pattern, same) => {
    const now = micros('2019-01-01T00:00:00Z');
    expect(await count('hourly', pattern, now)).toEqual(countByHand(all, 'hourly', same, now));
  });

  test.each([
    '(',
    ')',
    '[',
    '[b-a]',
    '*',
    'a**',
    'a{2,1}',
    'a{1001}',
    '\\',
    String.raw`\1`,
    '(?=a)',
    '(?<!a)',
    String.raw`\p{Nope}`,
    '(?<n',
  ])('refuses %s, which is no regular expression of RE2', async (project) => {
    const answer = await running.ask('usage.api-counts', new URLSearchParams({ interval: 'daily', project }));
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { status: 'INVALID_ARGUMENT', details: [{ parameter: 'project' }] },
    });
  });

  test('answers no row where there was no request', async () => {
    expect(await count('daily', '.*', micros('2010-01-01T00:00:00Z'))).toEqual([]);
  });
});

describe('logs.all over made entries', () => {
  const ask = async (parameters: Record<string, string>) =>
    rowsOf(await running.ask('logs.all', new URLSearchParams(parameters)));
  const noon = micros('2021-01-01T00:00:00Z');

  test.each(['crowd', 'Crowd', 'crowd ', "crowd' OR 'a'='a"])(
    'answers the entries of %j alone',
    async (project) => {
      const rows = await ask({ project });
      expect(rows).toHaveLength(50);
      expect(bare(rows)).toEqual(bare(newestEntries(all, project)));
    },
  );

  test.each([
    [0n, 0n],
    [0n, 1n],
    [-1n, 0n],
    [10n, 20n],
    [48n, 49n],
    [49n, 60n],
  ])('keeps to the microsecond between %s and %s', async (from, to) => {
    const [start, end] = [noon + from, noon + to];
    const rows = await ask({
      project: 'crowd',
      iso_timestamp_start: formatMicros(start),
      iso_timestamp_end: formatMicros(end),
    });
    expect(bare(rows)).toEqual(bare(newestEntries(all, 'crowd', { start, end })));
    expect(rows).toHaveLength(Number(to < 49n ? to - from : 49n - from));
  });

  test('answers a hundred of many at one instant, the greater ids first', async () => {
    const rows = (await ask({ project: 'ties' })) as { id: string }[];
    const ids = ties
      .map(({ id }) => id)
      .sort()
      .reverse();
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 100));
  });

  test('shows an entry once, with every element of its records', async () => {
    const rows = await ask({ project: 'made', iso_timestamp_end: formatMicros(traffic[0]?.micros ?? 0n) });
    expect(bare(rows)).toEqual(bare(newestEntries(all, 'made', { end: traffic[0]?.micros })));
  });
});
