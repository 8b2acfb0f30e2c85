import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PRICES } from '../../cli/cost/prices.ts';
import { runCost } from '../../cli/cost.ts';
import { runHere } from './support/run-here.ts';

interface Report {
  readonly usdPerMonth: number;
  readonly sections: readonly {
    readonly title: string;
    readonly rows: readonly { readonly item: string; readonly arithmetic: string; readonly usd: number }[];
  }[];
  readonly prices: { readonly list: readonly { readonly name: string; readonly usd: number }[] };
  readonly bytesPerEntry: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly reads: Readonly<
    Record<string, readonly { readonly table: string; readonly leaves: readonly string[] }[]>
  >;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-cost-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Few logs, so that the demo logs need not be made again for each row. */
async function report(...argv: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await runHere(runCost, ['--json', '--logs', '../shared/data', ...argv]);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** The amount of one row. */
async function usdOf(item: string | RegExp, ...argv: readonly string[]): Promise<number> {
  const rows = (await report(...argv)).sections.flatMap((section) => section.rows);
  return rows.find((row) => row.item.match(item) !== null)?.usd ?? 0;
}

function refuses({ sections }: Report): boolean {
  return sections.some(({ rows }) => rows.some(({ arithmetic }) => arithmetic.endsWith('refused')));
}

/** All edge logs, in partitions that have one size in round numbers: 1 GiB an hour. */
const FULL_HOURS = ['--tib-per-month', String(730 / 1024), '--share', 'edge_logs=100'] as const;
const ROUND = [...FULL_HOURS, '--block-mib', '0'] as const;
const GIB_USD = 6.25 / 1024;

describe('lqe cost', () => {
  test('sums up what its sections have', async () => {
    const { usdPerMonth, sections } = await report();
    const sum = sections.flatMap(({ rows }) => rows).reduce((total, { usd }) => total + usd, 0);
    expect(usdPerMonth).toBeCloseTo(sum, 6);
    expect(sections.map(({ title }) => title)).toEqual([
      'Each month, used or not',
      'Logs',
      'Queries on BigQuery',
      'Sets that are kept warm',
      'Firestore',
      'Requests',
    ]);
  });

  test('prints the same rows as text and as Markdown', async () => {
    const { sections } = await report();
    const text = await runHere(runCost, ['--logs', '../shared/data']);
    const markdown = await runHere(runCost, ['--logs', '../shared/data', '--markdown']);
    for (const { title, rows } of sections) {
      expect(text.stdout).toContain(title);
      for (const { item, arithmetic } of rows) {
        expect(text.stdout).toContain(arithmetic);
        expect(markdown.stdout).toContain(`| ${item} | ${arithmetic} | `);
      }
    }
  });

  test('reads the leaves that the stored queries name, not rows', async () => {
    const { reads, bytesPerEntry } = await report();
    expect(reads['usage.api-counts']).toEqual([
      expect.objectContaining({
        table: 'edge_logs',
        leaves: expect.arrayContaining(['timestamp', 'metadata.request.url', 'metadata.request.path']),
        isOfOneProject: false,
      }),
    ]);
    expect(reads['logs.all']).toEqual([
      expect.objectContaining({ table: 'edge_logs', isOfOneProject: true }),
    ]);
    expect(bytesPerEntry.edge_logs).toMatchObject({ timestamp: 8, project: 6, id: 38 });
  });

  test.each<[string, string | RegExp, readonly string[], number]>([
    [
      'each call of an uncached endpoint by the partitions that its window touches, a project of many',
      'logs.all',
      [...ROUND, '--projects', '10', '--calls', 'logs.all=1000'],
      1000 * 2 * 0.1 * GIB_USD,
    ],
    [
      'at least 10 MiB',
      'logs.all',
      [...ROUND, '--projects', '1000000', '--calls', 'logs.all=1000'],
      (1000 * 10 * GIB_USD) / 1024,
    ],
    [
      'at least the block that clustering cannot divide',
      'logs.all',
      [...FULL_HOURS, '--projects', '1000000', '--calls', 'logs.all=1000', '--block-mib', '512'],
      1000 * GIB_USD,
    ],
    ['storage by days that are kept', /active/, [...ROUND, '--retention-days', '10'], 240 * 0.02],
    ['half of it from the 91st day on', /long term/, [...ROUND, '--retention-days', '100'], 240 * 0.01],
    ['nothing for load jobs', /load jobs/, [...ROUND], 0],
    [
      'the Storage Write API by what is written',
      /Write API/,
      [...ROUND, '--ingest', 'write-api'],
      730 * 0.025,
    ],
    ['what is published to Pub/Sub', /Pub\/Sub topics/, [...ROUND, '--ingest', 'pubsub'], (730 / 1024) * 40],
    ['what its subscriptions write', /subscriptions/, [...ROUND, '--ingest', 'pubsub'], (730 / 1024) * 50],
    ['another price', /policy/, ['--price', 'armor-policy=7.5'], 7.5],
    [
      'instances that are kept running',
      /running, CPU/,
      ['--min-instances', '2'],
      2 * 3 * 2_628_000 * 0.0000025,
    ],
    ['calls that find nothing kept', 'usage.api-counts', ['--misses', '0'], 0],
  ])('counts %s', async (_, item, argv, expected) => {
    expect(await usdOf(item, ...argv)).toBeCloseTo(expected, 1);
  });

  test('reads the edges of a window where hours are kept, and all of it where not', async () => {
    const argv = [...ROUND, '--sets', 'daily=1', '--sealed'];
    const edges = await usdOf(/usage.api-counts daily/, ...argv, 'on');
    const whole = await usdOf(/usage.api-counts daily/, ...argv, 'off', '--price', 'bigquery-query=6.25');
    const held = await report(...argv, 'off');
    const { arithmetic } = held.sections
      .flatMap(({ rows }) => rows)
      .find(({ item }) => item.includes('daily'))!;
    expect(arithmetic).toContain('held to 10 GiB a round');
    expect(whole).toBeCloseTo(8760 * 10 * GIB_USD, 1);
    expect(whole / edges).toBeGreaterThan(10);
  });

  test('says that a query above its cap is refused, and costs nothing', async () => {
    const { sections } = await report(...ROUND, '--partition-by', 'DAY');
    const row = sections.flatMap(({ rows }) => rows).find(({ item }) => item.startsWith('sql and lql'));
    expect(row).toMatchObject({
      usd: 0,
      arithmetic: expect.stringContaining('above the cap of 1 GiB: refused'),
    });
  });

  test('never gets cheaper by more of anything', async () => {
    const flags = [
      '--tib-per-month',
      '--consumer-calls',
      '--window-hours',
      '--answer-kib',
      '--tokens',
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...flags),
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 80 }),
        async (flag, some, more) => {
          const cap = ['--block-mib', '0', '--calls', 'logs.all=1000', '--consumer-calls', '0'];
          const rest = flag === '--consumer-calls' ? ['--tib-per-month', '0.01', ...cap.slice(0, 4)] : cap;
          const one = await report(...rest, flag, String(some));
          const other = await report(...rest, flag, String(some + more));
          // What is refused costs nothing, however much was asked.
          fc.pre(!refuses(other));
          expect(other.usdPerMonth).toBeGreaterThanOrEqual(one.usdPerMonth - 1e-9);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('prices', () => {
  test('come from a file, and from options before that', async () => {
    const file = join(folder, 'prices.json');
    await writeFile(file, JSON.stringify({ egress: 0.5, 'armor-policy': 1 }));
    const { prices } = await report('--prices', file, '--price', 'egress=0.25');
    const usd = new Map(prices.list.map((price) => [price.name, price.usd]));
    expect([usd.get('egress'), usd.get('armor-policy'), usd.get('armor-rule')]).toEqual([0.25, 1, 1]);
    expect(usd.size).toBe(Object.keys(PRICES).length);
  });

  test.each<[string, unknown, string]>([
    ['an unknown name', { egres: 1 }, "unknown setting 'egres'"],
    ['a text', { egress: '1' }, 'egress: is "1"; it takes a number from 0 to 1000000'],
    ['a negative number', { egress: -1 }, 'egress: is -1; it takes a number from 0 to 1000000'],
  ])('are refused from a file with %s, by its name', async (_, content, words) => {
    const file = join(folder, 'wrong.json');
    await writeFile(file, JSON.stringify(content));
    await expect(runHere(runCost, ['--prices', file])).rejects.toThrow(`${file}: ${words}`);
  });
});

describe('wrong usage', () => {
  test.each<[string, readonly string[], string]>([
    ['no number', ['--tib-per-month', 'x'], "--tib-per-month takes a number from 0 to 1000000, not 'x'."],
    ['a number out of range', ['--misses', '101'], "--misses takes a number from 0 to 100, not '101'."],
    [
      'an unknown kind of set',
      ['--sets', 'weekly=1'],
      '--sets takes KIND=N with one of daily, minutely, hourly,',
    ],
    ['a kind twice', ['--sets', '1', '--sets', 'daily=2'], 'Give --sets daily once.'],
    ['an unknown endpoint', ['--calls', 'logs=1'], '--calls takes ENDPOINT=N with one of logs.all,'],
    ['no endpoint', ['--calls', '5'], '--calls takes ENDPOINT=N'],
    [
      'shares above all',
      ['--share', 'edge_logs=60', '--share', 'auth_logs=41'],
      'at most 100 together, not 101.',
    ],
    ['an unknown price', ['--price', 'firestore-red=1'], 'did you mean firestore-read'],
    ['an invalid price', ['--price', 'egress=free'], '--price takes NAME=USD'],
    ['more partitions than a table has', ['--retention-days', '417'], 'use --partition-by DAY for more'],
    ['two formats', ['--json', '--markdown'], 'Give --json or --markdown, not both.'],
  ])('%s is refused with the option and what it takes', async (_, argv, words) => {
    await expect(runHere(runCost, argv)).rejects.toThrow(words);
  });

  test('logs that cannot be measured are refused by file and line', async () => {
    await writeFile(join(folder, 'edge_logs.ndjson'), '{"id":"a"}\n[1]\n');
    await expect(runHere(runCost, ['--logs', folder])).rejects.toThrow(
      'edge_logs.ndjson:2: it is not a JSON object',
    );
  });
});
