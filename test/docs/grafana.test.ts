import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type RealService, rowsOf, startRealService } from '../data/support/real-service.ts';
import { codeBlocks } from './support/code-blocks.ts';

const PAGE = 'docs/grafana.md';
const NOW = '2026-01-31T12:10:00Z';
/** The time range of the dashboard. */
const RANGE = { from: new Date('2026-01-31T06:10:00Z'), to: new Date(NOW) };

/** A query as Infinity keeps it in a dashboard: what this page uses of it, and nothing else. */
const infinityQuery = z.strictObject({
  type: z.literal('json'),
  source: z.literal('url'),
  parser: z.literal('backend'),
  format: z.enum(['timeseries', 'logs', 'table']),
  url: z.string().startsWith('/api/endpoints/query/'),
  url_options: z.strictObject({
    method: z.literal('GET'),
    params: z.array(z.strictObject({ key: z.string(), value: z.string() })),
  }),
  root_selector: z.literal('result'),
  columns: z.array(
    z.strictObject({
      selector: z.string(),
      // Infinity finds a column by either name, so they have to be the same.
      text: z.string(),
      type: z.enum(['timestamp', 'string', 'number']),
    }),
  ),
});
type InfinityQuery = z.infer<typeof infinityQuery>;

const panels = codeBlocks(PAGE)
  .filter(({ info }) => info === 'json panel')
  .map(({ text, line }) => [line, infinityQuery.parse(JSON.parse(text))] as const);

/** Fills in the macros that the backend of Infinity knows, as its documentation describes them. */
function withMacros(value: string): string {
  const rangeMs = RANGE.to.getTime() - RANGE.from.getTime();
  const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
  return value
    .replaceAll(/\$\{__time(From|To):date:iso\}/g, (_, end) =>
      (end === 'From' ? RANGE.from : RANGE.to).toISOString(),
    )
    .replaceAll(/\$__customInterval\(([^)]*)\)/g, (_, list: string) => {
      const words = list.split(',');
      for (let index = 0; index + 1 < words.length; index += 2) {
        const [, count = '', unit = 'm'] = /^(\d+)([mhd])$/.exec(words[index] ?? '') ?? [];
        if (rangeMs <= Number(count) * unitMs[unit as keyof typeof unitMs]) return words[index + 1] ?? '';
      }
      return words.at(-1) ?? '';
    });
}

/** What a column of each type reads: a time in ISO 8601 with its zone, a text or nothing, a number. */
const READABLE: Readonly<Record<InfinityQuery['columns'][number]['type'], z.ZodType>> = {
  timestamp: z.iso.datetime({ offset: true }),
  string: z.string().nullable(),
  number: z.number(),
};

let running: RealService;
beforeAll(async () => {
  running = await startRealService('--now', NOW);
});
afterAll(() => running.close());

describe('the panels in docs/grafana.md', () => {
  test('are of each format that the page describes', () => {
    const formats = panels.map(([, { format }]) => format);
    expect(new Set(formats)).toEqual(new Set(['timeseries', 'logs', 'table']));
  });

  test.each(panels)('have rows with the columns that they read (line %i)', async (_, panel) => {
    const parameters = panel.url_options.params.map(({ key, value }) => [key, withMacros(value)]);
    const query = new URLSearchParams(parameters as [string, string][]);
    expect(query.toString()).not.toMatch(/%24(%7B)?__/);
    const answer = await running.ask(panel.url.split('/').at(-1) ?? '', query);
    const rows = rowsOf<Record<string, unknown>>(answer);
    expect(answer.headers['x-ignored-parameters']).toBeUndefined();
    expect(answer.headers['x-truncated']).toBeUndefined();
    expect(rows.length).toBeGreaterThan(0);
    for (const { selector, text, type } of panel.columns) {
      expect(text).toBe(selector);
      for (const row of rows) expect(READABLE[type].safeParse(row[selector]).error).toBeUndefined();
    }
  });

  test.each(panels.filter(([, { format }]) => format === 'logs'))(
    'of log lines have the columns that Grafana needs (line %i)',
    (_, { columns }) => {
      expect(columns.map(({ text }) => text)).toEqual(expect.arrayContaining(['timestamp', 'body']));
    },
  );
});
