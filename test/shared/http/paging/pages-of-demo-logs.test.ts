import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from '../../../data/support/real-service.ts';
import type { Answer } from '../support/http-client.ts';

const STARTED: RealService[] = [];
beforeAll(async () => {
  STARTED.push(await startRealService('--now', '2026-01-31T12:10:00Z'));
});
afterAll(() => STARTED[0]?.close());

const service = () => STARTED[0] as RealService;
const LOGS = 'logs.all';

function nextOf({ headers }: Answer): string | null {
  const [, cursor = null] =
    /^<\/api\/endpoints\/query\/logs\.all\?([^>]+)>; rel="next"$/.exec(String(headers.link ?? '')) ?? [];
  return cursor;
}

/** The answers of a query, one for each page. */
async function follow(query: Readonly<Record<string, string>>): Promise<readonly Answer[]> {
  const answers = [await service().ask(LOGS, new URLSearchParams({ project: 'demo', ...query }))];
  for (let next = nextOf(answers[0] as Answer); next !== null; next = nextOf(answers.at(-1) as Answer)) {
    answers.push(await service().ask(LOGS, next));
  }
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return answers;
}

interface Row {
  readonly id: string;
  readonly timestamp: number;
}
const rowsOf = (answer: Answer) => (answer.json() as { readonly result: readonly Row[] }).result;

async function countOf(source: string): Promise<number> {
  const sql = `select count(*) as n from ${source}`;
  const answer = await service().ask(LOGS, new URLSearchParams({ project: 'demo', sql }));
  return (answer.json() as { readonly result: readonly { readonly n: number }[] }).result[0]?.n ?? 0;
}

describe("the pages of a consumer's query over more entries than an answer may hold", () => {
  test('have every entry once, newest first', async () => {
    const answers = await follow({ sql: 'select id, timestamp, metadata from edge_logs' });
    const rows = answers.flatMap(rowsOf);
    expect(rows.length).toBeGreaterThan(2000);
    expect(rows).toHaveLength(await countOf('edge_logs'));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    const times = rows.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(answers.slice(0, -1).every(({ headers }) => headers['x-row-count'] === '1000')).toBe(true);
    expect(answers.at(-1)?.headers).not.toHaveProperty('x-truncated');
  });

  test('are those of CSV, each with its header', async () => {
    const answers = await follow({ sql: 'select id from edge_logs', format: 'csv' });
    const lines = answers.map(({ text }) => text.trimEnd().split('\r\n'));
    expect(new Set(lines.map(([header]) => header))).toEqual(new Set(['id']));
    const ids = lines.flatMap(([, ...rows]) => rows);
    expect([ids.length, new Set(ids).size]).toEqual([await countOf('edge_logs'), ids.length]);
  });

  test('are named in meta, with the columns', async () => {
    const answers = await follow({ sql: 'select id, timestamp from edge_logs', meta: 'true' });
    const metas = answers.map((answer) => (answer.json() as { readonly meta: object }).meta);
    expect(answers.length).toBeGreaterThan(2);
    expect(metas[1]).toMatchObject({
      rowCount: 1000,
      truncated: true,
      next: `/api/endpoints/query/logs.all?${nextOf(answers[1] as Answer)}`,
      columns: [
        { name: 'id', type: 'STRING' },
        { name: 'timestamp', type: 'TIMESTAMP' },
      ],
    });
    expect(metas.at(-1)).toMatchObject({ truncated: false, next: null });
  });

  test('end after four where the order is not that of time, and say that there are more', async () => {
    const sql = 'select e.id from edge_logs as e cross join (select * from unnest([1, 2, 3])) order by e.id';
    const answers = await follow({ sql });
    expect(answers).toHaveLength(4);
    expect(answers.at(-1)?.headers).toMatchObject({ 'x-truncated': 'true' });
  });
});
