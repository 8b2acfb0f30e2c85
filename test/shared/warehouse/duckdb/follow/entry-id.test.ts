import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withId } from '../../../../../shared/warehouse/duckdb/follow/entry-id.ts';

const PLACE = { content: 'c', line: 1 };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('withId', () => {
  test.each([
    ['a text', '{"id":"a","x":1}'],
    ['a number', '{ "x":1, "id": 7 }'],
    ['a name in capitals', '{"ID":"a"}'],
    ['an empty text', '{"id":""}'],
    ['two of them, which are refused later', '{"id":null,"Id":"a"}'],
    ['something after the object, which is refused later', '{"x":1} {"y":2}'],
  ])('leaves an entry with an id as it is: %s', (_, text) => {
    expect(withId(text, PLACE)).toBe(text);
  });

  test.each([
    ['none', '{"x":{"id":"a"},"y":12345678901234567890}', ',"x":{"id":"a"},"y":12345678901234567890}'],
    ['none of an empty object', ' { } ', '}'],
    ['null', '{"x":1,"id":null,"y":2}', ',"x":1,"y":2}'],
    ['null by another name', '{"Id":null}', '}'],
  ])('gives one to an entry that has %s, and leaves the rest as it is', (_, text, rest) => {
    const [, id = '', after] = /^\{"id":"([^"]+)"(.*)$/.exec(withId(text, PLACE) ?? '') ?? [];
    expect(id).toMatch(UUID);
    expect(after).toBe(rest);
  });

  test.each(['', 'x', '[1]', '"{}"', '{"a":1', '{a:1}', 'null'])('is null for %j', (text) => {
    expect(withId(text, PLACE)).toBeNull();
  });

  test('is the same for the same line, and another one for all others', () => {
    const ids = [
      withId('{"x":1}', PLACE),
      withId('{"x":2}', PLACE),
      withId('{"x":1}', { ...PLACE, line: 2 }),
      withId('{"x":1}', { ...PLACE, content: 'd' }),
    ].map((text) => (JSON.parse(text ?? '') as { id: string }).id);
    expect(new Set(ids).size).toBe(4);
    expect(withId('{"x":1}', PLACE)).toBe(withId('{"x":1}', PLACE));
  });

  test('keeps all other fields of any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const text = JSON.stringify(object);
        const { id, ...rest } = JSON.parse(withId(text, PLACE) ?? '') as Record<string, unknown>;
        expect(id).toBeDefined();
        const names = Object.keys(object).filter((name) => name.toLowerCase() === 'id');
        fc.pre(names.length === 0);
        expect(rest).toEqual(JSON.parse(text));
      }),
    );
  });
});
