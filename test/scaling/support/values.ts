import type { PatternType } from '../../../shared/sql/functions/signature.ts';
import { typeText } from '../../../shared/sql/types/sql-type.ts';

/** GoogleSQL of values of one type: those that grow with a size, and those that stay small. */
export interface Values {
  readonly large: readonly string[];
  readonly small: readonly string[];
}

/** Elements of a large array. They come from a series, as no literal is that long. */
const elements = (element: string): string =>
  `ARRAY(SELECT ${element} FROM UNNEST(GENERATE_ARRAY(1, n)) AS x)`;

/** A JSON object whose fields have different names. */
const OBJECT = `CONCAT('{', ARRAY_TO_STRING(ARRAY(SELECT CONCAT('"k', CAST(x AS STRING), '":', CAST(x AS STRING)) FROM UNNEST(GENERATE_ARRAY(1, DIV(n, 16))) AS x), ','), '}')`;

const TEXTS: Values = {
  large: [
    "REPEAT('a', n)",
    "CONCAT(REPEAT('a', n - 1), 'b')",
    "REPEAT('é%_ ', DIV(n, 5))",
    "REPEAT('a.b/C:', DIV(n, 6))",
    "REPEAT(' ', n - 1)",
    "REPEAT('1', n)",
    "REPEAT(',', n)",
    "REPEAT('[', n)",
    "CONCAT(REPEAT('[', DIV(n, 2)), REPEAT(']', DIV(n, 2)))",
    "CONCAT('[', REPEAT('1,', DIV(n, 2) - 1), '1]')",
    OBJECT,
    `CONCAT('"', REPEAT('\\\\"', DIV(n, 2) - 1), '"')`,
  ],
  small: ["'a'", "''", "'zz'", "'é'"],
};

/** The types that stand for one of a signature. */
export function typesOf(pattern: PatternType): readonly string[] {
  if (pattern.kind === 'type') return [typeText(pattern.type)];
  if (pattern.kind === 'array-of') return ['ARRAY<INT64>', 'ARRAY<STRING>'];
  return ['INT64', 'STRING', 'FLOAT64', ...(pattern.kind === 'any' ? ['ARRAY<INT64>', 'JSON'] : [])];
}

/** Values of a type in terms of `n`, which stands for bytes of text and elements of arrays. */
export function valuesOf(type: string): Values {
  switch (type) {
    case 'STRING':
      return TEXTS;
    case 'BYTES':
      return {
        large: ["CAST(REPEAT('a', n) AS BYTES)", "CAST(REPEAT('é', DIV(n, 2)) AS BYTES)"],
        small: ["b'a'", "b''", String.raw`b'\x00\x00\x00\x01'`],
      };
    case 'JSON':
      return {
        large: [
          "PARSE_JSON(CONCAT('[', REPEAT('1,', DIV(n, 2) - 1), '1]'))",
          `PARSE_JSON(CONCAT('"', REPEAT('a', n - 2), '"'))`,
          `PARSE_JSON(${OBJECT})`,
          "PARSE_JSON(CONCAT(REPEAT('[', 900), REPEAT(']', 900)))",
          `PARSE_JSON(CONCAT('{"k1":[', REPEAT('null,[],{"a":null},', DIV(n, 18)), '1]}'))`,
        ],
        small: ["JSON '1'", "JSON 'null'"],
      };
    case 'BOOL':
      return { large: [], small: ['TRUE'] };
    case 'INT64':
      return {
        large: ['9223372036854775807', '-9223372036854775808'],
        small: ['1', '0', '-1', '3', '100000', 'n'],
      };
    case 'FLOAT64':
      return { large: ['1.7976931348623157e308', '5e-324'], small: ['0.5', '0.0', '-1.0'] };
    case 'NUMERIC':
      return {
        large: ["NUMERIC '99999999999999999999999999999.999999999'"],
        small: ["NUMERIC '1'", "NUMERIC '-0.000000001'"],
      };
    case 'BIGNUMERIC':
      return { large: ["BIGNUMERIC '99999999999999999999999999999.99'"], small: ["BIGNUMERIC '1'"] };
    case 'DATE':
      return { large: ["DATE '9999-12-31'"], small: ["DATE '0001-01-01'", "DATE '2024-02-29'"] };
    case 'DATETIME':
      return {
        large: ["DATETIME '9999-12-31 23:59:59.999999'"],
        small: ["DATETIME '0001-01-01 00:00:00'"],
      };
    case 'TIMESTAMP':
      return {
        large: ["TIMESTAMP '9999-12-31 23:59:59.999999+00'"],
        small: ["TIMESTAMP '0001-01-01 00:00:00+00'", "TIMESTAMP '2024-02-29 00:00:00+00'"],
      };
    case 'TIME':
      return { large: ["TIME '23:59:59.999999'"], small: ["TIME '00:00:00'"] };
    case 'INTERVAL':
      return { large: ['INTERVAL 10000 YEAR', 'INTERVAL 1 MICROSECOND'], small: ['INTERVAL -1 DAY'] };
    default:
      return arrays(type);
  }
}

function arrays(type: string): Values {
  const element = /^ARRAY<(.*)>$/.exec(type)?.[1];
  if (element === undefined) throw new TypeError(`no values of ${type}`);
  const made: Readonly<Record<string, readonly string[]>> = {
    INT64: ['x', '97', 'DIV(x, 10000)'],
    STRING: ['CAST(x AS STRING)', "'a'"],
    BYTES: ['CAST(CAST(x AS STRING) AS BYTES)'],
    FLOAT64: ['x / 3'],
    NUMERIC: ['CAST(x AS NUMERIC)'],
    BIGNUMERIC: ['CAST(x AS BIGNUMERIC)'],
  };
  const list = made[element];
  if (list === undefined) throw new TypeError(`no values of ${type}`);
  const [first = ''] = list;
  return { large: list.map(elements), small: [`ARRAY(SELECT ${first} FROM UNNEST([1, 2]) AS x)`] };
}
