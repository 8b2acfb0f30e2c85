import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readStoredSchemas } from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { type LogFolder, logFolder, ndjson, SCHEMAS } from './log-folder.ts';

let logs: LogFolder;
beforeAll(async () => {
  logs = await logFolder();
});
afterAll(() => logs.remove());
beforeEach(() => logs.write({ 'edge_logs.ndjson': '' }));

async function loadValues(...values: readonly string[]) {
  const lines = values.map((json, index) => `{"timestamp":${index},"metadata":[{"added":${json}}]}`);
  await logs.write({ 'edge_logs.ndjson': lines.join('\n') });
  return (await logs.load()).sources.get('edge_logs');
}

describe('a field that the schema lacks is added with the type that holds all its values', () => {
  test.each<[values: string[], type: string, stored: (string | null)[]]>([
    [['"5"', '"2024-01-01"'], 'STRING', ['5', '2024-01-01']],
    [['""'], 'STRING', ['']],
    [['5', '-7'], 'INT64', ['5', '-7']],
    [['9007199254740993'], 'INT64', ['9007199254740993']],
    [['5.0', '1e3'], 'INT64', ['5', '1000']],
    [['1.5'], 'FLOAT64', ['1.5']],
    [['9223372036854775808'], 'FLOAT64', ['9.223372036854776e+18']],
    [['5', '1.5'], 'FLOAT64', ['5.0', '1.5']],
    [['true', 'false'], 'BOOL', ['true', 'false']],
    [['5', '"x"'], 'STRING', ['5', 'x']],
    [['9007199254740993', '"x"', '1.50', 'true'], 'STRING', ['9007199254740993', 'x', '1.5', 'true']],
    [['true', '5'], 'STRING', ['true', '5']],
    [['null', '5', 'null'], 'INT64', [null, '5', null]],
    [['[]', '5', '[]'], 'INT64', [null, '5', null]],
    [['[1]', 'null', '[]', '[2,2.5]'], 'ARRAY<FLOAT64>', ['[1.0]', '[]', '[]', '[2.0, 2.5]']],
    [['["a",1,true]'], 'ARRAY<STRING>', ['[a, 1, true]']],
    [['{"a":1}', '[]', 'null'], 'ARRAY<STRUCT<a INT64>>', ["[{'a': 1}]", '[]', '[]']],
    [
      ['{"a":1}', '[{"b":["x"]},{"a":2.5}]', '{}'],
      'ARRAY<STRUCT<a FLOAT64, b ARRAY<STRING>>>',
      ["[{'a': 1.0, 'b': []}]", "[{'a': NULL, 'b': [x]}, {'a': 2.5, 'b': []}]", "[{'a': NULL, 'b': []}]"],
    ],
    [
      ['{"a":{"b":{"c":1}}}'],
      'ARRAY<STRUCT<a ARRAY<STRUCT<b ARRAY<STRUCT<c INT64>>>>>>',
      ["[{'a': [{'b': [{'c': 1}]}]}]"],
    ],
  ])('%j is %s', async (values, type, stored) => {
    const report = await loadValues(...values);
    expect(report?.addedFields).toEqual([{ path: 'metadata.added', type }]);
    const rows = await logs.texts(
      `SELECT metadata[1].added::VARCHAR FROM ${await logs.table('edge_logs')} ORDER BY timestamp`,
    );
    expect(rows.flat()).toEqual(stored);
  });

  test.each([[['null', 'null']], [['[]', 'null']], [['{}']], [['[{}]', '{"a":null}', '{"a":[]}']]])(
    '%j adds nothing',
    async (values) => {
      expect((await loadValues(...values))?.addedFields).toEqual([]);
      expect(await logs.rows('edge_logs')).toHaveLength(values.length);
    },
  );

  test('its name is compared without regard to case and keeps its first spelling', async () => {
    await logs.write({ 'edge_logs.ndjson': ndjson({ userName: 'a' }, { USERNAME: 'b' }, { username: 'c' }) });
    const report = await logs.load();
    expect(report.sources.get('edge_logs')?.addedFields).toEqual([{ path: 'userName', type: 'STRING' }]);
    expect(await logs.rows('edge_logs')).toMatchObject([
      { userName: 'a' },
      { userName: 'b' },
      { userName: 'c' },
    ]);
  });

  test('names with spaces, quotes and other letters can be added, and those of Object.prototype', async () => {
    const names = ["user's-agent", 'größe', '__proto__', 'constructor', 'toString', '1st'];
    const line = names.map((name) => `${JSON.stringify(name)}:"v"`).join(',');
    await logs.write({ 'edge_logs.ndjson': `{"timestamp":0,"metadata":{"h":{${line}}},${line}}` });
    const report = await logs.load();
    expect(report.sources.get('edge_logs')?.addedFields.map(({ path }) => path)).toEqual([
      'metadata.h',
      ...names,
    ]);
    const columns = await logs.texts(
      `SELECT column_name FROM (DESCRIBE SELECT * FROM ${await logs.table('edge_logs')})`,
    );
    expect(columns.flat()).toEqual(['id', 'timestamp', 'metadata', ...names]);
  });
});

