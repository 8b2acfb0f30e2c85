import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Query } from '../../../../shared/sql/ast/query.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import { printQuery } from '../../../../shared/sql/print/print-query.ts';
import { COMPOSED_LIMITS } from '../../../../shared/sql/text/sql-limits.ts';
import { lexicalQuery } from '../../../fuzz/generate/lexemes.ts';
import { mutate } from '../../../fuzz/generate/mutate.ts';
import { operatorQuery } from '../../../fuzz/generate/operators.ts';
import { query } from '../../../fuzz/generate/queries.ts';
import { randomFor } from '../../../fuzz/generate/random.ts';
import { scopedQuery } from '../../../fuzz/generate/scopes.ts';
import { readSeeds } from '../../../fuzz/seeds.ts';
import { ACCEPTED } from '../sandbox/support/accepted.ts';

const STYLES = ['plain', 'explicit'] as const;

/** A tree without the places of its nodes. */
function shape(tree: Query): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value) => (key === 'at' ? undefined : value)));
}

/** The tree of a text; null for one that the parser refuses. */
function parsed(sql: string): Query | null {
  try {
    return parseStatement(sql, COMPOSED_LIMITS);
  } catch {
    return null;
  }
}

/** A chain of operators, which the parser reads without recursion, nests a parenthesis for each when all are printed. */
const isTooDeep = (error: unknown) => String(error).includes('nested deeper than');

function expectExact(sql: string): void {
  const tree = parsed(sql);
  if (tree === null) return;
  for (const style of STYLES) {
    const printed = printQuery(tree, style);
    try {
      const again = parseStatement(printed, { ...COMPOSED_LIMITS, bytes: 10 * COMPOSED_LIMITS.bytes });
      expect({ printed, tree: shape(again) }).toEqual({ printed, tree: shape(tree) });
      expect(printQuery(again, style)).toBe(printed);
    } catch (error) {
      if (style === 'plain' || !isTooDeep(error)) throw error;
    }
  }
}

const plain = (sql: string) => printQuery(parseStatement(sql));

