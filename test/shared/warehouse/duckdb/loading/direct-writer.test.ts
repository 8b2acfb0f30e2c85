import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FieldSchema, FieldType, TableSchema } from '../../../../../shared/schema/table-schema.ts';
import {
  type ColumnTree,
  knownTree,
  startReading,
} from '../../../../../shared/warehouse/duckdb/loading/column-tree.ts';
import { DirectWriter } from '../../../../../shared/warehouse/duckdb/loading/direct-writer.ts';
import { entryWriter } from '../../../../../shared/warehouse/duckdb/loading/entry-writer.ts';
import { packRows } from '../../../../../shared/warehouse/duckdb/loading/packed-columns.ts';
import type { WrittenEntry } from '../../../../../shared/warehouse/duckdb/loading/record-writer.ts';
import { RowPacker } from '../../../../../shared/warehouse/duckdb/loading/row-packer.ts';

const field = (
  name: string,
  type: FieldType,
  mode: FieldSchema['mode'] = 'NULLABLE',
  fields: TableSchema = [],
): FieldSchema => ({ name, type, mode, fields });

const SCALARS: TableSchema = [
  field('text', 'STRING'),
  field('naïve "key"', 'STRING'),
  field('whole', 'INT64'),
  field('real', 'FLOAT64'),
  field('truth', 'BOOL'),
  field('exact', 'NUMERIC'),
  field('bytes', 'BYTES'),
  field('at', 'TIMESTAMP'),
  field('json', 'JSON'),
  field('texts', 'STRING', 'REPEATED'),
  field('wholes', 'INT64', 'REPEATED'),
];
const SCHEMA: TableSchema = [
  field('id', 'STRING'),
  field('timestamp', 'TIMESTAMP', 'REQUIRED'),
  ...SCALARS,
  field('flat', 'STRUCT', 'REPEATED', [
    ...SCALARS,
    field('inner', 'STRUCT', 'REPEATED', SCALARS),
    field('empty', 'STRUCT', 'REPEATED'),
  ]),
  field('single', 'STRUCT', 'NULLABLE', [field('needed', 'STRING', 'REQUIRED'), field('whole', 'INT64')]),
  field('listed', 'STRUCT', 'REPEATED', [field('text', 'STRING')]),
  field('reals', 'FLOAT64', 'REPEATED'),
  field('found', 'STRING'),
  field('found_whole', 'INT64'),
  field('found_real', 'FLOAT64'),
  field('found_record', 'STRUCT', 'REPEATED', [field('truth', 'BOOL')]),
];
const FLAT = new Set(['', 'flat', 'flat.inner', 'flat.empty', 'single', 'found_record']);

function startedTree(): ColumnTree {
  const tree = knownTree(SCHEMA, {
    isFlat: (path) => FLAT.has(path),
    isDeclared: (path) => !path.startsWith('found'),
  });
  startReading(tree.root);
  return tree;
}

/** JSON texts of values, most of them as columns take them, and some that none does. */
const json = (value: unknown) => JSON.stringify(value);
const texts = fc.oneof(
  { arbitrary: fc.string().map(json), weight: 3 },
  fc.string({ unit: 'grapheme' }).map(json),
  fc.constantFrom(
    '""',
    '"\\u001e"',
    '"\\u001f"',
    '"\\u0041\\/\\n"',
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
    '"\ud83d"',
  ),
  fc.constantFrom('"a\nb"', '"open', '"\\x"', '"2026-01-02T03:04:05.678Z"', '"1.50"', '"YWJj"', '"\\'),
);
const numbers = fc.oneof(
  { arbitrary: fc.integer().map(json), weight: 3 },
  { arbitrary: fc.maxSafeInteger().map(json), weight: 2 },
  fc.double().map(json),
  fc.constantFrom('0', '-0', '00', '-', '1.0', '1e3', '1E400', '9007199254740993', '123456789012345678'),
  fc.constantFrom(
    '8999999999999999',
    '9000000000000000',
    '-8999999999999999',
    '0.1000000000000000000001',
    '01',
  ),
);
const anyValue = fc.oneof(
  texts,
  numbers,
  fc.constantFrom('null', 'true', 'false', 'nul', 'tru', '[]', '{}', '[null]', '[[]]', '{"a":1,"a":2}'),
);
const list = (element: fc.Arbitrary<string>) =>
  fc.array(element, { maxLength: 3 }).map((elements) => `[${elements.join(', ')}]`);

const often = (usual: fc.Arbitrary<string>) =>
  fc.oneof({ arbitrary: usual, weight: 300 }, { arbitrary: fc.constant('null'), weight: 30 }, anyValue);

function valuesOf({ type, mode, fields }: FieldSchema): fc.Arbitrary<string> {
  const one = singleOf(type, fields);
  if (mode !== 'REPEATED') return often(one);
  if (type !== 'STRUCT') return often(list(one));
  return often(
    fc.oneof(
      { arbitrary: one.map((record) => `[${record}]`), weight: 30 },
      { arbitrary: one, weight: 10 },
      { arbitrary: fc.constant('[ ]'), weight: 5 },
      list(one),
    ),
  );
}

