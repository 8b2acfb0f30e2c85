import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toleratingRefusal } from '../support/service-error.ts';
import { analyzeQuery, columnsOf, refusalOf } from './support/analyze-query.ts';

const list = (count: number, make: (index: number) => string, separator = ', ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator);

/** `((x + x + …) + x + …)`: deep, though few parentheses lie in one another. */
function deepChain(operator: string, levels: number, length: number, operand: string): string {
  let text = operand;
  for (let level = 0; level < levels; level++) text = `(${text}${(operator + operand).repeat(length)})`;
  return text;
}

describe('a query that is deeper than it looks', () => {
  test.each<[string, string]>([
    ['+', `select ${deepChain('+', 90, 40, '1')}`],
    ['AND', `select 1 from auth_logs where ${deepChain(' and ', 90, 40, 'true')}`],
    ['||', `select ${deepChain('||', 90, 40, 'id')} x from auth_logs group by x order by x`],
  ])('is refused for chains of %s in parentheses', (_, sql) => {
    expect(refusalOf(sql)).toMatch(
      /^The query's operators are nested deeper than 800; shorten its chains \(line 1/,
    );
  });

  test.each<[string, string]>([
    ['+', `select ${deepChain('+', 90, 7, '1')}`],
    ['||', `select ${deepChain('||', 90, 7, 'id')} x from auth_logs group by x order by x`],
    ['one level', `select ${deepChain('+', 1, 499, '1')}`],
    ['CASE', `select ${'case when true then 1 else '.repeat(90)}1${' end'.repeat(90)}`],
    ['subqueries', `select ${'(select '.repeat(45)}1${')'.repeat(45)}`],
    ['tables', `select 1 from ${'(select * from '.repeat(45)}auth_logs${')'.repeat(45)}`],
    ['joins', `select 1 from auth_logs t ${list(99, (index) => `join auth_logs t${index} using (id)`, ' ')}`],
  ])('is resolved within the limit: %s', (_, sql) => {
    expect(columnsOf(sql)).toMatch(/^(f0_|x) (INT64|STRING)$/);
  });
});

describe('a query with regular expressions', () => {
  test.each<[string, string, string]>([
    [
      'one that RE2 could not compile',
      String.raw`select regexp_extract('', r'(?:\pL{500}){2}')`,
      'column 27',
    ],
    [
      'many under SAFE',
      `select ${list(9, () => "safe.regexp_replace(id, '.{300}', '')")} from auth_logs`,
      'column 344',
    ],
  ])('is refused where they are too large: %s', (_, sql, place) => {
    expect(refusalOf(sql)).toBe(
      `The regular expressions of the query are too large once their counted repetitions are written out (line 1, ${place})`,
    );
  });

  test('is resolved where they are not, or are no literals', () => {
    const many = list(200, () => "regexp_contains(id, '(?i)a.*b$') or regexp_contains(id, 'a.b')", ' or ');
    expect(columnsOf(`select ${many} x from auth_logs`)).toBe('x BOOL');
    expect(columnsOf(String.raw`select regexp_contains(id, id || r'\pL{900}') x from auth_logs`)).toBe(
      'x BOOL',
    );
  });
});

describe('a query that resolves to many times its text', () => {
  const doubling = (step: (from: string) => string) =>
    `with a0 as (select 1 x), ${list(25, (index) => `a${index + 1} as (${step(`a${index}`)})`)} select 1 from a25`;

  test.each<[string, string, RegExp]>([
    [
      'columns',
      doubling((from) => `select * from ${from} p, ${from} q`),
      /^The query has more than [\d,]+ columns/,
    ],
    [
      'types',
      doubling((from) => `select struct(x as l, x as r) as x from ${from}`),
      /^The query has a record of more than/,
    ],
    [
      'an alias',
      `select ${list(400, () => 'length(id)', ' + ')} as a from auth_logs order by ${list(2000, () => 'a')}`,
      /^The query has more than 100000 expressions once each alias is replaced by its expression \(line 1, column 1\)/,
    ],
    [
      'variables',
      `select with(${list(30, (index) => `a${index} as ${index === 0 ? '1' : `a${index - 1} + a${index - 1}`}`)}, a29)`,
      /^The query has more than 100000 expressions/,
    ],
  ])('is refused where %s multiply', (_, sql, message) => {
    expect(refusalOf(sql)).toMatch(message);
  });

  test.each<[string, string, RegExp]>([
    ['an array', `select [${list(4500, () => '1')}, 'a']`, /have no common type: INT64, STRING/],
    ['a call', `select coalesce(${list(4500, () => '1')}, 'a')`, /INT64, INT64, and 4481 more/],
    ['a name', `select ${'x'.repeat(60_000)}()`, /^Function not found/],
  ])('is refused briefly for thousands of parts in %s', (_, sql, message) => {
    expect(refusalOf(sql)).toMatch(message);
  });

  test('is answered with windows that build on hundreds of others', () => {
    const windows = list(1000, (index) => `w${index} as (${index === 0 ? '' : `w${index - 1}`})`);
    expect(columnsOf(`select sum(1) over w999 from auth_logs window ${windows}`)).toBe('f0_ INT64');
  });

  test('is answered with hundreds of items and keys', () => {
    const items = list(800, (index) => `length(id) + ${index} as c${index}`);
    expect(
      analyzeQuery(`select ${items} from auth_logs group by ${list(800, (i) => `c${i}`)}`).columns,
    ).toHaveLength(800);
  });
});

describe('any tokens in any order', () => {
  const words = fc.constantFrom(
    ...`select from where group by having qualify order limit offset with as join left cross on using unnest union all
    distinct except intersect over partition window rows range between and or not in is null like case when then else
    end cast safe_cast extract interval exists array struct if count sum row_number timestamp_trunc id metadata
    timestamp auth_logs edge_logs m x a 1 2.5 'a' @project @n ( ) [ ] , . * + - / < > = != || ; |> day string int64
    date true current_timestamp level rollup`.split(/\s+/),
  );

  test('are answered or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), (tokens) => {
        toleratingRefusal(() => analyzeQuery(tokens.join(' ')));
      }),
      { numRuns: 2000 },
    );
  });

  const cases = [
    'select id, count(*) c from auth_logs, unnest(metadata) m where m.level = "x" group by id having c > 1 order by c limit 5',
    'with a as (select timestamp_trunc(timestamp, hour) h, id from edge_logs) select h, row_number() over (partition by h order by id) n from a qualify n < 3',
    'select * except (metadata) from auth_logs a left join (select struct(1 as x) s, [1, 2] l) b on b.l[offset(0)] = length(a.id)',
    'from auth_logs |> extend length(id) as n |> aggregate sum(n) as s group by event_message |> order by s',
    'select 1 a union all select 2.5 union all select null order by a',
  ];

  test('are answered or refused where words of a query are dropped, doubled and swapped', () => {
    const edits = fc.array(fc.record({ at: fc.nat(60), word: words, kind: fc.nat(2) }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.constantFrom(...cases), edits, (sql, list) => {
        const tokens = sql.match(/\w+|"\w+"|\S/g) ?? [];
        for (const { at, word, kind } of list)
          tokens.splice(at % tokens.length, kind === 0 ? 1 : 0, ...(kind === 1 ? [] : [word]));
        toleratingRefusal(() => analyzeQuery(tokens.join(' ')));
      }),
      { numRuns: 3000 },
    );
  });
});