describe('a value that no added type can hold makes its entry malformed', () => {
  test.each<[values: string[], line: number, problem: string]>([
    [['5', '{"a":1}'], 2, 'metadata.added: an object where earlier entries have a single value'],
    [['{"a":1}', '5'], 2, 'metadata.added: a number where earlier entries have an object'],
    [['{"a":1}', '["x"]'], 2, 'metadata.added: an array where earlier entries have an object'],
    [['5', '[5]'], 2, 'metadata.added: an array where earlier entries have a single value'],
    [['[5]', '5'], 2, 'metadata.added: a number where earlier entries have an array'],
    [['[1,{}]'], 1, 'metadata.added: an array that mixes objects with other values'],
    [['[[1]]'], 1, 'metadata.added: an array in an array'],
    [['[1,null]'], 1, 'metadata.added: null in an array'],
    [['{"":1}'], 1, "metadata.added: a field's name must have 1 to 300 characters"],
    [[`{"${'a'.repeat(301)}":1}`], 1, "a field's name must have 1 to 300 characters"],
    [['{"a.b":1}'], 1, `metadata.added.a.b: a field's name cannot have the character "."`],
    [[`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`], 1, 'records cannot be nested more than 15 levels deep'],
  ])('%j', async (values, line, problem) => {
    await expect(loadValues(...values)).rejects.toThrow(`edge_logs.ndjson, line ${line}: `);
    await expect(loadValues(...values)).rejects.toThrow(problem);
  });

  test('entries add no field to a table that has a thousand', async () => {
    const fields = Array.from({ length: 1000 }, (_, index) => [`f${index}`, index]);
    await expect(loadValues(JSON.stringify(Object.fromEntries(fields)))).rejects.toThrow(
      'a new field, but entries add none to a table that has 1000 columns and nested fields',
    );
  });

  test('an entry that is skipped adds no field and widens none', async () => {
    await logs.write({
      'edge_logs.ndjson': ndjson(
        { metadata: { kept: 1 } },
        { metadata: { kept: 'x', lost: 1, status: 'no number' } },
        { metadata: { late: { a: 1 }, status: {} } },
        { metadata: { kept: 2 } },
      ),
    });
    const report = await logs.load({ skipInvalid: true });
    expect(report.sources.get('edge_logs')).toMatchObject({
      rows: 2,
      skipped: 2,
      addedFields: [{ path: 'metadata.kept', type: 'INT64' }],
    });
  });
});

describe('fields that come late', () => {
  const padding = 'x'.repeat(100_000);
  const early = Array.from({ length: 60 }, (_, index) => ({ metadata: { n: index, padding } }));

  test('are in the entries before them too, and every array is there', async () => {
    await logs.write({
      'edge_logs.ndjson': ndjson(...early, { metadata: { n: 0.5, list: [1], more: { a: 'b' } } }),
    });
    const totals: number[] = [];
    const report = await logs.load({
      progress: ({ source, phase, bytesRead, totalBytes }) => {
        if (source === 'edge_logs' && phase === 'done') totals.push(bytesRead, totalBytes);
      },
    });
    expect(report.sources.get('edge_logs')).toMatchObject({
      rows: 61,
      addedFields: [
        { path: 'metadata.n', type: 'FLOAT64' },
        { path: 'metadata.padding', type: 'STRING' },
        { path: 'metadata.list', type: 'ARRAY<INT64>' },
        { path: 'metadata.more', type: 'ARRAY<STRUCT<a STRING>>' },
      ],
    });
    expect(totals[0]).toBe(totals[1]);
    const sql = `SELECT count(*)::VARCHAR, sum(metadata[1].n)::VARCHAR,
      count(metadata[1].list)::VARCHAR, count(metadata[1].more)::VARCHAR FROM ${await logs.table('edge_logs')}`;
    expect(await logs.texts(sql)).toEqual([['61', '1770.5', '61', '61']]);
  });

  test('are kept with the tables, as GoogleSQL types', async () => {
    await logs.write({ 'edge_logs.ndjson': ndjson({ extra: 1, metadata: { deep: 'x' } }) });
    const report = await logs.load();
    expect(report.schemas.get('edge_logs')).toEqual([
      ...(SCHEMAS.get('edge_logs')?.slice(0, 2) ?? []),
      {
        name: 'metadata',
        type: 'STRUCT',
        mode: 'REPEATED',
        fields: [
          { name: 'status', type: 'INT64', mode: 'NULLABLE', fields: [] },
          { name: 'deep', type: 'STRING', mode: 'NULLABLE', fields: [] },
        ],
      },
      { name: 'extra', type: 'INT64', mode: 'NULLABLE', fields: [] },
    ]);
    expect(await readStoredSchemas(logs.store)).toEqual(report.schemas);
  });
});
