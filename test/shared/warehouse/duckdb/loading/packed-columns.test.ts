import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FieldSchema, FieldType } from '../../../../../shared/schema/table-schema.ts';
import { EntryTable } from '../../../../../shared/warehouse/duckdb/live/entry-table.ts';
import { createTail, insertRows } from '../../../../../shared/warehouse/duckdb/live/record-tables.ts';
import type { TableShape } from '../../../../../shared/warehouse/duckdb/live/table-shape.ts';

const field = (name: string, type: FieldType, fields: readonly FieldSchema[] = []): FieldSchema => ({
  name,
  type,
  mode: type === 'STRUCT' ? 'REPEATED' : 'NULLABLE',
  fields,
});
const SHAPE: TableShape = {
  schema: [
    { ...field('timestamp', 'TIMESTAMP'), mode: 'REQUIRED' },
    field('text', 'STRING'),
    field('real', 'FLOAT64'),
    field('record', 'STRUCT', [field('text', 'STRING'), field('real', 'FLOAT64')]),
  ],
  flat: ['record'],
  added: [],
};

/** Characters that packed rows give a meaning, and some that JSON escapes. */
const text = fc.option(
  fc.oneof(
    fc.string({ unit: fc.constantFrom('\u001e', '\u001f', '\u0000', '\n', '"', '\\', 'a', 'é', '😀') }),
    fc.string({ unit: 'grapheme' }),
  ),
  { nil: null },
);
/** JSON.stringify writes no negative zero. */
const real = fc.option(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  { nil: null },
);
const entry = fc.record({ text, real, record: fc.option(fc.record({ text, real }), { nil: null }) });

describe('Rows that are packed by column', () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    connection = await instance.connect();
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
  });

  it('are stored with every character and every digit, and their text is the one that DuckDB makes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(entry, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
        async (batches) => {
          const table = new EntryTable('logs', SHAPE);
          const inserter = await createTail(connection, 'packed', SHAPE, false);
          try {
            const packed = [];
            for (const batch of batches) {
              const texts = batch.map((one) => JSON.stringify({ ...one, timestamp: 1 }));
              packed.push((await table.pack(texts)).rows);
            }
            await insertRows(inserter, packed);
            const reader = await connection.runAndReadAll(
              `SELECT "text", "real", "record.text", "record.real", "record$",
               CASE WHEN "record?" THEN to_json([struct_pack("text" := "record.text", "real" := "record.real")])
               ELSE '[]' END
             FROM packed ORDER BY rowid`,
            );
            const rows = reader.getRowsJS();
            expect(rows.map((row) => row.slice(0, 4))).toEqual(
              batches
                .flat()
                .map(({ text, real, record }) => [text, real, record?.text ?? null, record?.real ?? null]),
            );
            expect(rows.map((row) => row[4])).toEqual(rows.map((row) => row[5]));
          } finally {
            inserter.destroy();
            await connection.run('DROP TABLE packed');
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
