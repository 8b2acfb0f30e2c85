import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEntries } from '../../../shared/ingest/read-entries.ts';

describe('readEntries', () => {
  test.each([
    ['an array', '[{"a":1},{"b":[1,{"c":2}]}]', ['{"a":1}', '{"b":[1,{"c":2}]}']],
    ['an array in lines', ' [\n {"a":1} ,\r\n {"b":2}\t]\n', ['{"a":1}', '{"b":2}']],
    ['an empty array', '[]', []],
    ['a batch', '{"batch":[{"a":1}],"x":2}', ['{"a":1}']],
    ['an empty batch', '{"batch":[]}', []],
    ['one object', '{"a":1}', ['{"a":1}']],
    ['one object in lines', '{\n "a": 1\n}\n', ['{\n "a": 1\n}']],
    ['an entry with a field batch in an array', '[{"batch":"nightly"}]', ['{"batch":"nightly"}']],
    ['lines', '{"a":1}\n{"b":2}\r\n\n{"c":3}', ['{"a":1}', '{"b":2}', '{"c":3}']],
    ['lines after a byte order mark', '\ufeff{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
    ['brackets in texts', String.raw`[{"a":"]}\"["},{}]`, [String.raw`{"a":"]}\"["}`, '{}']],
    ['numbers that no double holds', '[{"a":12345678901234567890.5}]', ['{"a":12345678901234567890.5}']],
    ['names of prototypes', '[{"__proto__":{"a":1}}]', ['{"__proto__":{"a":1}}']],
  ])('reads %s', (_, body, expected) => {
    expect(readEntries(body)).toEqual(expected);
  });

  test.each([
    ['nothing', '', 'it is empty'],
    ['blanks', ' \n', 'it is empty'],
    ['text', '"a"', 'it is something else'],
    ['a word', 'hello', 'it is something else'],
    ['an array that does not end', '[{"a":1}', 'a comma or ] is missing'],
    ['an array with a comma too many', '[{"a":1},]', 'a value is missing'],
    ['more after an array', '[{}] [{}]', 'something follows the array'],
    ['an object that does not end', '{"a":1', 'a comma or } is missing'],
    ['text that does not end', '{"a":"b}', 'a string has no end'],
    ['a name without quotes', '{a:1}', "a field's name in double quotes is missing"],
    ['a batch that is a number', '{"batch":5}', '"batch" is not an array'],
    ['a batch that is an object', '{"a":1,"batch":{}}', '"batch" is not an array'],
    ['a batch that is null', '{"batch":null}', '"batch" is not an array'],
    ['two batches', '{"batch":[],"batch":[]}', '"batch" is there twice'],
    ['deep nesting', `[${'['.repeat(1_000_000)}`, 'nested more than 100 levels deep'],
    ['deep nesting in an object', `{"a":${'{"a":'.repeat(100_000)}`, 'nested more than 100 levels deep'],
  ])('refuses %s', (_, body, reason) => {
    expect(() => readEntries(body)).toThrow(reason);
  });

  test('names the field batch where it is not an array', () => {
    expect(() => readEntries('{"batch":5}')).toThrow(
      expect.objectContaining({
        kind: 'invalid_argument',
        details: [expect.objectContaining({ field: 'batch' })],
      }),
    );
  });

  test.each([
    ['a number', '[{},1]', 1],
    ['null', '[null]', 0],
    ['an array', '{"batch":[{},{},[]]}', 2],
    ['a line that is no object', '{"a":1}\n{"b":2}\n[]', 2],
  ])('names the entry that is %s', (_, body, entry) => {
    expect(() => readEntries(body)).toThrow(
      expect.objectContaining({ kind: 'invalid_argument', details: [expect.objectContaining({ entry })] }),
    );
  });

  test('refuses more entries, and longer ones, than a request may bring', () => {
    const limits = { maxEntries: 2, maxEntryLength: 10, maxTotalLength: 100 };
    const refusal = expect.objectContaining({ kind: 'body_too_large' });
    expect(readEntries('[{},{}]', limits)).toHaveLength(2);
    expect(() => readEntries('[{},{},{}]', limits)).toThrow(refusal);
    expect(() => readEntries('{}\n{}\n{}', limits)).toThrow(refusal);
    expect(() => readEntries('[{},{"a":12345}]', limits)).toThrow('Entry 1 is longer than 10 characters');
  });

  test('finds the entries of any JSON in every form', () => {
    const entry = fc.dictionary(
      fc.string().filter((name) => name !== 'batch'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(fc.array(entry, { minLength: 2 }), fc.constantFrom(undefined, 1), (entries, indent) => {
        const texts = entries.map((one) => JSON.stringify(one));
        const parse = (body: string) => readEntries(body).map((text) => JSON.parse(text));
        const expected = JSON.parse(JSON.stringify(entries));
        expect(parse(JSON.stringify(entries, null, indent))).toEqual(expected);
        expect(parse(JSON.stringify({ batch: entries }, null, indent))).toEqual(expected);
        expect(readEntries(texts.join('\n'))).toEqual(texts);
      }),
    );
  });
});
