import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../../shared/errors/service-error.ts';
import type { TableSchemas } from '../../../../shared/schema/table-schema.ts';
import type { QueryParameter } from '../../../../shared/sql/types/query-parameter.ts';
import type {
  QueryResult,
  QueryText,
  RunOptions,
  Warehouse,
} from '../../../../shared/warehouse/warehouse.ts';
import { CONTRACT_LINES, CONTRACT_TABLES } from './contract-logs.ts';
import { describePaging } from './paging.ts';
import { MISTAKES, RUNTIME_FAILURES } from './runtime-failures.ts';
import { WIRE_VALUES } from './wire-values.ts';

/** Opens a warehouse with these tables, and by table the entries as lines of log files. */
export type OpenWarehouse = (
  tables: TableSchemas,
  entries: ReadonlyMap<string, readonly string[]>,
) => Promise<Warehouse>;

const NOW_MICROS = 1_767_225_600_000_001n;
const OPTIONS: RunOptions = { maxRows: 100, deadlineMs: 600_000, nowMicros: NOW_MICROS };

/** What no caller may get to read: engines, generated names, inner tables, places in our files. */
const INSIDE =
  /DuckDB|logs\.main|struct_|list_|epoch_us|\bq\d+\.|\b[rc]\d+\b|gsql_|\.ts\b|node_modules|\/tmp\/|CAST\(|LINE \d/;

/** A query that runs for hours where it is not stopped. */
const ENDLESS = `SELECT COUNT(*) FROM UNNEST(GENERATE_ARRAY(1, 100000)) AS a
  CROSS JOIN UNNEST(GENERATE_ARRAY(1, 100000)) AS b CROSS JOIN UNNEST(GENERATE_ARRAY(1, 100000)) AS c
  WHERE MOD(a * b + c, 7) = 8`;

/**
 * What every warehouse promises (shared/warehouse/warehouse.ts), tested through its own door. `defects` are the tests
 * that an engine which only stands in for the real one cannot pass, with the reason: each must fail, and be there.
 */
export function warehouseContract(
  name: string,
  open: OpenWarehouse,
  defects: ReadonlyMap<string, string> = new Map(),
): void {
  describe(`the warehouse on ${name}`, () => {
    const names = new Set<string>();
    const promises = (promise: string, check: () => Promise<void>): void => {
      names.add(promise);
      if (defects.has(promise)) test.failing(promise, check);
      else test(promise, check);
    };

    const opened: Warehouse[] = [];
    const warehouse = () => opened[0] as Warehouse;
    beforeAll(async () => {
      opened.push(await open(CONTRACT_TABLES, new Map([['edge_logs', CONTRACT_LINES]])));
    });
    afterAll(() => warehouse().close());

    const run = (
      sql: string,
      parameters: Readonly<Record<string, QueryParameter>> = {},
      options: Partial<RunOptions> = {},
    ): Promise<QueryResult> =>
      warehouse().run({ sql, parameters: new Map(Object.entries(parameters)) }, { ...OPTIONS, ...options });
    const rows = async (...args: Parameters<typeof run>): Promise<unknown[]> =>
      (await run(...args)).rows.map((row) => JSON.parse(row));
    const failure = async (...args: Parameters<typeof run>): Promise<ServiceError> => {
      const thrown: unknown = await run(...args).then(
        () => null,
        (error) => error,
      );
      expect(thrown).toMatchObject({ name: 'ServiceError' });
      const error = thrown as ServiceError;
      expect(error.message).not.toMatch(INSIDE);
      return error;
    };

    test('has the tables that it was opened with', () => {
      expect(warehouse().tables).toEqual(CONTRACT_TABLES);
    });

    test('answers that it is there', async () => {
      await expect(warehouse().ping()).resolves.toBeUndefined();
    });

    describe('values', () => {
      for (const [expression, json] of WIRE_VALUES)
        promises(`${expression} is ${json}`, async () => {
          const alone = await run(`SELECT ${expression} AS v`);
          expect(JSON.parse(alone.rows[0] ?? '')).toEqual({ v: JSON.parse(json) });
          // Beside a JSON value, whose numbers are its own, and one level down.
          const among = await run(
            `SELECT JSON '{"n": 12}' AS j, ${expression} AS v, [STRUCT(${expression} AS w)] AS s`,
          );
          expect(JSON.parse(among.rows[0] ?? '')).toEqual({
            j: { n: 12 },
            v: JSON.parse(json),
            s: [{ w: JSON.parse(json) }],
          });
        });

      test('keeps the digits of numbers inside JSON values', async () => {
        const { rows: texts } = await run(
          `SELECT JSON '[12345678901234567890, 1]' AS j, 12345678901234567 AS i`,
        );
        expect(texts).toEqual(['{"j":[12345678901234567890,1],"i":"12345678901234567"}']);
      });

      test('reads nested entries as they were written, with missing fields as NULL', async () => {
        expect(await rows('SELECT id, metadata FROM logs.edge_logs ORDER BY id')).toEqual([
          {
            id: 'a',
            metadata: [
              {
                level: 'info',
                request: [
                  { path: '/x', attempts: 1, tags: ['p', 'q'] },
                  { path: '/y', attempts: null, tags: [] },
                ],
              },
              { level: null, request: [] },
            ],
          },
          { id: 'b', metadata: [] },
          {
            id: 'c',
            metadata: [{ level: 'warn', request: [{ path: '/z', attempts: '9007199254740993', tags: [] }] }],
          },
        ]);
      });

      test('reads text and time exactly', async () => {
        expect(
          await rows("SELECT event_message, timestamp FROM logs.edge_logs WHERE id != 'a' ORDER BY id"),
        ).toEqual([
          { event_message: null, timestamp: 1_704_067_200_000_001 },
          {
            event_message: 'it\'s 203.0.113.7, über "quoted" \\ and\nbroken',
            timestamp: 1_704_153_600_000_000,
          },
        ]);
      });
    });

    describe('columns', () => {
      test('come in the order of the query, with names where they have none', async () => {
        const { columns, rows: texts } = await run("SELECT 1, 'b' AS b, 2.5, [1]");
        expect(columns).toEqual([
          { name: 'f0_', type: { kind: 'INT64' } },
          { name: 'b', type: { kind: 'STRING' } },
          { name: 'f1_', type: { kind: 'FLOAT64' } },
          { name: 'f2_', type: { kind: 'ARRAY', element: { kind: 'INT64' } } },
        ]);
        expect(texts).toEqual(['{"f0_":1,"b":"b","f1_":2.5,"f2_":[1]}']);
      });

      test('are known without running, by the types of parameters alone', async () => {
        const text: QueryText = {
          sql: 'SELECT @a AS a, TIMESTAMP_ADD(@t, INTERVAL 1 HOUR) AS t, COUNT(*) AS n FROM logs.edge_logs',
          parameterTypes: new Map([
            ['a', 'BOOL'],
            ['t', 'TIMESTAMP'],
          ]),
        };
        const { columns } = await warehouse().prepare(text, 10);
        expect(columns.map(({ name: column, type }) => `${column} ${type.kind}`)).toEqual([
          'a BOOL',
          't TIMESTAMP',
          'n INT64',
        ]);
      });

      test('are there when there is no row', async () => {
        const {
          bytesProcessed,
          bytesBilled,
          rowsScanned: _,
          ...result
        } = await run('SELECT id FROM logs.auth_logs');
        for (const bytes of [bytesProcessed, bytesBilled]) expect(bytes === null || bytes >= 0).toBe(true);
        expect(result).toEqual({
          columns: [{ name: 'id', type: { kind: 'STRING' } }],
          rows: [],
          truncated: false,
        });
      });
    });

    describe('parameters', () => {
      const parameters: readonly [QueryParameter, unknown][] = [
        [{ type: 'STRING', value: '\' OR 1=1; -- \\ " @x\n' }, '\' OR 1=1; -- \\ " @x\n'],
        [{ type: 'STRING', value: '' }, ''],
        [{ type: 'STRING', value: '😀ß' }, '😀ß'],
        [{ type: 'INT64', value: 5n }, 5],
        [{ type: 'INT64', value: -9_223_372_036_854_775_808n }, '-9223372036854775808'],
        [{ type: 'FLOAT64', value: 0.1 }, 0.1],
        [{ type: 'FLOAT64', value: Number.NaN }, 'NaN'],
        [{ type: 'FLOAT64', value: Number.NEGATIVE_INFINITY }, '-Infinity'],
        [{ type: 'BOOL', value: true }, true],
        [{ type: 'BOOL', value: false }, false],
        [{ type: 'TIMESTAMP', value: 1n }, 1],
        [{ type: 'TIMESTAMP', value: -62_135_596_800_000_000n }, -62_135_596_800_000_000],
      ];
      for (const [parameter, expected] of parameters)
        promises(`${parameter.type} ${JSON.stringify(expected)} comes back as it was bound`, async () => {
          const result = await run('SELECT @p AS p, [@p] AS list', { p: parameter });
          expect(result.rows.map((row) => JSON.parse(row))).toEqual([{ p: expected, list: [expected] }]);
          expect(result.columns[0]?.type).toEqual({ kind: parameter.type });
        });

      test.each(['STRING', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP'] as const)(
        '%s may be NULL',
        async (type) => {
          const result = await run('SELECT @p AS p, @p IS NULL AS isNull', { p: { type, value: null } });
          expect(result.rows).toEqual(['{"p":null,"isNull":true}']);
          expect(result.columns[0]?.type).toEqual({ kind: type });
        },
      );

      test('are compared as their type, in whatever case their names are written', async () => {
        const parameters: Record<string, QueryParameter> = {
          project: { type: 'STRING', value: 'one' },
          after: { type: 'TIMESTAMP', value: 1_704_067_200_000_000n },
          least: { type: 'INT64', value: 0n },
        };
        const sql = `SELECT id FROM logs.edge_logs WHERE project = @project AND timestamp > @after
          AND LENGTH(id) > @least AND @project = 'one'`;
        expect(await rows(sql, parameters)).toEqual([{ id: 'b' }]);
      });

      test('that the query does not use are no matter', async () => {
        expect(await rows('SELECT 1 AS a', { p: { type: 'STRING', value: 'x' } })).toEqual([{ a: 1 }]);
      });
    });

    describe('rows', () => {
      test.each([
        [2, false],
        [3, false],
        [4, true],
        [1000, true],
      ])('of %i there are 3 at most', async (available, truncated) => {
        const sql = `SELECT x FROM UNNEST(GENERATE_ARRAY(1, ${available})) AS x ORDER BY x DESC`;
        const result = await run(sql, {}, { maxRows: 3 });
        expect(result.truncated).toBe(truncated);
        const expected = [0, 1, 2].map((index) => available - index).filter((x) => x > 0);
        expect(result.rows).toEqual(expected.map((x) => `{"x":${x}}`));
      });

      test.each([
        ['LIMIT 3', 3, false],
        ['LIMIT 4', 3, true],
        ['LIMIT 2', 2, false],
        ['LIMIT 0', 0, false],
        ['LIMIT 3 OFFSET 8', 2, false],
        ['LIMIT 10 OFFSET 7', 3, false],
        ['LIMIT 10 OFFSET 6', 3, true],
      ])('of %s are counted after it', async (limit, count, truncated) => {
        const sql = `SELECT x FROM UNNEST(GENERATE_ARRAY(1, 10)) AS x ORDER BY x ${limit}`;
        const result = await run(sql, {}, { maxRows: 3 });
        expect([result.rows.length, result.truncated]).toEqual([count, truncated]);
      });

      test('keep their order, thousands of them', async () => {
        const sql = 'SELECT x FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS x ORDER BY MOD(x * 7919, 5003), x';
        const expected = Array.from({ length: 5000 }, (_, index) => index + 1).sort(
          (a, b) => ((a * 7919) % 5003) - ((b * 7919) % 5003),
        );
        const found = (await rows(sql, {}, { maxRows: 5000 })) as { x: number }[];
        expect(found.map(({ x }) => x)).toEqual(expected);
      });

      test('sort NULL first when ascending and last when descending', async () => {
        const sql = (direction: string) => `SELECT x FROM UNNEST([2, NULL, 1]) AS x ORDER BY x ${direction}`;
        expect((await run(sql('ASC'))).rows).toEqual(['{"x":null}', '{"x":1}', '{"x":2}']);
        expect((await run(sql('DESC'))).rows).toEqual(['{"x":2}', '{"x":1}', '{"x":null}']);
      });
    });

    describePaging(promises, warehouse);

    describe('the clock', () => {
      test('stands where the request says, in every function that reads the clock', async () => {
        const sql = `SELECT CURRENT_TIMESTAMP() AS t, CURRENT_DATETIME() AS dt, CURRENT_DATE() AS d,
          CURRENT_TIMESTAMP() = CURRENT_TIMESTAMP() AS same`;
        expect(await rows(sql)).toEqual([
          { t: Number(NOW_MICROS), dt: '2026-01-01T00:00:00.000001', d: '2026-01-01', same: true },
        ]);
        expect(await rows('SELECT CURRENT_TIMESTAMP() AS t', {}, { nowMicros: 7n })).toEqual([{ t: 7 }]);
      });
    });

    describe('queries that end before their time', () => {
      test('are out of time at their deadline, and others run on', async () => {
        const late = failure(ENDLESS, {}, { deadlineMs: 200 });
        const other = rows('SELECT COUNT(*) AS n FROM logs.edge_logs');
        expect(await other).toEqual([{ n: 3 }]);
        expect(await late).toMatchObject({
          kind: 'deadline_exceeded',
          message: expect.stringContaining('200 ms'),
        });
        expect(await rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);
      });

      test('stop when the caller goes away', async () => {
        const caller = new AbortController();
        const gone = failure(ENDLESS, {}, { signal: caller.signal });
        // Whatever becomes of it: the endless one has begun by then.
        await run('SELECT 1', {}, { deadlineMs: 1_000 }).catch(() => null);
        caller.abort();
        expect((await gone).kind).toBe('deadline_exceeded');
        expect(await rows('SELECT 2 AS a')).toEqual([{ a: 2 }]);
      });

      test('do not begin when the caller has gone away', async () => {
        expect((await failure(ENDLESS, {}, { signal: AbortSignal.abort() })).kind).toBe('deadline_exceeded');
      });

      test('stop even if the caller goes away at once', async () => {
        const caller = new AbortController();
        const gone = failure(ENDLESS, {}, { signal: caller.signal });
        caller.abort();
        expect((await gone).kind).toBe('deadline_exceeded');
      });

      test('a signal after the end changes nothing', async () => {
        const caller = new AbortController();
        await run('SELECT 1', {}, { signal: caller.signal });
        caller.abort();
        expect(await rows('SELECT 3 AS a')).toEqual([{ a: 3 }]);
      });
    });

    test('queries at the same time do not mix', async () => {
      const asked = Array.from({ length: 40 }, (_, index) => index);
      const answers = await Promise.all(
        asked.map((index) =>
          index % 5 === 4
            ? failure('SELECT DIV(1, @i - @i)', { i: { type: 'INT64', value: BigInt(index) } }).then(
                ({ kind }) => kind,
              )
            : rows(
                'SELECT @i AS i, COUNT(*) AS n, CURRENT_TIMESTAMP() AS t FROM UNNEST(GENERATE_ARRAY(1, 20000)) AS x WHERE MOD(x, 1 + @i) = 0',
                { i: { type: 'INT64', value: BigInt(index) } },
                { nowMicros: BigInt(index) },
              ),
        ),
      );
      expect(answers).toEqual(
        asked.map((i) => (i % 5 === 4 ? 'invalid_argument' : [{ i, n: Math.floor(20_000 / (1 + i)), t: i }])),
      );
    });

    describe('mistakes in a query', () => {
      test.each(MISTAKES)('%s: says what and where', async (_, sql, message, line, column) => {
        const error = await failure(sql);
        expect(error.kind).toBe('invalid_argument');
        expect(error.message).toMatch(message);
        expect(error.details).toEqual([expect.objectContaining({ line, column })]);
        await expect(warehouse().prepare({ sql, parameterTypes: new Map() }, 10)).rejects.toThrow(
          error.message,
        );
      });

      for (const [failed, sql, message] of RUNTIME_FAILURES)
        promises(`${failed}: says what, and nothing of the inside`, async () => {
          const error = await failure(sql);
          expect([error.kind, error.message.toLowerCase()]).toEqual([
            'invalid_argument',
            expect.stringMatching(message),
          ]);
        });

      for (const [failed, sql] of RUNTIME_FAILURES.filter(([, text]) => !/SUM|\(SELECT/.test(text))) {
        promises(`${failed}: is no mistake where no row gets there`, async () => {
          expect((await run(`${sql} WHERE FALSE`)).rows).toEqual([]);
        });
      }
    });

    test('falls short of nothing that is not promised', () => {
      expect([...defects.keys()].filter((defect) => !names.has(defect))).toEqual([]);
    });
  });
}