function singleOf(type: FieldType, fields: TableSchema): fc.Arbitrary<string> {
  switch (type) {
    case 'STRUCT':
      return objectOf(fields);
    case 'STRING':
    case 'JSON':
      return fc.oneof(texts, fc.string({ unit: fc.constantFrom('a', 'é', '"') }).map(json));
    case 'INT64':
      return fc.oneof(fc.integer(), fc.maxSafeInteger()).map(json);
    case 'BOOL':
      return fc.constantFrom('true', 'false');
    case 'TIMESTAMP':
      return fc.constantFrom('1767830371894121', '"2026-01-02T03:04:05.678Z"', '-62');
    case 'BYTES':
      return fc.constantFrom('"YWJj"', '""');
    case 'NUMERIC':
      return fc.constantFrom('1.5', '"-0.10"', '12');
    default:
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()).map(json);
  }
}

/** An object with some of the fields, in the order of the schema or another, with white space here and there. */
function objectOf(fields: TableSchema): fc.Arbitrary<string> {
  const space = fc.oneof({ arbitrary: fc.constant(''), weight: 20 }, fc.constantFrom(' ', '\n\t', '\r'));
  const members = fc.tuple(
    ...fields.map((one) => {
      const name = fc.oneof(
        { arbitrary: fc.constant(one.name), weight: 1_000 },
        fc.constantFrom(one.name.toUpperCase(), 'unknown', 'text'),
      );
      const member = fc.tuple(name, space, valuesOf(one));
      const written = member.map(([key, blank, value]) => `${json(key)}${blank}:${blank}${value}`);
      return fc.option(written, { nil: null, freq: one.mode === 'REQUIRED' ? 100 : 2 });
    }),
  );
  return fc
    .tuple(members, fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, fc.constant(true)), space)
    .map(([all, isReversed, blank]) => {
      const there = all.filter((member) => member !== null);
      return `{${blank}${(isReversed ? there.toReversed() : there).join(`,${blank}`)}${blank}}`;
    });
}

function writtenEntry(text: string): WrittenEntry {
  const tree = startedTree();
  const { version } = tree;
  const entry = entryWriter(tree, { unknownFields: 'add' }).write(text);
  if ('reason' in entry) throw new TypeError(`${entry.path}: ${entry.reason}`);
  expect(tree.version).toBe(version);
  return entry;
}

describe('Entries that are written straight from their bytes', () => {
  it('are packed byte for byte as all others are, and what they cannot be is left as it was', () => {
    let count = 0;
    let direct = 0;
    fc.assert(
      fc.property(fc.array(objectOf(SCHEMA), { minLength: 1, maxLength: 5 }), (all) => {
        const rows = new RowPacker();
        const writer = new DirectWriter(startedTree(), rows);
        const taken: WrittenEntry[] = [];
        for (const text of all) {
          const before = rows.count;
          if (writer.write(text)) {
            const entry = writtenEntry(text);
            expect(entry).toMatchObject({ repeatedRow: null, mayHaveSeparator: false, key: writer.key });
            taken.push(entry);
          }
          expect(rows.count).toBe(taken.length);
          expect(rows.count - before).toBeLessThan(2);
        }
        count += all.length;
        direct += taken.length;
        if (taken.length === 0) return;
        const expected = packRows(
          taken.map(({ row }) => row),
          'plain',
        );
        const packed = rows.finish();
        expect(packed.count).toBe(expected.count);
        const shown = ({ columns }: typeof packed) =>
          [...columns].map(([slot, bytes]) => [slot, Buffer.from(bytes).toString()]).toSorted();
        expect(shown(packed)).toEqual(shown(expected));
      }),
      { numRuns: 3_000 },
    );
    expect(direct).toBeGreaterThan(count / 20);
  });

  it('are all that have a usual form, whatever the order of their fields', () => {
    const rows = new RowPacker();
    const writer = new DirectWriter(startedTree(), rows);
    const usual = [
      '{"id":"a","timestamp":1767830371894121,"text":"one","flat":[{"text":"é","inner":[{"truth":true}]}]}',
      '{"flat":{"inner":{"whole":-5,"text":"\\"quoted\\""},"text":null},"timestamp":"2026-01-01","text":""}',
      ' { "timestamp" : 1767830371894121 , "id" : "b", "texts": ["x", "y"], "real": 1.5, "found_real": 2 } ',
    ];
    expect(usual.map((text) => writer.write(text))).toEqual([true, true, true]);
    expect(rows.finish().count).toBe(3);
  });

  it('go on after one that was not', () => {
    const rows = new RowPacker();
    const writer = new DirectWriter(startedTree(), rows);
    const [good, bad] = ['{"timestamp":1,"text":"a"}', '{"timestamp":1,"text":"a","whole":"none"}'];
    expect([good, bad, good].map((text) => writer.write(text))).toEqual([true, false, true]);
    const entry = writtenEntry(good);
    expect(rows.finish().columns).toEqual(packRows([entry.row, entry.row], 'plain').columns);
  });
});