describe('a printed query', () => {
  test.each([
    ['comments', 'select 1 -- a\n, 2 # b\n, /* c */ 3', 'SELECT 1, 2, 3'],
    ['a comma after the last column', 'select 1, 2, from a', 'SELECT 1, 2 FROM a'],
    [
      'quotes of all kinds',
      `select "a'b", 'a"b', '''a'b''', """a"b"""`,
      String.raw`SELECT 'a\'b', 'a"b', 'a\'b', 'a"b'`,
    ],
    ['raw strings', String.raw`select r'\'', r"\n"`, String.raw`SELECT '\\\'', '\\n'`],
    ['lines in strings', "select '''a\r\nb\rc'''", String.raw`SELECT 'a\nb\nc'`],
    ['invisible characters', "select 'a\u200bb\u00a0c\u202e'", String.raw`SELECT 'a\u200bb\u00a0c\u202e'`],
    ['bytes', String.raw`select b'aé', rb'\x'`, String.raw`SELECT b'\x61\xc3\xa9', b'\x5c\x78'`],
    [
      'names that are keywords',
      'select `select`, x.from, `a b`, `a` from `order`',
      'SELECT `select`, x.`from`, `a b`, a FROM `order`',
    ],
    [
      'names that are functions',
      'select `current_date`, current_date, `safe_cast`',
      'SELECT `current_date`, CURRENT_DATE(), `safe_cast`',
    ],
    ['numbers', 'select 0x1F, 1., .5, 1e10, 007', 'SELECT 0x1F, 1., 0.5, 1e10, 007'],
    ['two signs', 'select - -1, -(-1), -(1), + -a, ~-a', 'SELECT - -1, - -1, -(1), + -a, ~ -a'],
    [
      'needless parentheses',
      'select ((a + b)) * (c), (a or b) and not (c = d)',
      'SELECT (a + b) * c, (a OR b) AND NOT c = d',
    ],
    [
      'associativity',
      'select a - (b - c), (a - b) - c, a || b || (c || d)',
      'SELECT a - (b - c), a - b - c, a || b || (c || d)',
    ],
    [
      'compared comparisons',
      'select (a = b) = c, a between (b = c) and d, (a in (1)) is null',
      'SELECT (a = b) = c, a BETWEEN (b = c) AND d, (a IN (1)) IS NULL',
    ],
    ['shifts', 'select 8 >> 1 << 2', 'SELECT 8 >> 1 << 2'],
    ['tuples', 'select (1, a), struct(1, a as b)', 'SELECT (1, a), STRUCT(1, a AS b)'],
    [
      'types',
      'select cast(x as array<struct<a int64, array<interval>>>)',
      'SELECT CAST(x AS ARRAY<STRUCT<a INT64, ARRAY<INTERVAL>>>)',
    ],
    ['a number with a field', 'select 1 .x, "a"[0]', "SELECT 1 .x, 'a'[0]"],
    [
      'subscripts',
      'select a[offset(0)].b, a[`offset`(0)], a[0]',
      'SELECT a[OFFSET(0)].b, a[(OFFSET(0))], a[0]',
    ],
    ['parameters', 'select @a, @`b c`', 'SELECT @a, @`b c`'],
    [
      'joins',
      'select 1 from a, (b inner join c using (x)) left outer join d on true',
      'SELECT 1 FROM a, (b JOIN c USING (x)) LEFT JOIN d ON TRUE',
    ],
    [
      'an order before a pipe',
      'with w as (select 1) select 1 order by 1 |> limit 1',
      'WITH w AS (SELECT 1) SELECT 1 ORDER BY 1 |> LIMIT 1',
    ],
    [
      'a lambda',
      'select array_filter(a, e -> e > 1), f((a, i) -> i)',
      'SELECT ARRAY_FILTER(a, e -> e > 1), F((a, i) -> i)',
    ],
    [
      'grouping',
      'select 1 group by (), rollup(a, (b, c)), grouping sets((a), cube(b))',
      'SELECT 1 GROUP BY (), ROLLUP (a, (b, c)), GROUPING SETS (a, CUBE (b))',
    ],
  ])('spells %s plainly', (_, sql, expected) => {
    expect(plain(sql)).toBe(expected);
    expectExact(sql);
  });

  test('has a parenthesis for every operation and backquotes for every name, where that is asked for', () => {
    const tree = parseStatement('select a + b * -c as d, not e is null from f where x.y between 1 and 2');
    expect(printQuery(tree, 'explicit')).toBe(
      'SELECT (`a` + (`b` * (-`c`))) AS `d`, (NOT (`e` IS NULL)) FROM `f` WHERE (`x`.`y` BETWEEN 1 AND 2)',
    );
  });

  test.each(ACCEPTED)('parses to the same tree: $why', ({ sql }) => {
    expect(parsed(sql)).not.toBeNull();
    expectExact(sql);
  });
});

const QUERIES = new URL('../../../../queries/', import.meta.url);
const STORED = readdirSync(QUERIES).filter((name) => name.endsWith('.sql'));

test.each(STORED)('the stored query of %s parses to the same tree when it is printed', (name) => {
  const sql = readFileSync(new URL(name, QUERIES), 'utf8');
  expect(parsed(sql)).not.toBeNull();
  expectExact(sql);
});

const SEEDS = readSeeds();

test('all queries that fuzzing begins with parse to the same tree when they are printed', () => {
  expect(SEEDS.length).toBeGreaterThan(existsSync('../shared/conformance') ? 400 : 100);
  for (const sql of SEEDS) expectExact(sql);
});

describe('any query parses to the same tree when it is printed:', () => {
  test.each([
    ['of the grammar', (index: number) => query(randomFor(1, index), 4)],
    ['with operators of all kinds', (index: number) => operatorQuery(randomFor(2, index))],
    ['with names in scopes', (index: number) => scopedQuery(randomFor(3, index))],
    ['with lexemes of all kinds', (index: number) => lexicalQuery(randomFor(4, index))],
    [
      'like those that people write',
      (index: number) => mutate(SEEDS[index % SEEDS.length] ?? '', SEEDS, randomFor(5, index)),
    ],
  ])('%s', (_, make) => {
    fc.assert(
      fc.property(fc.nat(), (index) => expectExact(make(index).toWellFormed())),
      { numRuns: 1_000 },
    );
  });
});
