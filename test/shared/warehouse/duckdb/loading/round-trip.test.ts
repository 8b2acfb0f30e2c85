import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TableSchemas, tableSchema } from '../../../../../shared/schema/table-schema.ts';
import { type LogFolder, logFolder } from './log-folder.ts';

let logs: LogFolder;
beforeAll(async () => {
  logs = await logFolder();
});
afterAll(() => logs.remove());

const TIMES = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
];
const DECLARED: TableSchemas = new Map([
  [
    'made_logs',
    tableSchema.parse([
      ...TIMES,
      { name: 'text', type: 'STRING' },
      { name: 'count', type: 'INTEGER' },
      { name: 'ratio', type: 'FLOAT' },
      { name: 'ok', type: 'BOOLEAN' },
      { name: 'tags', type: 'STRING', mode: 'REPEATED' },
      {
        name: 'metadata',
        type: 'RECORD',
        mode: 'REPEATED',
        fields: [
          { name: 'level', type: 'STRING' },
          {
            name: 'request',
            type: 'RECORD',
            mode: 'REPEATED',
            fields: [
              { name: 'path', type: 'STRING' },
              { name: 'sizes', type: 'INTEGER', mode: 'REPEATED' },
            ],
          },
        ],
      },
    ]),
  ],
]);
const UNDECLARED: TableSchemas = new Map([['made_logs', tableSchema.parse(TIMES)]]);

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const integer = fc.oneof(fc.maxSafeInteger(), fc.integer());

/** Entries in the form that the tables give back: every field is there, records are arrays. */
const entry = fc.record({
  id: text,
  timestamp: fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }).map((seconds) => seconds * 1_000_000),
  text: optional(text),
  count: optional(integer),
  ratio: optional(fc.double({ noNaN: true, noDefaultInfinity: true })),
  ok: optional(fc.boolean()),
  tags: fc.array(text, { maxLength: 3 }),
  metadata: fc.array(
    fc.record({
      level: text,
      request: fc.array(fc.record({ path: text, sizes: fc.array(integer, { maxLength: 3 }) }), {
        maxLength: 3,
      }),
    }),
    { maxLength: 3 },
  ),
});
/** Their times differ, so that there is one order to come back in. */
const entries = fc.uniqueArray(entry, {
  selector: ({ timestamp }) => timestamp,
  minLength: 1,
  maxLength: 20,
});

/** The entry without its nulls and empty arrays, and with an array of one record as that record. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element: unknown) => plain(element));
    return elements.length === 1 && typeof elements[0] === 'object' ? elements[0] : elements;
  }
  return typeof value === 'object' && value !== null ? withoutEmpty(value, plain) : value;
}

/** Without what an added field cannot distinguish from its absence: null, and an array of nothing. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => bare(element));
  return typeof value === 'object' && value !== null ? withoutEmpty(value, bare) : value;
}

function withoutEmpty(object: object, inner: (value: unknown) => unknown): object {
  const filled = Object.entries(object).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(filled.map(([name, value]) => [name, inner(value)]));
}

async function loadAndRead(written: readonly unknown[], schemas: TableSchemas): Promise<unknown[]> {
  await logs.write({ 'made_logs.ndjson': written.map((one) => JSON.stringify(one)).join('\n') });
  await logs.load({ schemas });
  const rows = await logs.texts(
    `SELECT epoch_us(timestamp)::VARCHAR, to_json(row)::VARCHAR FROM ${await logs.table('made_logs')} AS row
      ORDER BY timestamp`,
  );
  return rows.map(([micros, json]) => ({ ...JSON.parse(String(json)), timestamp: Number(micros) }));
}

/** In order of time, and as JSON has it, which knows no -0. */
function sorted<T extends { readonly timestamp: number }>(written: readonly T[]): T[] {
  return JSON.parse(JSON.stringify(written.toSorted((a, b) => a.timestamp - b.timestamp)));
}

test('entries come back as they went in, written in full or as plain objects', async () => {
  await fc.assert(
    fc.asyncProperty(entries, fc.boolean(), async (written, isPlain) => {
      const stored = await loadAndRead(isPlain ? written.map(plain) : written, DECLARED);
      expect(stored).toEqual(sorted(written));
    }),
    { numRuns: 50 },
  );
});

test('entries of which the schema knows nothing come back with the same values', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (written) => {
      const stored = await loadAndRead(written, UNDECLARED);
      expect(stored.map(bare)).toEqual(sorted(written).map(bare));
    }),
    { numRuns: 50 },
  );
});
