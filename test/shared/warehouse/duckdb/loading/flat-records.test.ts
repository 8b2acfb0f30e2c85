import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TableSchemas, tableSchema } from '../../../../../shared/schema/table-schema.ts';
import { fieldType } from '../../../../../shared/sql/analyzer/resolve-table.ts';
import { quoteIdentifier } from '../../../../../shared/warehouse/duckdb/quote.ts';
import {
  REPEATED_COLUMN,
  type TableLayout,
  textColumn,
} from '../../../../../shared/warehouse/duckdb/store/layout.ts';
import { tableName } from '../../../../../shared/warehouse/duckdb/store/log-tables.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../../../../../shared/warehouse/duckdb/store/time-ranges.ts';
import { identifier } from '../../../../../shared/warehouse/duckdb/translate/duck/sql.ts';
import { encodeRow } from '../../../../../shared/warehouse/duckdb/translate/encode-row.ts';
import { logicalTable, repeatedEntries } from '../store/support/logical-table.ts';
import { type LogFolder, logFolder, ndjson, SCHEMAS } from './log-folder.ts';

let flat: LogFolder;
let nested: LogFolder;
beforeAll(async () => {
  flat = await logFolder();
  nested = await logFolder();
});
afterAll(async () => {
  await flat.remove();
  await nested.remove();
});

const field = (name: string, type: string, mode = 'NULLABLE') => ({ name, type, mode });

async function load(files: Readonly<Record<string, string>>, schemas: TableSchemas = SCHEMAS): Promise<void> {
  for (const [logs, records] of [
    [flat, 'flat'],
    [nested, 'nested'],
  ] as const) {
    await logs.write(files);
    await logs.load({ schemas, records });
  }
}

async function layoutOf(source: string): Promise<TableLayout | undefined> {
  return (await readLayouts(flat.store)).get(source);
}

async function tablesOf(logs: LogFolder): Promise<(string | null)[]> {
  const rows = await logs.texts(
    `SELECT table_name FROM duckdb_tables() WHERE NOT internal AND table_name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY 1`,
  );
  return rows.map(([name]) => name ?? null);
}

/** The entries in the shape of the schema, by their id. */
async function entriesOf(logs: LogFolder, source: string): Promise<(string | null)[][]> {
  const table = await logicalTable(logs.store, source);
  return logs.texts(`SELECT to_json(entry)::VARCHAR FROM ${table} AS entry ORDER BY timestamp, id`);
}

/** What answers have of each entry's record columns: as the texts that are kept have it, and as it is encoded from lists. */
async function textsOf(source: string): Promise<{ kept: unknown[][]; encoded: unknown[][] }> {
  const schema = (await readStoredSchemas(nested.store)).get(source) ?? [];
  const records = schema.filter(({ type }) => type === 'STRUCT');
  const kept = records.map(({ name }) => quoteIdentifier(textColumn(name))).join(', ');
  const table = tableName(source);
  const ofAll = `SELECT timestamp, id, ${kept} FROM ${table}`;
  const layout = await layoutOf(source);
  // Entries with a record twice have their texts in both tables.
  const selects = layout?.hasRepeated
    ? [
        `${ofAll} WHERE NOT ${quoteIdentifier(REPEATED_COLUMN)}`,
        `(SELECT timestamp, id, ${kept} FROM ${repeatedEntries(source, layout)} INTERSECT ALL ${ofAll})`,
      ]
    : [ofAll];
  const encoded = records.map((record) => {
    const { name } = record;
    return encodeRow([{ name, type: fieldType(record), sql: identifier(name) }]).sql.text();
  });
  const whole = (row: (string | null)[]) =>
    row.map((text, index) => `{${JSON.stringify(records[index]?.name)}:${text}}`);
  const rows = await flat.texts(
    `SELECT * EXCLUDE (timestamp, id) FROM (${selects.join(' UNION ALL ')} ORDER BY timestamp, id)`,
  );
  return {
    kept: rows.map(whole),
    encoded: await nested.texts(
      `SELECT ${encoded.join(', ')} FROM ${tableName(source)} ORDER BY timestamp, id`,
    ),
  };
}

