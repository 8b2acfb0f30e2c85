import { describe, expect, test } from '@jest/globals';
import { messageWriter } from '../../../../shared/ingest/pubsub/message-writer.ts';
import { tableSchema } from '../../../../shared/schema/table-schema.ts';

const NOW = 1_767_225_600_000_000n;
const SCHEMA = tableSchema.parse([
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'event_message', type: 'STRING' },
  {
    name: 'metadata',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'count', type: 'INTEGER' },
      { name: 'ratio', type: 'FLOAT' },
      { name: 'cost', type: 'NUMERIC' },
      { name: 'ok', type: 'BOOLEAN' },
      { name: 'raw', type: 'BYTES' },
      { name: 'local', type: 'DATETIME' },
      { name: 'day', type: 'DATE' },
      { name: 'clock', type: 'TIME' },
      { name: 'any', type: 'JSON' },
      { name: 'tags', type: 'STRING', mode: 'REPEATED' },
      { name: 'request', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'path', type: 'STRING' }] },
      { name: 'single', type: 'RECORD', fields: [{ name: 'a', type: 'STRING' }] },
    ],
  },
]);

const write = (text: string) => messageWriter(SCHEMA, () => NOW)(text, 3);
const entry = (metadata: unknown) => JSON.stringify({ id: 'a', timestamp: '2026-01-01', metadata });

describe('messageWriter', () => {
  test('writes times in ISO 8601 and records as arrays', () => {
    expect(write('{"id":1,"timestamp":1767225600123456,"metadata":{"request":{"path":"/"}}}')).toBe(
      '{"id":"1","timestamp":"2026-01-01T00:00:00.123456Z","metadata":[{"request":[{"path":"/"}]}]}',
    );
  });

  test.each<[string, unknown, string]>([
    ['whole numbers', { count: 5 }, '{"count":5}'],
    ['other numbers', { ratio: 0.5 }, '{"ratio":0.5}'],
    ['decimal numbers', { cost: 1.25 }, '{"cost":"1.25"}'],
    ['booleans', { ok: true }, '{"ok":true}'],
    ['bytes', { raw: 'AQID' }, '{"raw":"AQID"}'],
    ['dates with times', { local: '2026-01-01 10:00:00.5' }, '{"local":"2026-01-01T10:00:00.500000"}'],
    ['dates', { day: '2026-01-01' }, '{"day":"2026-01-01"}'],
    ['times of day', { clock: '10:00:00' }, '{"clock":"10:00:00"}'],
    ['JSON', { any: { a: [1] } }, String.raw`{"any":"{\"a\":[1]}"}`],
    ['lists', { tags: ['a', 'b'] }, '{"tags":["a","b"]}'],
    ['a record in an array', { single: [{ a: 'x' }] }, '{"single":{"a":"x"}}'],
    ['names in another case', { COUNT: 5 }, '{"count":5}'],
    ['nulls, which it leaves out', { count: null, tags: null }, '{}'],
    ['unknown fields, which it leaves out', { other: { deep: [1] } }, '{}'],
  ])('writes %s', (_, metadata, expected) => {
    expect(write(entry([metadata]))).toBe(
      `{"id":"a","timestamp":"2026-01-01T00:00:00Z","metadata":[${expected}]}`,
    );
  });

  test('keeps the digits of whole numbers that no double holds', () => {
    expect(write('{"id":"a","timestamp":"2026-01-01","metadata":{"count":9007199254740993}}')).toContain(
      '"count":9007199254740993',
    );
  });

  test.each([
    ['no timestamp', '{"id":"a"}', 'timestamp'],
    ['no id', '{"timestamp":"2026-01-01"}', 'id'],
    ['a time before the partitions', '{"id":"a","timestamp":"2010-01-01"}', 'timestamp'],
    ['a time after the partitions', '{"id":"a","timestamp":"2030-01-01"}', 'timestamp'],
    ['another type', entry({ count: 'many' }), 'metadata.count'],
    ['a scalar for a record', entry({ request: 'x' }), 'metadata.request'],
    ['a scalar for a list', entry({ tags: 'x' }), 'metadata.tags'],
    ['a record for a scalar', entry({ count: {} }), 'metadata.count'],
    ['two records for one', entry({ single: [{}, {}] }), 'metadata.single'],
    ['null in an array', entry([null]), 'metadata'],
    ['a field twice', '{"id":"a","id":"b","timestamp":1}', 'id'],
    ['a nested field twice', '{"id":"a","timestamp":1,"metadata":{"x":{"y":1,"y":2}}}', 'metadata.x.y'],
    ['text that is not JSON', '{"id":tru}', undefined],
  ])('refuses %s and names entry and field', (_, text, field) => {
    expect(() => write(text)).toThrow(
      expect.objectContaining({
        kind: 'invalid_argument',
        details: [{ entry: 3, ...(field === undefined ? {} : { field }), reason: expect.any(String) }],
      }),
    );
  });
});
