import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tableSchema } from '../../../../../../shared/schema/table-schema.ts';
import { walkPlan } from '../../../../../../shared/sql/resolved/walk.ts';
import { analyzeQuery } from '../../../../../../shared/warehouse/analyze-query.ts';
import { makeDuckDbWarehouse } from '../../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import type { TableLayouts } from '../../../../../../shared/warehouse/duckdb/store/layout.ts';
import { openStore } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { NOTHING_KNOWN } from '../../../../../../shared/warehouse/duckdb/translate/passes/known-data.ts';
import type { Warehouse } from '../../../../../../shared/warehouse/warehouse.ts';
import { passAnalyzed } from '../../support/run-each-pass.ts';

const leaf = (name: string, type: string, mode = 'NULLABLE') => ({ name, type, mode });
const record = (name: string, ...fields: readonly object[]) => ({
  name,
  type: 'RECORD',
  mode: 'REPEATED',
  fields,
});

const SCHEMA = tableSchema.parse([
  leaf('id', 'STRING', 'REQUIRED'),
  leaf('timestamp', 'TIMESTAMP', 'REQUIRED'),
  record('m', leaf('v', 'INTEGER'), record('a', leaf('x', 'INTEGER')), record('b', leaf('y', 'INTEGER'))),
]);
const SCHEMAS = new Map([
  ['one', SCHEMA],
  ['several', SCHEMA],
  ['whole', SCHEMA],
]);

const xs = (...values: readonly number[]) => values.map((x) => ({ x }));
const ys = (...values: readonly number[]) => values.map((y) => ({ y }));

/** By source: of `one`, entries have only `m.a` twice, of `several` also `m.b`, of `whole` only `m`. */
const ENTRIES: Readonly<Record<string, readonly unknown[]>> = {
  one: [
    { v: 1, a: xs(1), b: ys(1) },
    { v: 2, a: xs(3, 2), b: ys(2) },
    { v: 3, b: ys(3) },
    null,
    { v: 5, a: xs(4, 5, 6) },
  ],
  several: [
    { v: 1, a: xs(1), b: ys(1, 2) },
    { v: 2, a: xs(3, 2), b: ys(3) },
    { v: 3, a: xs(4, 5), b: ys(4, 5) },
    {},
  ],
  whole: [{ v: 1 }, [{ v: 3, a: xs(1) }, { v: 2 }], null],
};

let warehouse: Warehouse;
let layouts: TableLayouts;
beforeAll(async () => {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 2 });
  for (const [source, all] of Object.entries(ENTRIES)) {
    const lines = all.map((m, index) =>
      JSON.stringify({ id: `e${index}`, timestamp: `2026-01-01T00:00:0${index}Z`, m: m ?? [] }),
    );
    await loadEntries({ store, schemas: SCHEMAS, source, lines });
  }
  await installFunctions(store);
  await store.lock();
  layouts = await readLayouts(store);
  warehouse = makeDuckDbWarehouse(store, await readStoredSchemas(store), { layouts });
});
afterAll(() => warehouse.close());

/** The tables besides the sources' own that a query reads. */
function tablesBeside(sql: string): readonly string[] {
  const known = { ...NOTHING_KNOWN, layouts };
  const { plan } = passAnalyzed(analyzeQuery({ sql, parameterTypes: new Map() }, SCHEMAS), 1000, known);
  const tables = new Set<string>();
  walkPlan(plan, (scan) => {
    if (scan.kind === 'table' && scan.table.includes('$')) tables.add(scan.table);
  });
  return [...tables].sort();
}

async function answer(sql: string): Promise<readonly unknown[]> {
  const options = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };
  const { rows } = await warehouse.run({ sql, parameters: new Map() }, options);
  return rows.map((row) => Object.values(JSON.parse(row) as object));
}

const ELEMENTS = ['one$elements.m.a'];
const ENTRIES_BESIDE = ['one$repeated'];
const JOINED = 'FROM logs.one AS s CROSS JOIN UNNEST(s.m) AS m CROSS JOIN UNNEST(m.a) AS a';