describe('a source whose entries have each record once', () => {
  test('has a column for each field and for whether there is the record, and nothing beside it', async () => {
    await load({
      'app_logs.ndjson': ndjson(
        { metadata: [{ level: 'info', request: { method: 'GET', headers: [] } }], owner: { name: 'a' } },
        { metadata: { level: 'error', request: [] } },
        { metadata: [{}] },
        {},
      ),
    });
    expect(await tablesOf(flat)).toEqual(['app_logs', 'edge_logs']);
    expect(
      await flat.texts(`SELECT "owner?"::VARCHAR, "owner.name", "owner$", "metadata?"::VARCHAR, "metadata.level",
        "metadata.request?"::VARCHAR, "metadata.request.method", "metadata.request.headers?"::VARCHAR
        FROM logs.main.app_logs ORDER BY rowid`),
    ).toEqual([
      ['true', 'a', '{"name":"a"}', 'true', 'info', 'true', 'GET', 'false'],
      ['false', null, 'null', 'true', 'error', 'false', null, 'false'],
      ['false', null, 'null', 'true', null, 'false', null, 'false'],
      ['false', null, 'null', 'false', null, 'false', null, 'false'],
    ]);
    expect(await layoutOf('app_logs')).toEqual({
      hasRepeated: false,
      flat: new Map([
        ['owner', 'sometimes'],
        ['metadata', 'sometimes'],
        ['metadata.request', 'sometimes'],
        ['metadata.request.headers', 'never'],
      ]),
    });
  });

  test('a record that all entries have is known for that, if its fields are NULL', async () => {
    await load({ 'edge_logs.ndjson': ndjson({ metadata: {} }, { metadata: [{ status: null }] }) });
    expect(await layoutOf('edge_logs')).toEqual({
      hasRepeated: false,
      flat: new Map([['metadata', 'always']]),
    });
  });

  test('a source without entries has no records', async () => {
    await load({ 'edge_logs.ndjson': '' });
    expect((await layoutOf('edge_logs'))?.flat).toEqual(new Map([['metadata', 'never']]));
    expect(await entriesOf(flat, 'edge_logs')).toEqual([]);
  });

  test('added records are columns too, whatever their names are', async () => {
    await load({
      'edge_logs.ndjson': ndjson(
        { "it's": { 'a-b': { Ünit: [{ 'x y': 1 }], unit: [] } }, 'per cent %': [{ '': 0 }].slice(1) },
        { metadata: { Status: 3, more: [{ LEVEL: 'x' }] } },
        { metadata: { more: { level: 'y', 'a:b': { '#': [1, 2] } } } },
        JSON.parse('{"__proto__":{"constructor":1}}'),
      ),
    });
    expect([...((await layoutOf('edge_logs'))?.flat.keys() ?? [])]).toEqual([
      'metadata',
      'metadata.more',
      'metadata.more.a:b',
      "it's",
      "it's.a-b",
      "it's.a-b.Ünit",
      '__proto__',
    ]);
    expect(await entriesOf(flat, 'edge_logs')).toEqual(await entriesOf(nested, 'edge_logs'));
    const { kept, encoded } = await textsOf('edge_logs');
    expect(kept).toEqual(encoded);
  });

  test('records lie in records 15 levels deep', async () => {
    const deep = (levels: number): object =>
      levels === 0 ? { leaf: 'x' } : { leaf: levels, record: deep(levels - 1) };
    await load({ 'edge_logs.ndjson': ndjson({ deep: deep(14) }, { deep: deep(3) }, {}) });
    expect((await layoutOf('edge_logs'))?.flat.size).toBe(16);
    expect(await entriesOf(flat, 'edge_logs')).toEqual(await entriesOf(nested, 'edge_logs'));
  });
});

