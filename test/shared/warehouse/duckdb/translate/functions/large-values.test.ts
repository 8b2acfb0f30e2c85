import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

let evaluator: Evaluator;
beforeAll(async () => {
  evaluator = await openEvaluator();
});
afterAll(() => evaluator.close());

const MEBIBYTE = "REPEAT('a', 1000000)";

describe('A value that would be too large', () => {
  test.each([
    ["FORMAT('%1000000000d', 5)", 'FORMAT with a width or precision above 1000'],
    ["FORMAT('%.1000000000s', 'a')", 'FORMAT with a width or precision above 1000'],
    [`INITCAP('a', REPEAT('b', 600000))`, 'INITCAP takes at most 524288 bytes'],
    [
      'JSON_OBJECT(ARRAY(SELECT CAST(x AS STRING) FROM UNNEST(GENERATE_ARRAY(1, 600000)) x), GENERATE_ARRAY(1, 600000))',
      'JSON_OBJECT takes at most 524288 keys',
    ],
    [`INITCAP(${MEBIBYTE})`, 'INITCAP takes at most 524288 bytes of text'],
    [`CONTAINS_SUBSTR(REPEAT('é', 500000), ${MEBIBYTE})`, 'of more than 1048576 bytes that are not ASCII'],
    [
      "ARRAY_TO_STRING(ARRAY(SELECT CAST('a' AS BYTES) FROM UNNEST(GENERATE_ARRAY(1, 300000)) x), b'')",
      'ARRAY_TO_STRING of more than 262144 BYTES',
    ],
    [`EDIT_DISTANCE(${MEBIBYTE}, ${MEBIBYTE})`, 'EDIT_DISTANCE compares texts of at most 16000000'],
    [`REPLACE(${MEBIBYTE}, 'a', REPEAT('b', 1000))`, 'REPLACE makes a text of at most 16777216 bytes'],
    [
      `REGEXP_REPLACE(${MEBIBYTE}, 'a', REPEAT('b', 1000))`,
      'REGEXP_REPLACE makes a text of at most 16777216 bytes',
    ],
    [`REGEXP_CONTAINS(${MEBIBYTE}, '(?:a|b)*a(?:a|b){500}c')`, 'takes a text of at most 39856 bytes'],
    [
      `REGEXP_CONTAINS(${MEBIBYTE}, CONCAT('(?:a|b){500}', 'c'))`,
      'a regular expression that is not a literal',
    ],
    [`REGEXP_EXTRACT_ALL(${MEBIBYTE}, 'b*')`, 'takes a text of at most 262144 bytes'],
    [`CONCAT(${Array(17).fill(MEBIBYTE).join(', ')})`, 'CONCAT makes a text of at most 16777216 bytes'],
    [Array(17).fill(MEBIBYTE).join(' || '), '|| makes a text of at most 16777216 bytes'],
    ["ARRAY_TO_STRING(GENERATE_ARRAY(1, 2) || [3], 'a')", 'No matching signature'],
    [`ARRAY_TO_STRING(SPLIT(REPEAT('a,', 100), ','), ${MEBIBYTE})`, 'separators of one text'],
    ['ARRAY_CONCAT(GENERATE_ARRAY(1, 600000), GENERATE_ARRAY(1, 600000))', 'at most 1000000 elements'],
    ["GENERATE_DATE_ARRAY('0001-01-01', '9999-12-31')", 'Generated arrays have at most 1000000 elements'],
    [
      "GENERATE_TIMESTAMP_ARRAY('2024-01-01', '2025-01-01', INTERVAL 1 SECOND)",
      'Generated arrays have at most 1000000 elements',
    ],
    [
      "GENERATE_TIMESTAMP_ARRAY('2025-01-01', '2024-01-01', INTERVAL -1 MICROSECOND)",
      'Generated arrays have at most 1000000 elements',
    ],
    [
      'SELECT MAX(ARRAY_LENGTH(a)) FROM (SELECT ARRAY_AGG(x) OVER (ORDER BY x) a FROM UNNEST(GENERATE_ARRAY(1, 20000)) x)',
      'ARRAY_AGG with OVER makes at most 10000000 elements',
    ],
    [
      `SELECT MAX(LENGTH(a)) FROM (SELECT STRING_AGG(${MEBIBYTE}) OVER () a FROM UNNEST(GENERATE_ARRAY(1, 9)) x)`,
      'STRING_AGG with OVER makes at most 67108864 bytes',
    ],
    [
      `INSTR(${MEBIBYTE}, CONCAT('a', 'b'), -1)`,
      'of text that is not a literal of 1 to 500 characters, looks through at most 10000 characters',
    ],
    [
      `${MEBIBYTE} LIKE CONCAT('%a%', REPEAT('b', 1000))`,
      'LIKE with a pattern that is not a literal takes at most',
    ],
  ])('is refused: %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});

describe('A large value', () => {
  test.each([
    ["LENGTH(INITCAP(REPEAT('a ', 262144)))", '524288'],
    [`INSTR(${MEBIBYTE}, 'zz', -1)`, '0'],
    [`INSTR(${MEBIBYTE}, 'a', 1, 100000)`, '100000'],
    [`INSTR(${MEBIBYTE}, 'a', -1, 10)`, '999991'],
    [`${MEBIBYTE} LIKE '%_%_%_%_%_%z'`, 'false'],
    [`${MEBIBYTE} LIKE CONCAT('%_%_', '%_%_%_%z')`, 'false'],
    [
      'SELECT COUNT(*) FROM UNNEST(GENERATE_ARRAY(1, 1000000)) x WHERE x IN UNNEST(GENERATE_ARRAY(1, 1000))',
      '1000',
    ],
    ['5 IN UNNEST(GENERATE_ARRAY(1, 1000000))', 'true'],
    ["ARRAY_LENGTH(GENERATE_DATE_ARRAY('0001-01-31', '9999-12-31', INTERVAL 1 MONTH))", '119988'],
    ['ARRAY_LENGTH(SAFE.GENERATE_ARRAY(1, 100000))', '100000'],
    ["LENGTH(SAFE.REPEAT('a', 100000))", '100000'],
    [`LENGTH(REVERSE(${MEBIBYTE}))`, '1000000'],
  ])('of %s is made', async (googleSql, answer) => {
    expect(await evaluator.evaluate(googleSql)).toBe(answer);
  });
});

describe('An error quotes 200 characters of a value at most', () => {
  test.each([
    `CAST(${MEBIBYTE} AS INT64)`,
    `CAST(${MEBIBYTE} AS FLOAT64)`,
    `CAST(${MEBIBYTE} AS NUMERIC)`,
    `CAST(${MEBIBYTE} AS DATE)`,
    `CAST(${MEBIBYTE} AS TIMESTAMP)`,
    `PARSE_NUMERIC(${MEBIBYTE})`,
    `PARSE_JSON(${MEBIBYTE})`,
    `PARSE_DATE('%F', ${MEBIBYTE})`,
    `NET.IP_FROM_STRING(${MEBIBYTE})`,
    `ASCII(CONCAT('é', ${MEBIBYTE}))`,
    `FROM_BASE64(${MEBIBYTE})`,
    `REGEXP_CONTAINS('a', CONCAT('(', REPEAT('a', 5000)))`,
    `CAST('${'a'.repeat(2_000)}' AS DATE)`,
    `${'a'.repeat(2_000)}`,
    `DATE '${'a'.repeat(2_000)}'`,
  ])('%p', async (googleSql) => {
    const message = await evaluator.fail(googleSql).catch((error: unknown) => {
      if (error instanceof TypeError) return 'no error';
      throw error;
    });
    expect(message).not.toMatch(/a{201}/);
    expect(message.length).toBeLessThan(400);
  });
});

describe('INSTR', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 12 });
  const sought = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 4 });
  const number = fc.integer({ min: -13, max: 13 }).filter((value) => value !== 0);

  test('finds every place, also of texts that overlap, from both ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        letters,
        sought,
        number,
        fc.integer({ min: 1, max: 4 }),
        async (text, part, from, nth) => {
          const answer = String(placeOf([...text], [...part], from, nth));
          expect(await evaluator.evaluate(`INSTR('${text}', '${part}', ${from}, ${nth})`)).toBe(answer);
          expect(await evaluator.evaluate(`INSTR('${text}', CONCAT('${part}', ''), ${from}, ${nth})`)).toBe(
            answer,
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  /** By GoogleSQL's own words: each place in turn. */
  function placeOf(text: readonly string[], part: readonly string[], from: number, nth: number): number {
    const isAt = (place: number) => part.every((letter, index) => text[place - 1 + index] === letter);
    const places = text.map((_, index) => index + 1).filter(isAt);
    const searched =
      from > 0
        ? places.filter((place) => place >= from)
        : places.filter((place) => place <= text.length + from + 1).toReversed();
    return searched[nth - 1] ?? 0;
  }
});

describe('LIKE', () => {
  const unit = fc.constantFrom('a', 'b', '.', '*', 'é', '\n');
  const text = fc.string({ unit, maxLength: 8 });
  const pattern = fc.string({
    unit: fc.oneof(unit, fc.constantFrom('%', '_', '\\%', '\\_', '\\\\')),
    maxLength: 6,
  });

  test('matches any number of wildcards, in literals and in other patterns', async () => {
    await fc.assert(
      fc.asyncProperty(text, pattern, async (value, wanted) => {
        const answer = String(isLike([...value], wanted));
        const [left, right] = [JSON.stringify(value), JSON.stringify(wanted)];
        expect(await evaluator.evaluate(`${left} LIKE ${right}`)).toBe(answer);
        expect(await evaluator.evaluate(`${left} LIKE CONCAT(${right}, '')`)).toBe(answer);
      }),
      { numRuns: 150 },
    );
  });

  function isLike(value: readonly string[], wanted: string): boolean {
    const parts = wanted.match(/\\[\s\S]|[\s\S]/gu) ?? [];
    const matches = (at: number, part: number): boolean => {
      const next = parts[part];
      if (next === undefined) return at === value.length;
      if (next === '%') return matches(at, part + 1) || (at < value.length && matches(at + 1, part));
      if (at === value.length) return false;
      return (
        (next === '_' || next.replace(/^\\/, '') === value[at] || (next === '\\\\' && value[at] === '\\')) &&
        matches(at + 1, part + 1)
      );
    };
    return matches(0, 0);
  }
});

describe('INITCAP', () => {
  test('begins each word with a capital, whatever separates words', async () => {
    const unit = fc.constantFrom('a', 'B', 'é', ' ', '-', ']', '^', '\\', '1');
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit, maxLength: 10 }),
        fc.string({ unit, maxLength: 3 }),
        async (text, marks) => {
          const answer = [...text]
            .map((letter, index, all) => {
              if (marks.includes(letter)) return letter;
              const starts = index === 0 || marks.includes(all[index - 1] ?? '');
              return starts ? letter.toUpperCase() : letter.toLowerCase();
            })
            .join('');
          const [left, right] = [JSON.stringify(text), JSON.stringify(marks)];
          expect(await evaluator.evaluate(`INITCAP(${left}, ${right})`)).toBe(JSON.stringify(answer));
          expect(await evaluator.evaluate(`INITCAP(${left}, CONCAT(${right}, ''))`)).toBe(
            JSON.stringify(answer),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});
