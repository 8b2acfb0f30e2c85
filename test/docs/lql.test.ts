import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, rowsOf, startRealService } from '../data/support/real-service.ts';

const PAGE = 'docs/lql.md';
const NOW = '2026-01-31T12:10:00Z';

let running: RealService;
beforeAll(async () => {
  running = await startRealService('--now', NOW);
});
afterAll(() => running.close());

async function rows(language: 'lql' | 'sql', text: string): Promise<object[]> {
  const query = new URLSearchParams({ project: 'demo', [language]: text });
  return rowsOf<object>(await running.ask('logs.all', query));
}

describe('the same in SQL', () => {
  const page = readFileSync(PAGE, 'utf8');
  const table = page.slice(page.indexOf('## The same in SQL'));
  const pairs = [...table.matchAll(/^\| `(.*?)` \| `(.*?)` \|$/gm)].map(
    ([, lql = '', sql = '']) => [lql, sql] as const,
  );

  test('is there', () => expect(pairs.length).toBeGreaterThanOrEqual(10));

  test.each(pairs)('answers the same rows: %s', async (lql, sql) => {
    const own = await rows('lql', lql);
    expect(own.length).toBeGreaterThan(0);
    expect(own).toEqual(await rows('sql', sql));
  });
});

test('docs/lql.md lists the kinds of clauses and conditions that explain=true shows', () => {
  const page = readFileSync(PAGE, 'utf8');
  const tree = readFileSync('shared/lql/tree.ts', 'utf8');
  const instants = ['date', 'now'];
  const kinds = [...tree.matchAll(/readonly kind: '([a-z_]+)'/g)].map(([, kind = '']) => kind);
  const part = page.slice(page.indexOf('## What would run'), page.indexOf('## Errors'));
  expect(kinds.filter((kind) => !instants.includes(kind) && !part.includes(`\`${kind}\``))).toEqual([]);
});