describe('an entry that has a record twice', () => {
  const TWICE = { metadata: [{ status: 1 }, { status: 2 }] };

  test('lies in the table beside the source’s as well, with a row for each element and the list in the first', async () => {
    await load({
      'edge_logs.ndjson': ndjson({ metadata: { status: 5 } }, TWICE, { metadata: [] }, TWICE),
    });
    expect(await tablesOf(flat)).toEqual(['app_logs', 'edge_logs', 'edge_logs$repeated']);
    expect(
      await flat.texts(
        'SELECT id, "metadata?"::VARCHAR, "metadata.status"::VARCHAR, "metadata$", "$repeated"::VARCHAR FROM logs.main.edge_logs ORDER BY rowid',
      ),
    ).toEqual([
      ['e0', 'true', '5', '[{"status":5}]', 'false'],
      ['e1', 'false', null, '[{"status":1},{"status":2}]', 'true'],
      ['e2', 'false', null, '[]', 'false'],
      ['e3', 'false', null, '[{"status":1},{"status":2}]', 'true'],
    ]);
    const whole = ["[{'status': 1}, {'status': 2}]", '[{"status":1},{"status":2}]'];
    expect(
      await flat.texts(`SELECT id, "metadata?"::VARCHAR, "metadata.status"::VARCHAR, "$offset"::VARCHAR,
        metadata::VARCHAR, "metadata$" FROM logs.main."edge_logs$repeated" ORDER BY rowid`),
    ).toEqual([
      ['e1', 'true', '1', '0', ...whole],
      ['e1', 'true', '2', '1', null, null],
      ['e3', 'true', '1', '0', ...whole],
      ['e3', 'true', '2', '1', null, null],
    ]);
    expect(await layoutOf('edge_logs')).toEqual({
      hasRepeated: true,
      flat: new Map([['metadata', 'sometimes']]),
      flatRepeated: new Map(),
      onlyRepeated: 'metadata',
      elements: new Map([['metadata', new Map([['metadata', 'always']])]]),
      sharesElements: true,
    });
  });

  test('keeps its other records as columns in both tables', async () => {
    const part = { name: 'a', notes: [{ text: 'b' }] };
    await load({
      'edge_logs.ndjson': ndjson(
        {
          metadata: { level: 'x', part: [part, { name: 'c' }], request: { method: 'GET' } },
          owner: { name: 'e' },
        },
        { metadata: { part }, owner: { name: 'd' } },
      ),
    });
    const layout = await layoutOf('edge_logs');
    expect([...(layout?.flat.keys() ?? [])]).toEqual([
      'metadata',
      'metadata.part',
      'metadata.part.notes',
      'metadata.request',
      'owner',
    ]);
    expect(layout?.onlyRepeated).toBe('metadata.part');
    expect(layout?.flatRepeated).toEqual(
      new Map([
        ['metadata', 'always'],
        ['metadata.request', 'always'],
        ['owner', 'always'],
      ]),
    );
    expect(
      await flat.texts(`SELECT "metadata.level", "metadata.request.method", "metadata.part?"::VARCHAR,
        "metadata.part.name", "metadata.part.notes?"::VARCHAR FROM logs.main.edge_logs ORDER BY "$repeated"`),
    ).toEqual([
      [null, null, 'true', 'a', 'true'],
      ['x', 'GET', 'false', null, 'false'],
    ]);
    expect(
      await flat.texts(`SELECT "metadata.level", "metadata.request.method", len("metadata.part")::VARCHAR, "owner?"::VARCHAR
        FROM logs.main."edge_logs$repeated" WHERE "$offset" = 0`),
    ).toEqual([['x', 'GET', '2', 'true']]);
    expect(await entriesOf(flat, 'edge_logs')).toEqual(await entriesOf(nested, 'edge_logs'));
    const { kept, encoded } = await textsOf('edge_logs');
    expect(kept).toEqual(encoded);
  });

  test('is noted where all of them have the same one twice, and not where one in it is', async () => {
    await load({
      'edge_logs.ndjson': ndjson({ metadata: [{ more: [{ x: 1 }, { x: 2 }] }] }, { metadata: [{}, {}] }),
    });
    expect(await layoutOf('edge_logs')).not.toHaveProperty('onlyRepeated');
    expect(await entriesOf(flat, 'edge_logs')).toEqual(await entriesOf(nested, 'edge_logs'));
  });

  test('has a row for each element of the record, with what else the entry has', async () => {
    await load({
      'edge_logs.ndjson': ndjson(
        {
          metadata: {
            level: 'x',
            tags: ['t'],
            part: [{ name: 'a', notes: [{ text: 'n' }] }, { name: 'b' }, {}],
          },
        },
        { metadata: { level: 'y', part: { name: 'c' } } },
      ),
    });
    expect(
      await flat.texts(`SELECT id, "metadata.level", "metadata.tags"::VARCHAR, "metadata.part?"::VARCHAR, "metadata.part.name",
        "metadata.part.notes?"::VARCHAR, "metadata.part.notes.text", "$offset"::VARCHAR
        FROM logs.main."edge_logs$repeated" ORDER BY rowid`),
    ).toEqual([
      ['e0', 'x', '[t]', 'true', 'a', 'true', 'n', '0'],
      ['e0', 'x', '[t]', 'true', 'b', 'false', null, '1'],
      ['e0', 'x', '[t]', 'true', null, 'false', null, '2'],
    ]);
    expect((await layoutOf('edge_logs'))?.elements).toEqual(
      new Map([
        [
          'metadata.part',
          new Map([
            ['metadata', 'always'],
            ['metadata.part', 'always'],
            ['metadata.part.notes', 'sometimes'],
          ]),
        ],
      ]),
    );
  });

  const parts = (count: number) => Array.from({ length: count }, (_, part) => ({ part }));
  test.each([
    [
      'two records, of each',
      [
        { a: parts(2), b: parts(1) },
        { a: parts(2), b: parts(3) },
      ],
      ['metadata.a', 'metadata.b'],
    ],
    ['a record in another one that is, of none', [{ a: { in: parts(2) } }, { a: parts(2) }], []],
    ['a record only in elements of another one, of none', [{ a: [{ in: parts(2) }, {}] }], []],
    ['a record with four elements on average, of it', [{ a: parts(6) }, { a: parts(2) }], ['metadata.a']],
    ['a record with more elements, of none', [{ a: parts(7) }, { a: parts(2) }], []],
    ['both the whole and a part in turn, of none', [[{ a: parts(1) }, {}], { a: parts(2) }], []],
  ])('has rows for elements where entries have twice %s', async (_, metadata, expected) => {
    await load({ 'edge_logs.ndjson': ndjson(...metadata.map((one) => ({ metadata: one }))) });
    const layout = await layoutOf('edge_logs');
    expect(layout?.hasRepeated).toBe(true);
    expect([...(layout?.elements?.keys() ?? [])].sort()).toEqual(expected);
    // Of one record, they are in the table of the entries.
    expect(layout?.sharesElements).toBe(expected.length === 1 ? true : undefined);
    expect((await tablesOf(flat)).filter((name) => name?.includes('$elements'))).toEqual(
      expected.length === 1 ? [] : expected.map((record) => `edge_logs$elements.${record}`),
    );
    expect(await entriesOf(flat, 'edge_logs')).toEqual(await entriesOf(nested, 'edge_logs'));
  });

  test('is looked for in all entries where several records are twice, and tables of elements have one of these alone', async () => {
    await load({
      'edge_logs.ndjson': ndjson(
        { metadata: { a: parts(2), b: parts(1) } },
        { metadata: { a: parts(1), b: parts(2) } },
        { metadata: { a: parts(1), b: parts(1) } },
      ),
    });
    const { flat: records } = (await layoutOf('edge_logs')) ?? {};
    expect([records?.get('metadata'), records?.get('metadata.a')]).toEqual(['always', 'sometimes']);
    expect(
      await flat.texts(
        `SELECT "metadata.a?"::VARCHAR, "metadata.b?"::VARCHAR, "metadata.b.part"::VARCHAR FROM logs.main."edge_logs$elements.metadata.a"`,
      ),
    ).toEqual([
      ['true', 'false', null],
      ['true', 'false', null],
    ]);
  });

  test('counts with the others in the ranges of time and the report', async () => {
    const at = (second: number) => new Date(Date.UTC(2024, 0, 1, 0, 0, second)).toISOString();
    await flat.write({
      'edge_logs.ndjson': ndjson(
        { timestamp: at(10), ...TWICE },
        { timestamp: at(20) },
        { timestamp: at(30), ...TWICE },
      ),
    });
    const { sources } = await flat.load({ records: 'flat' });
    expect(sources.get('edge_logs')?.rows).toBe(3);
    const range = (await readTimeRanges(flat.store, SCHEMAS)).get('edge_logs');
    expect(range).toEqual({
      firstMicros: BigInt(Date.parse(at(10))) * 1000n,
      lastMicros: BigInt(Date.parse(at(30))) * 1000n,
    });
  });

  const eachTwice = (...ids: string[]) => ids.flatMap((id) => [[id], [id]]);
  test.each([
    ['in order', [1, 2, 3, 4, 5, 6]],
    ['out of order', [4, 6, 1, 3, 2, 5]],
  ])('is in order of time in its table when entries come %s', async (_order, seconds) => {
    const entries = seconds.map((second) => ({
      id: `s${second}`,
      timestamp: new Date(Date.UTC(2024, 0, 1, 0, 0, second)).toISOString(),
      ...(second % 2 === 0 ? TWICE : {}),
    }));
    await load({ 'edge_logs.ndjson': ndjson(...entries) });
    const ids = (table: string) => flat.texts(`SELECT id FROM logs.main."${table}" ORDER BY rowid`);
    expect(await ids('edge_logs')).toEqual([['s1'], ['s2'], ['s3'], ['s4'], ['s5'], ['s6']]);
    expect(await ids('edge_logs$repeated')).toEqual(eachTwice('s2', 's4', 's6'));
  });

  test('is in order of time in its table when disorder shows only late', async () => {
    const filler = 'x'.repeat(1_500_000);
    const entries = [5, 6, 7, 8, 1, 2].map((second) => ({
      id: `s${second}`,
      timestamp: new Date(Date.UTC(2024, 0, 1, 0, 0, second)).toISOString(),
      filler,
      ...(second % 2 === 0 ? TWICE : {}),
    }));
    const schema = [...(SCHEMAS.get('edge_logs') ?? []), ...tableSchema.parse([field('filler', 'STRING')])];
    await load({ 'edge_logs.ndjson': ndjson(...entries) }, new Map([['edge_logs', schema]]));
    const ids = (table: string) => flat.texts(`SELECT id FROM logs.main."${table}" ORDER BY rowid`);
    expect(await ids('edge_logs')).toEqual([['s1'], ['s2'], ['s5'], ['s6'], ['s7'], ['s8']]);
    expect(await ids('edge_logs$repeated')).toEqual(eachTwice('s2', 's6', 's8'));
  });

  test('leaves with the load that replaces it', async () => {
    await load({ 'edge_logs.ndjson': ndjson(TWICE) });
    expect(await tablesOf(flat)).toEqual(['app_logs', 'edge_logs', 'edge_logs$repeated']);
    await load({ 'edge_logs.ndjson': ndjson({}) });
    expect(await tablesOf(flat)).toEqual(['app_logs', 'edge_logs']);
    expect((await layoutOf('edge_logs'))?.hasRepeated).toBe(false);
  });

  test('is refused like others, with nothing of it left', async () => {
    await flat.write({
      'edge_logs.ndjson': ndjson(
        { id: 'good' },
        { metadata: [{ status: 1, fresh: 1 }, { status: 'bad' }] },
        { metadata: [{ status: 1 }, { twice: 1, TWICE: 2 }] },
      ),
    });
    const { sources, schemas } = await flat.load({ records: 'flat', skipInvalid: true });
    expect(sources.get('edge_logs')).toMatchObject({ rows: 1, skipped: 2, addedFields: [] });
    expect(sources.get('edge_logs')?.skippedFiles[0]?.first).toMatch(
      /line 2: metadata\.status: a string does not fit INT64$/,
    );
    expect(schemas.get('edge_logs')).toEqual(SCHEMAS.get('edge_logs'));
  });
});

