import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FieldSchema } from '../../../../../shared/schema/table-schema.ts';
import { defineFunctions } from '../../../../../shared/warehouse/duckdb/install-functions.ts';
import { EntryTable } from '../../../../../shared/warehouse/duckdb/live/entry-table.ts';
import { selectAs } from '../../../../../shared/warehouse/duckdb/live/part-columns.ts';
import { partTable } from '../../../../../shared/warehouse/duckdb/live/part-table.ts';
import { createTail } from '../../../../../shared/warehouse/duckdb/live/record-tables.ts';
import type { TableShape } from '../../../../../shared/warehouse/duckdb/live/table-shape.ts';

const scalar = (name: string): FieldSchema => ({ name, type: 'STRING', mode: 'NULLABLE', fields: [] });
const record = (name: string, fields: FieldSchema[]): FieldSchema => ({
  name,
  type: 'STRUCT',
  mode: 'REPEATED',
  fields,
});
const time: FieldSchema = { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED', fields: [] };

const INNER = record('inner', [scalar('x'), { ...scalar('list'), mode: 'REPEATED' }]);
const SHAPE: TableShape = {
  schema: [time, scalar('id'), record('outer', [scalar('a'), INNER]), record('other', [scalar('b')])],
  flat: ['outer', 'outer.inner', 'other'],
  added: [],
};
const WIDER: TableShape = {
  ...SHAPE,
  schema: [
    time,
    scalar('id'),
    record('outer', [scalar('a'), INNER, scalar('new')]),
    record('other', [scalar('b')]),
  ],
};

/** Shapes that hold all that SHAPE does. */
const TARGETS: readonly (readonly [string, TableShape])[] = [
  ['the same shape', SHAPE],
  ['a shape with a record that is no longer flat', { ...SHAPE, flat: ['outer', 'other'] }],
  ['a shape in which nothing is flat but one record', { ...SHAPE, flat: ['other'] }],
  ['a shape in which nothing is flat', { ...SHAPE, flat: [] }],
  ['a shape with a new field', WIDER],
  ['a shape with a new field and fewer flat records', { ...WIDER, flat: ['outer'] }],
];

const text = fc.option(fc.constantFrom('p', 'q', '', '\u001e', '\u001f', 'é\u0000'), { nil: null });
const several = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 3 });
const inner = fc.record({ x: text, list: fc.array(fc.constantFrom('l', 'm'), { maxLength: 2 }) });
const entries = fc.array(
  fc.record({
    id: fc.constantFrom('i', 'j', 'k'),
    outer: several(fc.record({ a: text, inner: several(inner) })),
    other: several(fc.record({ b: text })),
  }),
  { minLength: 1, maxLength: 6 },
);

describe('The entries of a part', () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    await defineFunctions(connection);
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
  });

  async function store(names: { own: string; beside: string }, shape: TableShape, texts: string[]) {
    const packed = await new EntryTable('logs', shape).pack(texts);
    for (const isRepeated of [false, true]) {
      const name = isRepeated ? names.beside : names.own;
      const insert = await createTail(connection, name, shape, isRepeated);
      const rows = isRepeated ? packed.repeated : packed.rows;
      if (rows !== null) await insert.insert(rows);
      insert.destroy();
    }
  }

  const rows = async (sql: string) =>
    (await connection.runAndReadAll(`SELECT * FROM (${sql}) ORDER BY ALL`)).getRowObjectsJson();

  it.each(TARGETS)('are read in %s as if they had been written in it', async (_, target) => {
    const [part, expected] = [
      { own: 'part', beside: 'part_repeated' },
      { own: 'target', beside: 'target_repeated' },
    ];
    await fc.assert(
      fc.asyncProperty(entries, async (all) => {
        const texts = all.map((entry, second) =>
          JSON.stringify({ ...entry, timestamp: 1_700_000_000_000_000 + second * 1_000_000 }),
        );
        try {
          await store(part, SHAPE, texts);
          await store(expected, target, texts);
          for (const isRepeated of [false, true]) {
            const read = await rows(selectAs(partTable(part, SHAPE, isRepeated), target));
            expect(read).toEqual(await rows(`FROM ${isRepeated ? expected.beside : expected.own}`));
          }
        } finally {
          for (const { own, beside } of [part, expected])
            await connection.run(`DROP TABLE IF EXISTS ${own}; DROP TABLE IF EXISTS ${beside}`);
        }
      }),
      { numRuns: 40 },
    );
  });
});
