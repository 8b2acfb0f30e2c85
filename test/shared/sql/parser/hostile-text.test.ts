import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import { toleratingRefusal } from '../support/service-error.ts';
import { syntaxError } from './support/syntax-trees.ts';

const nesting: readonly [string, string][] = [
  ['parentheses', `select ${'('.repeat(9_000)}`],
  ['closed parentheses', `select ${'('.repeat(4_900)}1${')'.repeat(4_900)}`],
  ['NOT', `select ${'not '.repeat(9_000)}true`],
  ['minus', `select ${'- '.repeat(9_000)}1`],
  ['brackets', `select ${'['.repeat(9_000)}`],
  ['subscripts', `select a${'['.repeat(9_000)}`],
  ['CASE', `select ${'case '.repeat(9_000)}`],
  ['CASE in WHEN', `select ${'case when '.repeat(4_500)}`],
  ['casts', `select ${'cast('.repeat(4_500)}1`],
  ['calls', `select ${'f('.repeat(4_500)}`],
  ['subqueries', `select ${'(select '.repeat(4_500)}`],
  ['table subqueries', `select * from ${'(select * from '.repeat(2_000)}`],
  ['parentheses in FROM', `select * from ${'('.repeat(9_000)}`],
  ['parentheses around queries', `${'('.repeat(9_000)}select 1`],
  ['EXISTS', `select ${'exists(select '.repeat(3_000)}`],
  ['WITH', `${'with a as ('.repeat(2_000)}`],
  ['WITH expressions', `select ${'with(a as '.repeat(2_000)}`],
  ['array types', `select cast(1 as ${'array<'.repeat(4_000)}`],
  ['struct types', `select cast(1 as ${'struct<a '.repeat(3_000)}`],
  ['structs', `select ${'struct('.repeat(4_500)}`],
  ['intervals', `select ${'interval '.repeat(7_000)}`],
  ['EXTRACT', `select ${'extract(year from '.repeat(2_400)}`],
  ['IN', `select ${'1 in ('.repeat(3_000)}`],
  ['BETWEEN', `select ${'(1 between '.repeat(3_000)}`],
  ['windows', `select ${'sum(1) over (order by '.repeat(1_200)}`],
  ['named arguments', `select ${'f(a => '.repeat(2_400)}`],
  ['lambdas', `select ${'f(e -> '.repeat(2_400)}`],
  ['grouping sets', `select 1 from t group by ${'('.repeat(9_000)}`],
];

const chains: readonly [string, string, RegExp][] = [
  ['+', `select 1${'+1'.repeat(4_900)}`, /more than 500 operators in one chain/],
  ['AND', `select x${' and x'.repeat(4_900)}`, /more than 500 operators in one chain/],
  ['||', `select 'a'${"||'a'".repeat(4_900)}`, /more than 500 operators in one chain/],
  ['fields', `select a${'.a'.repeat(4_900)}`, /a path of more than 100 parts/],
  ['subscripts', `select a${'[0]'.repeat(3_000)}`, /a path of more than 100 parts/],
  ['joins', `select 1 from t${' join t using (id)'.repeat(1_500)}`, /more than 100 joins in one FROM/],
  ['commas', `select 1 from t${', t'.repeat(4_900)}`, /more than 100 joins in one FROM/],
  ['pipe steps', `from t${'|> where true '.repeat(3_000)}`, /more than 100 pipe steps/],
];

describe('a very long query', () => {
  test.each(nesting)('is refused for its depth: %s', (_, sql) => {
    expect(syntaxError(sql)).toMatch(/^The query is nested deeper than 100 levels \(line 1, column \d+\)$/);
  });

  test.each(chains)('is refused for its length: %s', (_, sql, message) => {
    expect(syntaxError(sql)).toMatch(message);
  });

  test.each<[string, string]>([
    ['parentheses', `select ${'('.repeat(90)}1${')'.repeat(90)}`],
    ['operators', `select 1${'+1'.repeat(500)}`],
    ['fields', `select a${'.a'.repeat(99)}`],
    ['joins', `select 1 from t${', t'.repeat(100)}`],
    ['columns', `select 1${',1'.repeat(4_900)}`],
    ['values', `select 1 in (1${',1'.repeat(4_900)})`],
    ['set operations', `select 1${' union all select 1'.repeat(2_400)}`],
    [
      'CTEs',
      `with ${Array.from({ length: 1_200 }, (_, index) => `a${index} as (select 1)`).join(',')} select 1`,
    ],
  ])('is read within the limits: %s', (_, sql) => {
    expect(parseStatement(sql).kind).toBe('query');
  });
});

describe('any tokens', () => {
  const tokens = fc.constantFrom(
    ...`select from where group by having qualify window order limit offset with recursive as distinct all except replace
    union intersect join left right full inner outer cross natural on using unnest lateral tablesample pivot over
    partition rows range between and or not in is like any null true false case when then else end cast safe_cast
    extract interval exists array struct rollup cube grouping sets unbounded preceding following current row nulls
    first last ignore respect asc desc at time zone for if date timestamp a b f 1 2.5 'x' b'y' @p @@s ? ( ) [ ] { } ,
    . ; : * + - / < > <= => -> = != || |> << & | ^ ~ @{ \`q\``.split(/\s+/),
  );

  test('are a query or are refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 60 }), (list) => {
        toleratingRefusal(() => parseStatement(list.join(' ')));
        toleratingRefusal(() => parseStatement(`select ${list.join(' ')}`));
        toleratingRefusal(() => parseStatement(`select 1 from t ${list.join(' ')}`));
      }),
      { numRuns: 3_000 },
    );
  });

  test('are a query or are refused in thousands', () => {
    fc.assert(
      fc.property(
        fc.array(tokens, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 500, max: 2_400 }),
        (list, count) => {
          toleratingRefusal(() => parseStatement(`select ${`${list.join(' ')} `.repeat(count)}`));
        },
      ),
      { numRuns: 300 },
    );
  });
});