describe('a record that many entries have twice', () => {
  const entries = (count: number, isTwice: (index: number) => boolean) =>
    Array.from({ length: count }, (_, index) => ({
      metadata: { status: index, parts: isTwice(index) ? [{ part: 1 }, { part: 2 }] : [{ part: 3 }] },
    }));

  test.each([
    [
      'kept as a list by 1,001 of 5,000 entries, and what it lies in is not',
      5_000,
      (i: number) => i < 1_001,
      ['metadata'],
    ],
    ['flat where they are 20 %', 5_000, (i: number) => i < 1_000, ['metadata', 'metadata.parts']],
    ['flat where they are fewer than 1,000', 999, () => true, ['metadata', 'metadata.parts']],
  ])('is %s', async (_outcome, count, isTwice, expected) => {
    await load({ 'edge_logs.ndjson': ndjson(...entries(count, isTwice)) });
    const layout = await layoutOf('edge_logs');
    expect([...(layout?.flat.keys() ?? [])]).toEqual(expected);
    expect(layout?.hasRepeated).toBe(expected.length === 2);
    expect(await entriesOf(flat, 'edge_logs')).toEqual(await entriesOf(nested, 'edge_logs'));
    const { kept, encoded } = await textsOf('edge_logs');
    expect(kept).toEqual(encoded);
  });

  test('is judged together with others: the most frequent one is kept as a list', async () => {
    const two = (of: string) => ({ metadata: { [of]: [{ x: 1 }, { x: 2 }] } });
    await load({
      'edge_logs.ndjson': ndjson(
        ...Array.from({ length: 5_000 }, (_, i) => (i % 10 === 0 ? two('a') : i % 10 < 3 ? two('b') : {})),
      ),
    });
    expect([...((await layoutOf('edge_logs'))?.flat.keys() ?? [])]).toEqual(['metadata', 'metadata.a']);
    expect(await entriesOf(flat, 'edge_logs')).toEqual(await entriesOf(nested, 'edge_logs'));
  });
});

