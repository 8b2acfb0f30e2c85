import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '../../../../../shared/errors/configuration-error.ts';
import { MAX_ENTRY_BYTES } from '../../../../../shared/warehouse/duckdb/loading/raw-entry.ts';
import { type LogFolder, logFolder } from './log-folder.ts';

let logs: LogFolder;
beforeAll(async () => {
  logs = await logFolder();
});
afterAll(() => logs.remove());
beforeEach(() => logs.write({ 'app_logs.ndjson': '' }));

const withValue = (field: string, json: string) =>
  `{"id":"a","timestamp":"2024-01-01T00:00:00Z",${JSON.stringify(field)}:${json}}`;

describe('a value that fits its column is stored exactly', () => {
  test.each<[field: string, json: string, expression: string, stored: string | null]>([
    [
      'event_message',
      '"naïve ☕ \\u0000\\n\\"\\\\ \\ud83d\\ude00"',
      'hex(event_message)',
      '6E61C3AF766520E298952000' + '0A225C20F09F9880',
    ],
    ['event_message', 'null', 'event_message', null],
    ['count', '12', 'count', '12'],
    ['count', '9007199254740993', 'count', '9007199254740993'],
    ['count', '-9223372036854775808', 'count', '-9223372036854775808'],
    ['count', '9223372036854775807', 'count', '9223372036854775807'],
    ['count', '5.0', 'count', '5'],
    ['count', '1e3', 'count', '1000'],
    ['count', '9007199254740993.0', 'count', '9007199254740993'],
    ['count', '900719925474099.3e1', 'count', '9007199254740993'],
    ['ratio', '12', 'ratio', '12.0'],
    ['ratio', '0.1', 'ratio', '0.1'],
    ['ratio', '-0.0', 'signbit(ratio)', 'true'],
    ['ratio', '1.7976931348623157e308', 'ratio', '1.7976931348623157e+308'],
    ['ratio', '5e-324', 'ratio', '5e-324'],
    ['ok', 'true', 'ok', 'true'],
    ['price', '12345678901234567890.123456789', 'price', '12345678901234567890.123456789'],
    ['price', '"-0.5"', 'price', '-0.500000000'],
    ['price', '12e-3', 'price', '0.012000000'],
    ['large', '0.000000000000000001', 'large', '0.000000000000000001'],
    ['raw', '"AP9h"', 'hex(raw)', '00FF61'],
    ['seen', '"2024-02-29T12:00:00.123456+02:00"', 'seen', '2024-02-29 10:00:00.123456'],
    ['seen', '253402300799999999', 'seen', '9999-12-31 23:59:59.999999'],
    ['seen', '-62135596800000000', 'epoch_us(seen)', '-62135596800000000'],
    ['local', '"2024-02-29T12:00:00.5"', 'local', '2024-02-29 12:00:00.5'],
    ['day', '"2024-02-29"', 'day', '2024-02-29'],
    ['clock', '"23:59:59.999999"', 'clock', '23:59:59.999999'],
    ['doc', '{"b":[1,null,{"a":9007199254740993}]}', 'doc', '{"b":[1,null,{"a":9007199254740993}]}'],
    ['doc', '"text"', 'doc', '"text"'],
    ['tags', '["a",""]', 'tags', "[a, '']"],
    ['tags', 'null', 'tags', '[]'],
    ['marks', '[1,9007199254740993]', 'marks', '[1, 9007199254740993]'],
    ['owner', '{"name":"ann"}', 'owner', "{'name': ann}"],
    ['owner', 'null', 'owner', null],
    ['EVENT_Message', '"by any case"', 'event_message', 'by any case'],
    ['metadata', '{"level":"info"}', 'metadata', "[{'level': info, 'request': []}]"],
    ['metadata', '[{"level":"info"}]', 'metadata', "[{'level': info, 'request': []}]"],
    ['metadata', 'null', 'metadata', '[]'],
    ['metadata', '[]', 'metadata', '[]'],
    ['metadata', '{}', 'metadata', "[{'level': NULL, 'request': []}]"],
    [
      'metadata',
      '{"request":{"method":"GET","headers":{"host":"a"}}}',
      'metadata',
      "[{'level': NULL, 'request': [{'method': GET, 'headers': [{'host': a}]}]}]",
    ],
    [
      'metadata',
      '[{"request":[{"headers":null}]},{"request":{"headers":[{},{"host":"b"}]}}]',
      'metadata',
      "[{'level': NULL, 'request': [{'method': NULL, 'headers': []}]}, " +
        "{'level': NULL, 'request': [{'method': NULL, 'headers': [{'host': NULL}, {'host': b}]}]}]",
    ],
  ])('%s: %s', async (field, json, expression, stored) => {
    await logs.write({ 'app_logs.ndjson': withValue(field, json) });
    await logs.load();
    const sql = `SELECT (${expression})::VARCHAR FROM ${await logs.table('app_logs')}`;
    expect(await logs.texts(sql)).toEqual([[stored]]);
  });

  test('a field that is missing is NULL, an array that is missing is empty', async () => {
    await logs.write({ 'app_logs.ndjson': withValue('event_message', '"x"') });
    await logs.load();
    expect(await logs.rows()).toMatchObject([
      { count: null, owner: null, tags: [], marks: [], metadata: [] },
    ]);
  });

  test('timestamps come in ISO 8601 or as microseconds', async () => {
    const lines = [
      '"2024-01-01T01:00:00+01:00"',
      '1704067200000001',
      '"2024-01-02"',
      '"2024-01-02 00:00:00.5"',
    ];
    await logs.write({
      'app_logs.ndjson': lines.map((json, index) => `{"id":"${index}","timestamp":${json}}`).join('\n'),
    });
    await logs.load();
    expect(await logs.texts('SELECT epoch_us(timestamp)::VARCHAR FROM logs.main.app_logs')).toEqual([
      ['1704067200000000'],
      ['1704067200000001'],
      ['1704153600000000'],
      ['1704153600500000'],
    ]);
  });
});

