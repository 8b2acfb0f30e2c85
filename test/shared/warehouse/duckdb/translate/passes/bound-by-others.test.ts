import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tableSchema } from '../../../../../../shared/schema/table-schema.ts';
import { countCteUses } from '../../../../../../shared/sql/resolved/cte-uses.ts';
import { walkPlan } from '../../../../../../shared/sql/resolved/walk.ts';
import { analyzeQuery } from '../../../../../../shared/warehouse/analyze-query.ts';
import { makeDuckDbWarehouse } from '../../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { NOTHING_KNOWN } from '../../../../../../shared/warehouse/duckdb/translate/passes/known-data.ts';
import { passAnalyzed } from '../../support/run-each-pass.ts';

const leaf = (name: string, type: string, mode = 'NULLABLE') => ({ name, type, mode });

const SCHEMAS = new Map([
  [
    's',
    tableSchema.parse([
      leaf('id', 'STRING', 'REQUIRED'),
      leaf('timestamp', 'TIMESTAMP', 'REQUIRED'),
      { name: 'r', type: 'RECORD', mode: 'REPEATED', fields: [leaf('v', 'INTEGER')] },
    ]),
  ],
]);

const START_MICROS = 1_767_225_600_000_000;

/** Entries of few instants, so that limits cut through entries of one instant; most have the record once. */
const ENTRIES = fc.array(
  fc.record({
    at: fc.nat({ max: 12 }),
    r: fc.oneof(
      { weight: 4, arbitrary: fc.array(fc.record({ v: fc.nat({ max: 3 }) }), { maxLength: 1 }) },
      fc.array(fc.record({ v: fc.nat({ max: 3 }) }), { minLength: 2, maxLength: 3 }),
    ),
  }),
  { maxLength: 25 },
);

interface Entry {
  readonly id: string;
  readonly timestamp: number;
  readonly r: readonly { readonly v: number }[];
}

async function rowsOf(entries: readonly Entry[], sqls: readonly string[]): Promise<readonly unknown[]> {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 2 });
  await loadEntries({
    store,
    schemas: SCHEMAS,
    source: 's',
    lines: entries.map((entry) => JSON.stringify(entry)),
  });
  await installFunctions(store);
  await store.lock();
  const layouts = await readLayouts(store);
  const warehouse = makeDuckDbWarehouse(store, await readStoredSchemas(store), { layouts });
  try {
    const answers: unknown[] = [];
    for (const sql of sqls) {
      const options = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };
      const { rows } = await warehouse.run({ sql, parameters: new Map() }, options);
      answers.push(rows.map((row) => JSON.parse(row)));
    }
    return answers;
  } finally {
    await warehouse.close();
  }
}

interface Question {
  readonly isNewestFirst: boolean;
  readonly outer: boolean;
  readonly least: number;
  readonly limit: number;
  readonly skipped: number;
}

/** The rows that a condition leaves of the elements, in the order of time, id and offset. */
function expected(
  entries: readonly Entry[],
  { isNewestFirst, outer, least, limit, skipped }: Question,
): readonly unknown[] {
  const rows = entries.flatMap(({ id, timestamp, r }) => {
    const elements: { readonly v: number | null }[] = outer && r.length === 0 ? [{ v: null }] : [...r];
    return elements.map(({ v }, offset) => ({ id, timestamp, v, offset }));
  });
  return rows
    .filter(({ v }) => outer || (v !== null && v >= least))
    .toSorted((one, other) => {
      const byTime = one.timestamp - other.timestamp;
      const byId = one.id < other.id ? -1 : one.id > other.id ? 1 : one.offset - other.offset;
      return (isNewestFirst ? -byTime : byTime) || byId;
    })
    .slice(skipped, skipped + limit)
    .map(({ id, v }) => ({ id, v }));
}

const QUESTION: fc.Arbitrary<Question> = fc.record({
  isNewestFirst: fc.boolean(),
  outer: fc.boolean(),
  least: fc.nat({ max: 3 }),
  limit: fc.nat({ max: 12 }),
  skipped: fc.nat({ max: 4 }),
});

function sqlOf({ isNewestFirst, outer, least, limit, skipped }: Question): string {
  const join = outer ? 'LEFT JOIN UNNEST(s.r) AS u' : 'CROSS JOIN UNNEST(s.r) AS u';
  const where = outer ? '' : `WHERE u.v >= ${least}`;
  return `SELECT s.id, u.v FROM logs.s AS s ${join} ${where}
    ORDER BY s.timestamp${isNewestFirst ? ' DESC' : ''}, s.id LIMIT ${limit} OFFSET ${skipped}`;
}

describe('the newest or oldest rows of entries that have a record once or more', () => {
  test('are those that the order says', async () => {
    await fc.assert(
      fc.asyncProperty(
        ENTRIES,
        fc.array(QUESTION, { minLength: 6, maxLength: 6 }),
        async (made, questions) => {
          const entries = made.map(({ at, r }, index) => {
            return { id: `e${String((index * 7) % 29).padStart(2, '0')}`, timestamp: START_MICROS + at, r };
          });
          const answers = await rowsOf(entries, questions.map(sqlOf));
          expect(answers).toEqual(questions.map((one) => expected(entries, one)));
        },
      ),
      { numRuns: 12 },
    );
  });

  const isBounded = (sql: string) => {
    const layout = {
      flat: new Map([['r', 'sometimes'] as const]),
      hasRepeated: true,
      flatRepeated: new Map(),
    };
    const known = { ...NOTHING_KNOWN, layouts: new Map([['s', layout]]) };
    const { plan } = passAnalyzed(analyzeQuery({ sql, parameterTypes: new Map() }, SCHEMAS), 1000, known);
    const tables: string[] = [];
    walkPlan(plan, (scan) => {
      if (scan.kind === 'table') tables.push(scan.table);
    });
    expect(tables).toContain('s$repeated');
    // The rows of the one table are used twice: as they are, and for the bound of the others.
    return [...countCteUses(plan).values()].includes(2);
  };

  const JOINED = 'FROM logs.s AS s CROSS JOIN UNNEST(s.r) AS u';
  test.each([
    ['newest rows', `SELECT u.v ${JOINED} ORDER BY s.timestamp DESC LIMIT 5`, true],
    ['oldest rows', `SELECT u.v ${JOINED} ORDER BY s.timestamp LIMIT 5 OFFSET 2`, true],
    [
      'newest of a CTE',
      `WITH t AS (SELECT timestamp, r FROM logs.s)
      SELECT u.v FROM t CROSS JOIN UNNEST(t.r) AS u ORDER BY t.timestamp DESC LIMIT 5`,
      true,
    ],
    ['rows by another order', `SELECT u.v ${JOINED} ORDER BY u.v LIMIT 5`, false],
    [
      'rows by a changed time',
      `SELECT u.v ${JOINED} ORDER BY TIMESTAMP_TRUNC(s.timestamp, DAY) LIMIT 5`,
      false,
    ],
    [
      'rows of a query for each row around it',
      `SELECT ARRAY(SELECT u.v ${JOINED} WHERE s.id = o.id
      ORDER BY s.timestamp LIMIT 5) AS a FROM logs.s AS o`,
      false,
    ],
  ])('are bounded where that is known: %s', (_, sql, isExpected) => {
    expect(isBounded(sql)).toBe(isExpected);
  });
});