const SCALARS = [
  'STRING',
  'BYTES',
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'BIGNUMERIC',
  'BOOL',
  'DATETIME',
  'DATE',
  'TIME',
] as const;
const EXACT_SCALARS = [...SCALARS, 'TIMESTAMP', 'JSON'] as const;

/** Records in records with a field and an array of each type. */
function recordsOf(types: readonly string[]): TableSchemas {
  const leaves = types.flatMap((type) => [
    field(`one_${type}`, type),
    field(`many_${type}`, type, 'REPEATED'),
  ]);
  const inner = { ...field('inner', 'RECORD', 'REPEATED'), fields: leaves };
  const schema = tableSchema.parse([
    field('id', 'STRING'),
    field('timestamp', 'TIMESTAMP'),
    { ...field('metadata', 'RECORD', 'REPEATED'), fields: [...leaves, inner] },
    { ...field('owner', 'RECORD'), fields: [...leaves, inner] },
  ]);
  return new Map([['made_logs', schema]]);
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => text.isWellFormed()),
  fc.constantFrom('a"b', 'a\\b', '/\u007f\u2028\u0000\u001f', '12345678901234567890', ':NaN', '😀'),
);
const micros = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n });
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.constantFrom('', '.5', '.000', '.000001', '.120'))
  .map(([h, m, s, rest]) => `${[h, m, s].map((part) => String(part).padStart(2, '0')).join(':')}${rest}`);
