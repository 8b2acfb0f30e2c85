import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeCsv } from '../../../../shared/http/formats/csv.ts';
import { memberTexts } from '../../../../shared/http/formats/member-texts.ts';
import type { SqlType } from '../../../../shared/sql/types/sql-type.ts';

const STRING: SqlType = { kind: 'STRING' };

function lineOf(json: string, type: SqlType = STRING): string {
  return encodeCsv([{ name: 'c', type }], [`{"c":${json}}`]).slice('c\r\n'.length, -'\r\n'.length);
}

describe('a cell of CSV', () => {
  test.each<[string, string, string]>([
    ['text as it is', '"plain text"', 'plain text'],
    ['quotes around a comma', '"a,b"', '"a,b"'],
    ['doubled quotes', '"say \\"a\\""', '"say ""a"""'],
    ['quotes around a line break', '"a\\nb"', '"a\nb"'],
    ['nothing for NULL', 'null', ''],
    ['nothing for an empty text', '""', ''],
    ['a number with all its digits', '1767225600000000123', '1767225600000000123'],
    ['a boolean', 'true', 'true'],
    ['a record as JSON text', '{"a":[1,"x"]}', '"{""a"":[1,""x""]}"'],
    ['a list as JSON text', '[]', '[]'],
    ['no formula', '"=1+1"', "'=1+1"],
    ['no formula behind a tab', '"\\t=1"', "'\t=1"],
    ['no command', '"@SUM(A1)"', "'@SUM(A1)"],
    ['no difference', '"-1+cmd|x"', "'-1+cmd|x"],
    ['no formula in full width', '"＝1"', "'＝1"],
    ['no formula that needs quotes', '"=a,b"', '"\'=a,b"'],
  ])('is %s', (_, json, text) => {
    expect(lineOf(json)).toBe(text);
  });

  test('is a negative number where the column is of numbers, though JSON has it as a string', () => {
    expect(lineOf('"-9223372036854775808"', { kind: 'INT64' })).toBe('-9223372036854775808');
    expect(lineOf('"-1.5"', { kind: 'NUMERIC' })).toBe('-1.5');
  });

  test("is safe in the header too, where consumers' own names stand", () => {
    expect(encodeCsv([{ name: '=1,2', type: STRING }], [])).toBe('"\'=1,2"\r\n');
  });
});

describe('the texts of the members of an object', () => {
  test('are those that JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (object) => {
        const own = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
        expect(memberTexts(JSON.stringify(own))).toEqual(
          Object.values(own).map((one) => JSON.stringify(one)),
        );
      }),
    );
  });

  test.each(['{"a"', '{"a":"x', '{"a":[1}'])('are not guessed at in %s', (text) => {
    expect(() => memberTexts(text)).toThrow(TypeError);
  });
});
