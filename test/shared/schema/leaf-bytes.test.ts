import { describe, expect, test } from '@jest/globals';
import { leafMeter } from '../../../shared/schema/leaf-bytes.ts';
import { type TableSchema, tableSchema } from '../../../shared/schema/table-schema.ts';

const schema: TableSchema = tableSchema.parse([
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'at', type: 'TIMESTAMP' },
  { name: 'any', type: 'JSON' },
  { name: 'raw', type: 'BYTES' },
  {
    name: 'm',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'n', type: 'INTEGER' },
      { name: 'is', type: 'BOOLEAN', mode: 'REPEATED' },
      { name: 'r', type: 'RECORD', fields: [{ name: 'price', type: 'NUMERIC' }] },
    ],
  },
]);

function bytesOf(...entries: readonly unknown[]): Record<string, number> {
  const meter = leafMeter(schema);
  for (const entry of entries) meter.add(entry);
  const { bytes } = meter.total();
  return Object.fromEntries([...bytes].filter(([, count]) => count > 0));
}

describe('the bytes of leaves', () => {
  test.each<[string, unknown, Record<string, number>]>([
    ['two and its bytes for a text', { id: 'aä' }, { id: 5 }],
    ['nothing for NULL and for what is not there', { id: null }, {}],
    ['eight for an instant, however it is written', { at: '2026-01-01T00:00:00Z' }, { at: 8 }],
    ['the text of JSON', { any: { a: 1 } }, { any: 9 }],
    ['what Base64 stands for', { raw: 'AAAA' }, { raw: 5 }],
    [
      'those of all elements together',
      { m: [{ n: 1 }, { n: 2, is: [true, false] }] },
      { 'm.n': 16, 'm.is': 2 },
    ],
    ['a record in place of a list of one', { m: { n: 1 } }, { 'm.n': 8 }],
    ['a record in a record', { m: [{ r: { price: '1.5' } }] }, { 'm.r.price': 16 }],
    ['nothing for fields that the schema lacks', { id: '', other: 'text' }, { id: 2 }],
    ['nothing for what is no record', 'text', {}],
  ])('are %s', (_, entry, expected) => {
    expect(bytesOf(entry)).toEqual(expected);
  });

  test('of several entries are added up, and their number is known', () => {
    const meter = leafMeter(schema);
    meter.add({ id: 'a' });
    meter.add({ id: 'bc' });
    expect(meter.total().entries).toBe(2);
    expect(meter.total().bytes.get('id')).toBe(7);
    expect([...meter.total().bytes.keys()]).toEqual(['id', 'at', 'any', 'raw', 'm.n', 'm.is', 'm.r.price']);
  });
});