describe('an id that is a number is text, digit by digit', () => {
  test.each([
    ['12345', '12345'],
    ['0', '0'],
    ['-7', '-7'],
    ['9007199254740993', '9007199254740993'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['5.0', '5'],
    ['12e3', '12000'],
    ['"00012"', '00012'],
  ])('%s', async (json, id) => {
    await logs.write({ 'app_logs.ndjson': `{"id":${json},"timestamp":0}` });
    await logs.load();
    expect(await logs.texts('SELECT id FROM logs.main.app_logs')).toEqual([[id]]);
  });
});

describe('keys that are alike and are not one object’s', () => {
  test.each([
    ['in objects side by side', withValue('metadata', '[{"level":"a"},{"level":"a"}]')],
    ['in objects inside each other', withValue('doc', '{"a":{"a":{"a":[{"a":1},{"a":2}]}}}')],
    ['in texts', withValue('event_message', '"{\\"a\\":1,\\"a\\":2} \\\\"')],
    [
      'with white space after them',
      '{ "id" : "a" , "timestamp"\t:\t0 , "metadata" : [ { "level" : "x" } , { } ] }',
    ],
    ['beside text that begins with a colon', withValue('event_message', '":"')],
  ])('are no fault: %s', async (_, line) => {
    await logs.write({ 'app_logs.ndjson': line });
    await logs.load();
    expect(await logs.rows()).toHaveLength(1);
  });
});

describe('an entry that is malformed stops the load with file, line, field and reason', () => {
  test.each<[name: string, line: string | Buffer, problem: string]>([
    ['a string for INT64', withValue('count', '"12"'), 'count: a string does not fit INT64'],
    ['a fraction for INT64', withValue('count', '1.5'), 'count: 1.5 does not fit INT64, it is not whole'],
    [
      'one past INT64',
      withValue('count', '9223372036854775808'),
      'count: 9223372036854775808 does not fit INT64',
    ],
    ['a boolean for INT64', withValue('count', 'true'), 'count: a boolean does not fit INT64'],
    ['a number for STRING', withValue('event_message', '5'), 'event_message: a number does not fit STRING'],
    [
      'an object for STRING',
      withValue('event_message', '{}'),
      'event_message: an object does not fit STRING',
    ],
    [
      'an array for STRING',
      withValue('event_message', '["a"]'),
      'event_message: an array does not fit STRING',
    ],
    ['a string for FLOAT64', withValue('ratio', '"1"'), 'ratio: a string does not fit FLOAT64'],
    ['a number beyond FLOAT64', withValue('ratio', '1e400'), 'ratio: the number is too large for FLOAT64'],
    ['a string for BOOL', withValue('ok', '"true"'), 'ok: a string does not fit BOOL'],
    [
      'too many places for NUMERIC',
      withValue('price', '0.1234567891'),
      'price: 0.1234567891 does not fit NUMERIC',
    ],
    ['words for NUMERIC', withValue('price', '"much"'), 'price: much does not fit NUMERIC'],
    ['too many digits for BIGNUMERIC', withValue('large', `1${'0'.repeat(30)}`), 'does not fit BIGNUMERIC'],
    ['text that is not base64', withValue('raw', '"a b"'), 'raw: the text does not fit BYTES'],
    [
      'an invalid hour',
      withValue('clock', '"25:00:00"'),
      'clock: the text is no timestamp: there is no hour 25',
    ],
    ['an invalid day', withValue('day', '"2023-02-29"'), 'day: the text is no timestamp: there is no day 29'],
    ['a time for DATE', withValue('day', '"2023-02-28T00:00:00"'), 'day: a string does not fit DATE'],
    [
      'a zone for DATETIME',
      withValue('local', '"2024-01-01T00:00:00Z"'),
      'local: a string does not fit DATETIME',
    ],
    ['words for TIMESTAMP', withValue('seen', '"soon"'), 'seen: the text is no timestamp'],
    ['a fraction for TIMESTAMP', withValue('seen', '1.5'), 'seen: a number that is no timestamp'],
    [
      'a TIMESTAMP past the year 9999',
      withValue('seen', '253402300800000000'),
      'seen: a number that is no timestamp',
    ],
    [
      'half a surrogate pair',
      withValue('event_message', '"\\ud800"'),
      'event_message: its text has half a surrogate pair',
    ],
    ['a string in an array of INT64', withValue('marks', '[1,"2"]'), 'marks: a string does not fit INT64'],
    ['null in an array', withValue('tags', '["a",null]'), 'tags: null in an array, which holds no NULL'],
    ['one value for an array', withValue('tags', '"a"'), 'tags: a string does not fit ARRAY<STRING>'],
    ['an array in an array', withValue('tags', '[["a"]]'), 'tags: an array does not fit STRING'],
    [
      'null among records',
      withValue('metadata', '[null]'),
      'metadata: null in an array, which holds no NULL',
    ],
    ['a scalar for a record', withValue('metadata', '"x"'), 'metadata: a string does not fit a record'],
    ['an array for a single record', withValue('owner', '[]'), 'owner: an array does not fit a record'],
    ['a required field missing deep down', withValue('owner', '{}'), 'owner.name: is missing'],
    ['a required field that is null', withValue('owner', '{"name":null}'), 'owner.name: is null'],
    [
      'a misfit deep down',
      withValue('metadata', '{"request":[{"method":1}]}'),
      'metadata.request.method: a number does not fit STRING',
    ],
    [
      'a field twice by case',
      withValue('metadata', '{"level":"a","LEVEL":"b"}'),
      'metadata.LEVEL: appears twice',
    ],
    ['an added field twice by case', withValue('metadata', '{"x":"a","X":"b"}'), 'metadata.X: appears twice'],
    [
      'JSON too deep',
      withValue('doc', `${'['.repeat(200)}${']'.repeat(200)}`),
      'doc: JSON is nested more than 100 levels deep',
    ],
    [
      'a fraction for the id',
      '{"id":1.5,"timestamp":0}',
      'id: 1.5 does not fit an id, which is text or a whole number',
    ],
    ['a boolean for the id', '{"id":true,"timestamp":0}', 'id: a boolean does not fit STRING'],
    ['an id of too many digits', `{"id":1${'0'.repeat(400)},"timestamp":0}`, 'does not fit an id'],
    [
      'a number for an id that is none of an entry',
      withValue('metadata', '{"request":{"method":1}}'),
      'metadata.request.method: a number',
    ],
    [
      'a key twice',
      '{"id":"a","timestamp":0,"event_message":"a","event_message":"b"}',
      'line 3: event_message: is given twice',
    ],
    ['a key twice with one value', '{"id":"a","timestamp":0,"timestamp":0}', 'timestamp: is given twice'],
    [
      'a key twice deep down',
      withValue('metadata', '[{},{"request":{"headers":[{"host":"a"},{"host":"b","host":"c"}]}}]'),
      'metadata.request.headers.host: is given twice',
    ],
    ['a key twice in an added field', withValue('fresh', '{"a":{"b":1,"b":2}}'), 'fresh.a.b: is given twice'],
    ['a key twice in JSON', withValue('doc', '{"a":[{"b":1,"b":2}]}'), 'doc.a.b: is given twice'],
    ['a key twice in an array of JSON', withValue('doc', '[[{"b":1,"b":null}]]'), 'doc.b: is given twice'],
    [
      'a key twice in another spelling',
      withValue('metadata', '{"level":"a","l\\u0065vel":"b"}'),
      'metadata.level: is given twice',
    ],
    ['a key twice with spaces after it', '{"id" :"a","timestamp"\t: 0,"id" : "b"}', 'id: is given twice'],
    [
      'a key twice beside texts that look like keys',
      '{"id":":","timestamp":0,"event_message":"\\":\\":","id" :":"}',
      'id: is given twice',
    ],
    [
      'a key twice beside large numbers',
      '{"id":9007199254740993,"timestamp":0,"id":1}',
      'id: is given twice',
    ],
    ['an empty key twice', withValue('doc', '{"":1,"":2}'), 'doc: is given twice'],
    [
      'a key of several lines twice',
      withValue('doc', '{"a\\nb":1,"a\\nb":2}'),
      'doc.a\\u000ab: is given twice',
    ],
    [
      'a key twice among those of every object',
      withValue('doc', '{"__proto__":1,"__proto__":2}'),
      'doc.__proto__: is given twice',
    ],
    ['no timestamp', '{"id":"a"}', 'timestamp: is missing'],
    ['a null timestamp', '{"id":"a","timestamp":null}', 'timestamp: is null'],
    ['an invalid timestamp', '{"id":"a","timestamp":"yesterday"}', 'timestamp: the text is no timestamp'],
    [
      'a timestamp of another type',
      '{"id":"a","timestamp":true}',
      'timestamp: a boolean that is no timestamp',
    ],
    ['no id', '{"timestamp":"2024-01-01"}', 'id: is missing'],
    ['an array', '[]', 'an array, where an entry is an object'],
    ['null', 'null', 'null, where an entry is an object'],
    ['half an object', '{"id":"a"', 'it is not JSON: '],
    ['two objects', '{} {}', 'it is not JSON: '],
    ['JSON too deep for anything', '['.repeat(200_000), 'it is not JSON: '],
    ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 'it is not valid UTF-8'],
    ['a line over the limit', `"${'a'.repeat(MAX_ENTRY_BYTES)}"`, 'it is longer than 10 MiB'],
  ])('%s', async (_name, line, problem) => {
    const good = withValue('event_message', '"x"');
    await logs.write({
      'app_logs.ndjson': Buffer.concat([
        Buffer.from(`${good}\n\n`),
        Buffer.from(line),
        Buffer.from(`\n${good}\n`),
      ]),
    });
    const error = await logs.load().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain(`${logs.path}/app_logs.ndjson, line 3: `);
    expect((error as Error).message).toContain(problem);
    expect((error as Error).message).not.toContain('\n');

    const report = await logs.load({ skipInvalid: true });
    expect(report.sources.get('app_logs')).toMatchObject({
      rows: 2,
      skipped: 1,
      skippedFiles: [{ file: `${logs.path}/app_logs.ndjson`, skipped: 1, first: (error as Error).message }],
    });
    expect(await logs.rows()).toHaveLength(2);
  });

  test('a timestamp is needed even where the schema would do without', async () => {
    await logs.write({ 'edge_logs.ndjson': '{"id":"a"}' });
    await expect(logs.load()).rejects.toThrow('edge_logs.ndjson, line 1: timestamp: is missing');
    await logs.write({ 'edge_logs.ndjson': '' });
  });
});
