import { describe, expect, test } from '@jest/globals';
import { makeRedactor } from '../../../shared/privacy/redactor.ts';

const { json: redactJsonText } = makeRedactor();

describe('redactJsonText', () => {
  test.each([
    ['a string at any depth', '{"m":[{"r":[{"ip":"1.2.3.4"}]}]}', '{"m":[{"r":[{"ip":"REDACTED"}]}]}', 1],
    ['text around an address', '{"a":"from 1.2.3.4:80 to ::1"}', '{"a":"from REDACTED:80 to REDACTED"}', 2],
    ['a nested key', '{"m":{"1.2.3.4":1}}', '{"m":{"REDACTED":1}}', 1],
    ['an escaped address', '{"a":"\\u0031.2.3.4"}', '{"a":"REDACTED"}', 1],
    ['an address after an escape', '{"a":"x\\n1.2.3.4\\"::1\\\\"}', '{"a":"x\\nREDACTED\\"REDACTED\\\\"}', 2],
    ['JSON within a string', '{"a":"{\\"ip\\":\\"::1\\"}"}', '{"a":"{\\"ip\\":\\"REDACTED\\"}"}', 1],
    ['an array', '["1.2.3.4",{"::1":null}]', '["REDACTED",{"REDACTED":null}]', 2],
    ['a lone string', '"1.2.3.4"', '"REDACTED"', 1],
    ['white space', '{ "a" : { "::1" : "::1" } }', '{ "a" : { "REDACTED" : "REDACTED" } }', 2],
  ])('redacts %s', (_, json, text, count) => {
    expect(redactJsonText(json)).toEqual({ text, count });
  });

  test.each([
    ['column names', '{"1.2.3.4":1,"::1":[]}'],
    ['numbers', '{"a":9007199254740993,"b":1e400,"c":-0.0,"d":1.20}'],
    ['escapes of strings without an address', '{"a":"\\u0041\\/\\u00e9 1.2"}'],
    ['colons and digits of the JSON itself', '{"a":1,"b":[1,2],"c":{"d":3}}'],
    ['a string that ends in a backslash', '{"a":"C:\\\\","b":"x"}'],
    ['empty values', '{}'],
    ['literals', '[true,false,null]'],
  ])('leaves %s byte for byte', (_, json) => {
    expect(redactJsonText(json)).toEqual({ text: json, count: 0 });
  });

  test('leaves what stands around a redacted string byte for byte', () => {
    expect(redactJsonText('{"n":9007199254740993, "s":"\\u0041","a":"::1" , "f":1.0}').text).toBe(
      '{"n":9007199254740993, "s":"\\u0041","a":"REDACTED" , "f":1.0}',
    );
  });

  test('distinguishes keys that would become one', () => {
    const { text, count } = redactJsonText('{"m":{"1.1.1.1":1,"2.2.2.2":2,"x":{"::1":3}},"n":{"3.3.3.3":4}}');
    expect(text).toBe('{"m":{"REDACTED":1,"REDACTED_2":2,"x":{"REDACTED":3}},"n":{"REDACTED":4}}');
    expect(count).toBe(4);
  });

  test.each(['{"a":"1.2.3.4', '{"a":"1.2.3.4"', '"a"} 1.2.3.4', '{"a":"\\q 1.2.3.4"}'])(
    'redacts broken JSON as plain text: %s',
    (text) => {
      expect(redactJsonText(text)).toEqual({ text: text.replace('1.2.3.4', 'REDACTED'), count: 1 });
    },
  );

  test.each(['[', '{"a":', '\\', '"\\', '"', '{"1.1.1.1":'])('reads a megabyte of %j', (piece) => {
    expect(typeof redactJsonText(piece.repeat(Math.ceil(1_048_576 / piece.length))).count).toBe('number');
    expect(redactJsonText(JSON.stringify({ a: `${piece.repeat(100_000)} 1.2.3.4 ` })).count).toBeGreaterThan(
      0,
    );
  });
});
