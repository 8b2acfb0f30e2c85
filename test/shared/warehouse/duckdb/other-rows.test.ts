import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeDuckDbWarehouse } from '../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts, readStoredSchemas } from '../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import type { Warehouse } from '../../../../shared/warehouse/warehouse.ts';
import { CONTRACT_TABLES } from '../contract/contract-logs.ts';
import { firstPage } from '../contract/paging.ts';

/** Of the other project: no number, no JSON, no regular expression, no date. Few texts, so that DuckDB keeps them in a dictionary. */
const secret = (index: number) => `SECRET ${index % 3} [({`;

const lines = Array.from({ length: 6000 }, (_, index) => {
  const isOther = index % 2 === 1;
  const text = isOther ? secret(index) : String(index % 5);
  const record = { level: text, request: [{ path: text }] };
  return JSON.stringify({
    id: String(index),
    timestamp: 1_767_225_600_000_000 + index,
    event_message: text,
    project: isOther ? 'other' : 'mine',
    metadata: index % 7 === 0 ? [record, record] : [record],
  });
});

/** What fails with the texts of the other project: each is true of the readable ones. */
const FAILING: Readonly<Record<string, (text: string) => string>> = {
  'ERROR with the text': (text) => `IF(STARTS_WITH(${text}, 'SECRET'), ERROR(${text}), TRUE)`,
  'a cast to INT64': (text) => `CAST(${text} AS INT64) >= 0`,
  'a division by zero': (text) => `DIV(1, IF(STARTS_WITH(${text}, 'SECRET'), 0, 1)) = 1`,
  'an offset that is not there': (text) => `[TRUE][OFFSET(IF(STARTS_WITH(${text}, 'SECRET'), 5, 0))]`,
  'malformed JSON': (text) => `PARSE_JSON(${text}) IS NOT NULL`,
  'a malformed pattern': (text) => `REGEXP_CONTAINS('01234', ${text})`,
  'a malformed date': (text) => `PARSE_DATE('%Y', CONCAT('200', ${text})) IS NOT NULL`,
  'a text too long': (text) => `LENGTH(REPEAT('x', IF(STARTS_WITH(${text}, 'SECRET'), 10000000, 1))) = 1`,
  'a negative length beside a long constant': (text) =>
    `LPAD('a', IF(STARTS_WITH(${text}, 'SECRET'), -1, 1), '${'x'.repeat(400)}') = 'a'`,
};

type Condition = (text: string) => string;

const M = 'event_message';
const RECORDS = 'l AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r';

