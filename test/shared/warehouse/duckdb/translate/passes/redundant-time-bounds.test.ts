import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FieldSchema, TableSchemas } from '../../../../../../shared/schema/table-schema.ts';
import type { QueryParameter } from '../../../../../../shared/sql/types/query-parameter.ts';
import { compileQuery } from '../../../../../../shared/warehouse/duckdb/compile-query.ts';
import { makeDuckDbWarehouse } from '../../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore, type Store } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts } from '../../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../../../../../../shared/warehouse/duckdb/store/time-ranges.ts';
import type { EntryTimes } from '../../../../../../shared/warehouse/duckdb/translate/passes/known-data.ts';
import { NOTHING_KNOWN } from '../../../../../../shared/warehouse/duckdb/translate/passes/known-data.ts';
import type { Warehouse } from '../../../../../../shared/warehouse/warehouse.ts';

const FIRST_INSTANT = -62_135_596_800_000_000n;
const LAST_INSTANT = 253_402_300_799_999_999n;

const field = (name: string, type: FieldSchema['type']): FieldSchema => {
  return { name, type, mode: 'NULLABLE', fields: [] };
};
const COLUMNS = [field('id', 'STRING'), field('timestamp', 'TIMESTAMP'), field('project', 'STRING')];

/** The times of each table's entries, in microseconds. */
const TIMES: Readonly<Record<string, readonly bigint[]>> = {
  usual: [1000n, 2000n, 2000n, 3000n],
  first_instant: [FIRST_INSTANT, 1000n],
  last_instant: [1000n, LAST_INSTANT],
  nothing: [],
};
const TABLES: TableSchemas = new Map(Object.keys(TIMES).map((table) => [table, COLUMNS]));

const WITHIN = (table: string) =>
  `SELECT COUNT(*) AS n FROM logs.${table} AS t WHERE t.project = 'p'
   AND t.timestamp > IFNULL(@start, TIMESTAMP '0001-01-01 00:00:00+00')
   AND t.timestamp <= IFNULL(@end, TIMESTAMP '9999-12-31 23:59:59.999999+00')`;

const opened: {
  store: Store;
  known: Warehouse;
  unknown: Warehouse;
  ranges: ReadonlyMap<string, EntryTimes>;
}[] = [];
beforeAll(async () => {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 128, threads: 1 });
  for (const [source, times] of Object.entries(TIMES)) {
    const lines = times.map((micros, index) => `{"id":"${index}","timestamp":${micros},"project":"p"}`);
    await loadEntries({ store, schemas: TABLES, source, lines });
  }
  await installFunctions(store);
  await store.lock();
  const ranges = await readTimeRanges(store, TABLES);
  const layouts = await readLayouts(store);
  const known = makeDuckDbWarehouse(store, TABLES, { layouts, timeRanges: ranges });
  opened.push({ store, known, unknown: makeDuckDbWarehouse(store, TABLES, { layouts }), ranges });
});
afterAll(() => opened[0]?.store.close());

const countIn = async (
  warehouse: Warehouse | undefined,
  sql: string,
  [start, end]: readonly (bigint | null)[],
) => {
  const bound = (value: bigint | null = null): QueryParameter => ({ type: 'TIMESTAMP', value });
  const parameters = new Map([
    ['start', bound(start)],
    ['end', bound(end)],
  ]);
  const options = { maxRows: 10, deadlineMs: 600_000, nowMicros: 0n };
  const [row] = (await warehouse?.run({ sql, parameters }, options))?.rows ?? [];
  return JSON.parse(row ?? 'null').n as number;
};

describe('the times of tables', () => {
  test('are those of their first and last entry, and none where there are no entries', () => {
    expect(Object.fromEntries(opened[0]?.ranges ?? [])).toEqual({
      usual: { firstMicros: 1000n, lastMicros: 3000n },
      first_instant: { firstMicros: FIRST_INSTANT, lastMicros: 1000n },
      last_instant: { firstMicros: 1000n, lastMicros: LAST_INSTANT },
    });
  });
});

describe('bounds of time', () => {
  const compiled = (sql: string, nulls: readonly string[]) => {
    const types = new Map([
      ['start', 'TIMESTAMP' as const],
      ['end', 'TIMESTAMP' as const],
    ]);
    const timeRanges = opened[0]?.ranges ?? new Map();
    return compileQuery(sql, TABLES, types, 10, {
      ...NOTHING_KNOWN,
      timeRanges,
      nullParameters: new Set(nulls),
    });
  };

  test.each<[string, string, readonly string[], readonly string[]]>([
    ['are left out where their parameter is NULL', 'usual', ['start', 'end'], []],
    ['stay where their parameter has a value', 'usual', [], ['start', 'end']],
    ['are left out one by one', 'usual', ['end'], ['start']],
    ['stay where an entry lies outside', 'first_instant', ['start', 'end'], ['start']],
    ['are left out where the last entry is within', 'last_instant', ['start', 'end'], []],
    ['stay where there are no entries to know of', 'nothing', ['start', 'end'], ['start', 'end']],
  ])('%s: %s', (_, table, nulls, expected) => {
    expect(compiled(WITHIN(table), nulls).parameters.toSorted()).toEqual(expected.toSorted());
  });

  test.each([
    [
      'of an unnested or joined row',
      "SELECT 1 AS n FROM logs.usual AS a LEFT JOIN logs.usual AS b ON b.timestamp > IFNULL(@start, TIMESTAMP '0001-01-01')",
    ],
    [
      'joined by OR',
      "SELECT 1 AS n FROM logs.usual WHERE id = '0' OR timestamp > IFNULL(@start, TIMESTAMP '0001-01-01')",
    ],
    [
      'turned about',
      "SELECT 1 AS n FROM logs.usual WHERE NOT timestamp > IFNULL(@start, TIMESTAMP '0001-01-01')",
    ],
  ])('%s stay', (_, sql) => {
    expect(compiled(sql, ['start', 'end']).parameters).toEqual(['start']);
  });

  test('that leave something out still do, whatever is known', async () => {
    const counts = Object.keys(TIMES).map((table) => countIn(opened[0]?.known, WITHIN(table), [null, null]));
    expect(await Promise.all(counts)).toEqual([4, 1, 2, 0]);
  });

  test('answer the same with what is known as without', async () => {
    const instant = fc.option(fc.constantFrom(FIRST_INSTANT, 0n, 999n, 1000n, 2000n, 3000n, LAST_INSTANT));
    const table = fc.constantFrom(...Object.keys(TIMES));
    const comparison = fc.constantFrom('>', '>=', '<', '<=', '=', '!=');
    const literal = fc.constantFrom('0001-01-01', '1970-01-01 00:00:00.001', '1970-01-01 00:00:00.003');
    await fc.assert(
      fc.asyncProperty(table, comparison, literal, instant, instant, async (from, sign, text, start, end) => {
        const sql = `${WITHIN(from)} AND t.timestamp ${sign} TIMESTAMP '${text}' AND t.timestamp ${sign} IFNULL(@start, TIMESTAMP '${text}')`;
        const [known, unknown] = [opened[0]?.known, opened[0]?.unknown];
        expect(await countIn(known, sql, [start, end])).toBe(await countIn(unknown, sql, [start, end]));
      }),
      { numRuns: 200 },
    );
  });
});