const day = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const decimal = fc
  .tuple(fc.boolean(), fc.nat(999_999_999), fc.constantFrom('', '.0', '.10', '.000000001', '.5'))
  .map(([isNegative, whole, rest]) => `${isNegative ? '-' : ''}${whole}${rest}`);
/** JSON texts; numbers beyond what a double holds are among them. */
const VALUES: Readonly<Record<(typeof EXACT_SCALARS)[number], fc.Arbitrary<string>>> = {
  STRING: anyText.map((text) => JSON.stringify(text)),
  BYTES: fc.uint8Array({ maxLength: 6 }).map((bytes) => `"${Buffer.from(bytes).toString('base64')}"`),
  INT64: fc
    .oneof(
      fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
      fc.bigInt(2n ** 53n - 2n, 2n ** 53n + 2n),
      fc.bigInt(-9n, 9n),
    )
    .map(String),
  FLOAT64: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.constantFrom('-0.0', '1', '1e21', '1e20', '100', '123456789012345680', '5e-324', '0.1e1'),
  ),
  NUMERIC: fc.oneof(
    decimal,
    decimal.map((text) => `"${text}"`),
    fc.constantFrom('-0', '"-0.000"', '1e3'),
  ),
  BIGNUMERIC: fc.oneof(decimal, fc.constant('"99999999999999999999.999999999999999999"')),
  BOOL: fc.boolean().map(String),
  DATETIME: fc.tuple(day, clock).map(([date, time]) => `"${date}T${time}"`),
  DATE: day.map((date) => `"${date}"`),
  TIME: clock.map((time) => `"${time}"`),
  TIMESTAMP: micros.map(String),
  JSON: fc.oneof(
    fc.json({ maxDepth: 2 }),
    fc.constantFrom('1.50', '1e5', '12345678901234567890123', '{"a":[null,-0.0,1E400]}', '"x"'),
  ),
};