/** Where it may stand. */
const PLACES: Readonly<Record<string, (condition: Condition) => string>> = {
  WHERE: (is) => `SELECT COUNT(*) AS n FROM l WHERE ${is(M)}`,
  'WHERE after other conditions': (is) =>
    `SELECT id FROM l WHERE id != '0' AND ${is(M)} AND timestamp > '2020-01-01' ORDER BY timestamp DESC LIMIT 3`,
  'WHERE by an alias of a CTE': (is) =>
    `WITH c AS (SELECT *, ${is(M)} AS k FROM l) SELECT COUNT(*) AS n FROM c WHERE k`,
  'WHERE by an alias of a CTE that is read twice': (is) =>
    `WITH c AS (SELECT *, ${is(M)} AS k FROM l) SELECT COUNT(*) AS n FROM c AS a JOIN c AS b ON a.id = b.id AND a.k WHERE b.k`,
  'WHERE over a union': (is) =>
    `SELECT COUNT(*) AS n FROM (SELECT * FROM l UNION ALL SELECT * FROM l) WHERE ${is(M)}`,
  'WHERE over DISTINCT': (is) => `SELECT * FROM (SELECT DISTINCT ${M} FROM l) WHERE ${is(M)}`,
  'a pipe': (is) => `FROM l |> WHERE ${is(M)} |> AGGREGATE COUNT(*) AS n`,
  'the select list': (is) => `SELECT ${is(M)} AS x FROM l LIMIT 3`,
  'GROUP BY': (is) => `SELECT ${is(M)} AS x, COUNT(*) AS n FROM l GROUP BY x`,
  HAVING: (is) => `SELECT ${M} FROM l GROUP BY ${M} HAVING ${is(M)}`,
  QUALIFY: (is) =>
    `SELECT id FROM l WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY ${M} ORDER BY id) = 1 AND ${is(M)}`,
  'ORDER BY': (is) => `SELECT id FROM l ORDER BY ${is(M)}, id LIMIT 3`,
  'an aggregate': (is) => `SELECT COUNTIF(${is(M)}) AS n FROM l`,
  'ON of a join': (is) => `SELECT COUNT(*) AS n FROM l AS a JOIN l AS b ON a.id = b.id AND ${is(`b.${M}`)}`,
  'ON of an outer join': (is) =>
    `SELECT COUNT(*) AS n FROM l AS a LEFT JOIN l AS b ON a.id = b.id AND ${is(`b.${M}`)}`,
  'keys of a join': (is) =>
    `SELECT COUNT(*) AS n FROM l AS a, l AS b WHERE a.id = b.id AND (${is(`a.${M}`)}) = (${is(`b.${M}`)})`,
  EXISTS: (is) =>
    `SELECT COUNT(*) AS n FROM l AS t WHERE EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m WHERE ${is('m.level')})`,
  'EXISTS over a constant': (is) =>
    `SELECT COUNT(*) AS n FROM l AS t WHERE EXISTS (SELECT 1 FROM UNNEST([1, 2]) AS x WHERE ${is(`t.${M}`)})`,
  'EXISTS in EXISTS': (is) =>
    `SELECT COUNT(*) AS n FROM l AS t WHERE EXISTS (SELECT 1 FROM UNNEST([1]) AS x WHERE EXISTS (SELECT 1 FROM UNNEST([2]) AS y WHERE ${is(`t.${M}`)}))`,
  IN: (is) => `SELECT COUNT(*) AS n FROM l WHERE id IN (SELECT id FROM l WHERE ${is(M)})`,
  'a subquery of a row': (is) =>
    `SELECT (SELECT COUNT(*) FROM l AS b WHERE b.id = a.id AND ${is(`a.${M}`)}) AS n FROM l AS a LIMIT 3`,
  ARRAY: (is) => `SELECT ARRAY(SELECT ${is(`t.${M}`)} FROM UNNEST([1, 2])) AS x FROM l AS t LIMIT 3`,
  'WHERE on a record': (is) => `SELECT COUNT(*) AS n FROM ${RECORDS} WHERE ${is('r.path')}`,
  'GROUP BY of a record': (is) => `SELECT ${is('m.level')} AS x, COUNT(*) AS n FROM ${RECORDS} GROUP BY x`,
  'an element of a record': (is) =>
    `SELECT COUNT(*) AS n FROM l WHERE ${is('metadata[SAFE_OFFSET(0)].level')}`,
};

/** What a stored query may ask of the rows that a caller may read. */
const STORED = {
  'a column': "t.project = 'mine'",
  'a calculation': "CONCAT(t.project, t.id) LIKE 'mine%'",
  'a record': "EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m WHERE m.level < 'A')",
};

describe('an expression that fails for rows that the query may not read', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 2 });
    await loadEntries({ store, schemas: CONTRACT_TABLES, source: 'edge_logs', lines });
    await installFunctions(store);
    await store.lock();
    warehouse = makeDuckDbWarehouse(store, await readStoredSchemas(store), {
      layouts: await readLayouts(store),
    });
  });
  afterAll(() => warehouse.close());

  const rows = Object.keys(STORED) as (keyof typeof STORED)[];
  describe.each(rows)('by %s', (stored) => {
    test.each(Object.keys(PLACES))('does not fail in %s', async (place) => {
      for (const [name, condition] of Object.entries(FAILING)) {
        const sql = `WITH l AS (SELECT t.id, t.timestamp, t.event_message, t.metadata FROM logs.edge_logs AS t WHERE ${STORED[stored]}) `;
        const body = PLACES[place]?.(condition) ?? '';
        const composed = body.startsWith('WITH ')
          ? `${sql.trimEnd()}, ${body.slice('WITH '.length)}`
          : `${sql}${body}`;
        const outcome = await firstPage(warehouse, composed).then(
          ({ rows: { length } }) => `${name}: ${length > 0}`,
          (error: Error) => `${name}: ${error.message}`,
        );
        expect(outcome).toBe(`${name}: true`);
      }
    });
  });
});