describe('rows of the elements of a record that entries may have twice', () => {
  test.each<[string, string, readonly string[], readonly unknown[]]>([
    [
      'with other columns of the entry',
      `SELECT s.id, m.v, a.x ${JOINED} ORDER BY s.id, a.x`,
      ELEMENTS,
      [
        ['e0', 1, 1],
        ['e1', 2, 2],
        ['e1', 2, 3],
        ['e4', 5, 4],
        ['e4', 5, 5],
        ['e4', 5, 6],
      ],
    ],
    [
      'in the order that they have in the entry, where the query says no other',
      `SELECT a.x ${JOINED} ORDER BY s.timestamp DESC LIMIT 4`,
      ELEMENTS,
      [[4], [5], [6], [3]],
    ],
    [
      'with their offsets',
      `SELECT a.x, o ${JOINED} WITH OFFSET AS o ORDER BY s.id, o`,
      ELEMENTS,
      [
        [1, 0],
        [3, 0],
        [2, 1],
        [4, 0],
        [5, 1],
        [6, 2],
      ],
    ],
    ['as whole records', `SELECT a ${JOINED} WHERE a.x > 4 ORDER BY a.x`, ELEMENTS, [[{ x: 5 }], [{ x: 6 }]]],
    [
      'that are grouped',
      `SELECT m.v, COUNT(*), SUM(a.x) ${JOINED} GROUP BY m.v ORDER BY m.v`,
      ELEMENTS,
      [
        [1, 1, 1],
        [2, 2, 5],
        [5, 3, 15],
      ],
    ],
    ['that are counted', `SELECT COUNT(*) ${JOINED}`, ELEMENTS, [[6]]],
    [
      'with the elements of another record',
      `SELECT a.x, b.y ${JOINED} CROSS JOIN UNNEST(m.b) AS b ORDER BY a.x`,
      ELEMENTS,
      [
        [1, 1],
        [2, 2],
        [3, 2],
      ],
    ],
    [
      'with entries that lack the record',
      `SELECT s.id, a.x, o FROM logs.one AS s LEFT JOIN UNNEST(s.m) AS m LEFT JOIN UNNEST(m.a) AS a WITH OFFSET AS o ORDER BY s.id, o`,
      ELEMENTS,
      [
        ['e0', 1, 0],
        ['e1', 3, 0],
        ['e1', 2, 1],
        ['e2', null, null],
        ['e3', null, null],
        ['e4', 4, 0],
        ['e4', 5, 1],
        ['e4', 6, 2],
      ],
    ],
    [
      'through CTEs and subqueries that hand the array on',
      `WITH t AS (SELECT id, m.a AS list FROM logs.one AS s CROSS JOIN UNNEST(s.m) AS m WHERE m.v > 1)
      SELECT id, a.x FROM (SELECT * FROM t) CROSS JOIN UNNEST(list) AS a ORDER BY id, a.x LIMIT 3`,
      ELEMENTS,
      [
        ['e1', 2],
        ['e1', 3],
        ['e4', 4],
      ],
    ],
    [
      'joined to other tables',
      `SELECT a.x, w.id ${JOINED} JOIN logs.whole AS w ON w.id = s.id ORDER BY a.x`,
      ELEMENTS,
      [
        [1, 'e0'],
        [2, 'e1'],
        [3, 'e1'],
      ],
    ],
    [
      'of a whole column',
      'SELECT s.id, m.v FROM logs.whole AS s CROSS JOIN UNNEST(s.m) AS m ORDER BY s.timestamp',
      ['whole$elements.m'],
      [
        ['e0', 1],
        ['e1', 3],
        ['e1', 2],
      ],
    ],
    [
      'of one of several such records',
      `SELECT s.id, a.x FROM logs.several AS s CROSS JOIN UNNEST(s.m) AS m CROSS JOIN UNNEST(m.a) AS a ORDER BY s.timestamp`,
      ['several$elements.m.a'],
      [
        ['e0', 1],
        ['e1', 3],
        ['e1', 2],
        ['e2', 4],
        ['e2', 5],
      ],
    ],
  ])('are read from the table of elements: %s', async (_, sql, tables, rows) => {
    expect(tablesBeside(sql)).toEqual(tables);
    expect(await answer(sql)).toEqual(rows);
  });

  test.each<[string, string, readonly string[], readonly unknown[]]>([
    ['unnested twice', `SELECT COUNT(*) ${JOINED} CROSS JOIN UNNEST(m.a) AS again`, ENTRIES_BESIDE, [[14]]],
    [
      'counted as well',
      `SELECT a.x, ARRAY_LENGTH(m.a) ${JOINED} WHERE a.x IN (1, 2) ORDER BY 1`,
      ENTRIES_BESIDE,
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      'asked for in a subquery as well',
      `SELECT a.x ${JOINED} WHERE EXISTS (SELECT 1 FROM UNNEST(m.a) AS other WHERE other.x = 3) ORDER BY 1`,
      ENTRIES_BESIDE,
      [[2], [3]],
    ],
    [
      'answered as a whole',
      `SELECT a.x, m.a ${JOINED} WHERE a.x = 3`,
      ENTRIES_BESIDE,
      [[3, [{ x: 3 }, { x: 2 }]]],
    ],
    [
      'part of what is answered as a whole',
      `SELECT a.x, m ${JOINED} WHERE a.x = 3`,
      ENTRIES_BESIDE,
      [[3, { v: 2, a: [{ x: 3 }, { x: 2 }], b: [{ y: 2 }] }]],
    ],
    [
      'unnested under a condition',
      `SELECT s.id, a.x, o FROM logs.one AS s CROSS JOIN UNNEST(s.m) AS m CROSS JOIN UNNEST(CASE WHEN m.v > 4 THEN m.a END) AS a WITH OFFSET AS o
      ORDER BY o`,
      ENTRIES_BESIDE,
      [
        ['e4', 4, 0],
        ['e4', 5, 1],
        ['e4', 6, 2],
      ],
    ],
    [
      'one of several, of which others are asked for',
      `SELECT a.x, b.y FROM logs.several AS s CROSS JOIN UNNEST(s.m) AS m CROSS JOIN UNNEST(m.a) AS a CROSS JOIN UNNEST(m.b) AS b
      ORDER BY a.x, b.y`,
      ['several$repeated'],
      [
        [1, 1],
        [1, 2],
        [2, 3],
        [3, 3],
        [4, 4],
        [4, 5],
        [5, 4],
        [5, 5],
      ],
    ],
    [
      'one of several, with entries that lack it',
      `SELECT s.id, a.x FROM logs.several AS s LEFT JOIN UNNEST(s.m) AS m LEFT JOIN UNNEST(m.a) AS a ORDER BY s.timestamp`,
      ['several$repeated'],
      [
        ['e0', 1],
        ['e1', 3],
        ['e1', 2],
        ['e2', 4],
        ['e2', 5],
        ['e3', null],
      ],
    ],
  ])('are read from entries where the record is %s', async (_, sql, tables, rows) => {
    expect(tablesBeside(sql)).toEqual(tables);
    expect(await answer(sql)).toEqual(rows);
  });
});