/** A record's JSON text: fields that are missing, NULL and filled, in any order; arrays of each length. */
function recordText(types: readonly (typeof EXACT_SCALARS)[number][], levels: number): fc.Arbitrary<string> {
  const maybe = (text: fc.Arbitrary<string>) =>
    fc.option(fc.oneof({ weight: 4, arbitrary: text }, fc.constant('null')));
  const list = (text: fc.Arbitrary<string>) =>
    fc.array(text, { maxLength: 2 }).map((elements) => `[${elements.join(',')}]`);
  const fields = types.flatMap((type): [string, fc.Arbitrary<string | null>][] => [
    [`one_${type}`, maybe(VALUES[type].filter((text) => type !== 'JSON' || text !== 'null'))],
    [`many_${type}`, maybe(list(VALUES[type].filter((text) => text !== 'null')))],
  ]);
  if (levels > 1) fields.push(['inner', maybe(records(types, levels - 1))]);
  return fc
    .tuple(fc.tuple(...fields.map(([, text]) => text)), fc.shuffledSubarray(fields.map((_, index) => index)))
    .map(([texts, order]) => {
      const written = order.flatMap((index) => {
        const text = texts[index];
        return text === null || text === undefined ? [] : [`${JSON.stringify(fields[index]?.[0])}:${text}`];
      });
      return `{${written.join(',')}}`;
    });
}

function records(types: readonly (typeof EXACT_SCALARS)[number][], levels: number): fc.Arbitrary<string> {
  const one = recordText(types, levels);
  return fc.oneof(
    { weight: 3, arbitrary: one },
    { weight: 3, arbitrary: one.map((text) => `[${text}]`) },
    fc.constant('[]'),
    fc.constant('[{}]'),
    fc.tuple(one, one).map((texts) => `[${texts.join(',')}]`),
  );
}

describe.each([
  ['numbers that are mended in a row’s text', SCALARS],
  ['numbers that are encoded one by one', EXACT_SCALARS],
] as const)('entries with %s', (_kind, types) => {
  const entry = fc.tuple(fc.option(records(types, 2)), fc.option(recordText(types, 2)));
  const entries = fc.array(entry, { minLength: 1, maxLength: 12 });

  test('are the same in both layouts, and their texts are what answers have', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (made) => {
        const lines = made.map(([metadata, owner], index) => {
          const parts = [
            `"id":"e${index}","timestamp":${index}`,
            ...(metadata === null ? [] : [`"metadata":${metadata}`]),
            ...(owner === null ? [] : [`"owner":${owner}`]),
          ];
          return `{${parts.join(',')}}`;
        });
        await load({ 'made_logs.ndjson': lines.join('\n') }, recordsOf(types));
        expect(await entriesOf(flat, 'made_logs')).toEqual(await entriesOf(nested, 'made_logs'));
        const { kept, encoded } = await textsOf('made_logs');
        expect(kept).toEqual(encoded);
      }),
      { numRuns: 25 },
    );
  });
});
