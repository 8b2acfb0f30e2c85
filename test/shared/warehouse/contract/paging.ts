import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { ServiceError } from '../../../../shared/errors/service-error.ts';
import type { PageToken } from '../../../../shared/warehouse/page-token.ts';
import type {
  PageOptions,
  QueryResult,
  RunOptions,
  Warehouse,
} from '../../../../shared/warehouse/warehouse.ts';

const OPTIONS: RunOptions = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };

/** The first page of a query without parameters. */
export function firstPage(
  warehouse: Warehouse,
  sql: string,
  options: Partial<RunOptions> = {},
): Promise<QueryResult> {
  return warehouse.run({ sql, parameters: new Map() }, { ...OPTIONS, ...options });
}

/** The page of a token; one that is not there fails the test. */
export function nextPage(
  warehouse: Warehouse,
  pageToken: PageToken | undefined,
  options: Partial<PageOptions> = {},
): Promise<QueryResult> {
  if (pageToken === undefined || warehouse.nextPage === undefined) throw new Error('there is no next page');
  const { maxRows, deadlineMs } = OPTIONS;
  return warehouse.nextPage(pageToken, { maxRows, deadlineMs, ...options });
}

/** All pages of a query, as long as one follows. */
export async function allPages(
  warehouse: Warehouse,
  sql: string,
  maxRows: number = OPTIONS.maxRows,
): Promise<readonly QueryResult[]> {
  const pages = [await firstPage(warehouse, sql, { maxRows })];
  for (let pageToken = pages[0]?.pageToken; pageToken !== undefined; pageToken = pages.at(-1)?.pageToken) {
    pages.push(await nextPage(warehouse, pageToken, { maxRows }));
  }
  return pages;
}

/** The kind of error that a promise ends with; null where it does not fail. */
export async function failureKind(outcome: Promise<unknown>): Promise<string | null> {
  const thrown: unknown = await outcome.then(
    () => null,
    (error) => error,
  );
  return thrown === null ? null : (thrown as ServiceError).kind;
}

const numbers = (rows: readonly string[]) => rows.map((row): number => JSON.parse(row).x);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const sequence = (count: number) => `SELECT x FROM UNNEST(GENERATE_ARRAY(1, ${count})) AS x`;

/** What every warehouse promises of the pages of a result. */
export function describePaging(
  promises: (promise: string, check: () => Promise<void>) => void,
  warehouse: () => Warehouse,
): void {
  describe('pages', () => {
    for (const [name, sql] of [
      ['sorted upwards', `${sequence(2600)} ORDER BY x`],
      ['sorted downwards', `SELECT 2601 - x AS x FROM (${sequence(2600)}) ORDER BY x`],
      ['within its own LIMIT', `${sequence(9000)} ORDER BY x LIMIT 2600`],
    ] as const) {
      promises(`follow each other to the end of a result ${name}`, async () => {
        const pages = await allPages(warehouse(), sql);
        expect(pages.map(({ rows, truncated }) => [rows.length, truncated])).toEqual([
          [1000, true],
          [1000, true],
          [600, false],
        ]);
        expect(pages.flatMap(({ rows }) => numbers(rows))).toEqual(upTo(2600));
        expect(pages[2]?.columns).toEqual([{ name: 'x', type: { kind: 'INT64' } }]);
      });
    }

    promises('of a result in no order have each row once', async () => {
      const pages = await allPages(warehouse(), sequence(2600));
      const found = pages.flatMap(({ rows }) => numbers(rows));
      expect(found.toSorted((a, b) => a - b)).toEqual(upTo(2600));
    });

    promises('end with the result when its rows fill the last one', async () => {
      const pages = await allPages(warehouse(), `${sequence(2000)} ORDER BY x`);
      expect(pages.map(({ rows, truncated }) => [rows.length, truncated])).toEqual([
        [1000, true],
        [1000, false],
      ]);
    });

    promises('of log entries follow the order of time', async () => {
      const sql = 'SELECT id, metadata FROM logs.edge_logs ORDER BY timestamp DESC';
      const pages = await allPages(warehouse(), sql, 1);
      expect(pages.map(({ rows }) => rows.map((row) => JSON.parse(row).id))).toEqual([['c'], ['b'], ['a']]);
    });

    promises('are not there after a result that has no more rows', async () => {
      expect((await firstPage(warehouse(), sequence(1000))).pageToken).toBeUndefined();
      expect((await firstPage(warehouse(), `${sequence(3000)} LIMIT 1000`)).pageToken).toBeUndefined();
    });

    promises('can be asked for again, one after the other and at the same time', async () => {
      const { pageToken } = await firstPage(warehouse(), `${sequence(2600)} ORDER BY x`);
      const asked = await Promise.all([1, 2, 3].map(() => nextPage(warehouse(), pageToken)));
      const second = asked[0];
      expect(asked).toEqual([second, second, second]);
      const third = await nextPage(warehouse(), second?.pageToken);
      expect(await nextPage(warehouse(), pageToken)).toEqual(second);
      expect(await nextPage(warehouse(), second?.pageToken)).toEqual(third);
      expect(numbers(third.rows)).toEqual(upTo(2600).slice(2000));
    });

    promises('of many results do not mix', async () => {
      const results = await Promise.all(
        upTo(5).map((factor) =>
          allPages(warehouse(), `SELECT x * ${factor} AS x FROM (${sequence(30)}) ORDER BY x`, 10),
        ),
      );
      for (const [index, pages] of results.entries()) {
        expect(pages.flatMap(({ rows }) => numbers(rows))).toEqual(upTo(30).map((x) => x * (index + 1)));
      }
    });

    const unknown = { kind: 'result', resultId: randomUUID(), startIndex: 1000 } as const;
    for (const pageToken of [
      unknown,
      { kind: 'job', jobId: 'job-1', startIndex: 100, rowLimit: 100 },
      { kind: 'worker', workerId: 0, page: unknown },
      { kind: 'window', page: { kind: 'window', page: unknown } },
    ] as const) {
      promises(`of a place that is in none (${pageToken.kind}) are gone`, async () => {
        expect(await failureKind(nextPage(warehouse(), pageToken))).toBe('gone');
      });
    }

    promises('are not read for a caller who has gone away', async () => {
      const { pageToken } = await firstPage(warehouse(), sequence(2600));
      const options = { signal: AbortSignal.abort() };
      expect(await failureKind(nextPage(warehouse(), pageToken, options))).toBe('deadline_exceeded');
    });
  });
}
