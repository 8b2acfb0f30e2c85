import { describe, expect, test } from '@jest/globals';
import { tokenize } from '../../../../shared/sql/lexer/lexer.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import { printQuery } from '../../../../shared/sql/print/print-query.ts';
import { checkTables } from '../../../../shared/sql/sandbox/check-tables.ts';
import { definedCtes, tableNames } from '../../../../shared/sql/sandbox/table-names.ts';
import { ACCEPTED } from './support/accepted.ts';
import { REFUSALS } from './support/refusals.ts';
import { sandbox } from './support/sandbox-of-logs.ts';
import { witnessTables } from './support/witness.ts';

const SOURCES = new Set(sandbox.sources);

describe('the tables that are found from tokens alone', () => {
  test.each([
    ['select 1 from a', 'a'],
    ['select 1 from a.b.c as x, `d` y join e on x = f, g', 'a.b.c d e g'],
    ['select extract(day from a), b is distinct from c, d is not distinct from e from f', 'f'],
    ['select extract(day from (select a from b))', 'b'],
    ['select 1 from (a join b on c = d), (select 1 from e), ((f))', 'a b e f'],
    ['select 1 from unnest([a, b]) c with offset d, e', 'e'],
    ['select 1 from a where b in (select c from d), e group by f, g', 'a d'],
    ['select 1 from a union all select b from c order by d, e', 'a c'],
    ['with a as (select 1 from b), c as (select 2 from a) select 1, d from c', 'b a c'],
    ['from a, b |> where c, d |> join e on f, g |> select h, i |> aggregate j', 'a b e g'],
    ['select `from` a, b.from, c from d', 'd'],
    ['select array(select a from b, c), d from e', 'b c e'],
    ['select 1 from a join b on [c, d][offset(0)] = e, f', 'a b f'],
    ['select 1 from a join b on array<struct<c int64, d array<int64>>>[(e, f)] = g, h', 'a b h'],
    ['select 1 from a join b on c.array < d, e', 'a b e'],
  ])('%s: %s', (text, expected) => {
    const names = tableNames(tokenize(text)).map(({ path }) => path.join('.'));
    expect(names.join(' ')).toBe(expected);
  });

  const hidden = REFUSALS.flatMap(([, rows]) => rows).filter(({ message }) =>
    /^Table not found: (?:secret\.)?t$/.test(message),
  );

  test('would refuse by themselves a table in any place', () => {
    expect(hidden.length).toBeGreaterThanOrEqual(40);
  });

  test.each(hidden)('refuse $why', ({ sql }) => {
    expect(() => checkTables(sql, tokenize(sql), SOURCES)).toThrow('Table not found');
  });

  test.each(ACCEPTED)('let pass $why', ({ sql }) => {
    expect(() => checkTables(sql, tokenize(sql), SOURCES)).not.toThrow();
  });
});

describe('a parser that others have written', () => {
  const readings = ACCEPTED.map((one) => ({
    ...one,
    tables: witnessTables(printQuery(parseStatement(one.sql))),
  }));

  test('reads most of what analysts write', () => {
    expect(readings.filter(({ tables }) => tables !== null).length).toBeGreaterThan(25);
  });

  test.each(readings.filter(({ tables }) => tables !== null))(
    'finds the same sources in $why',
    ({ sql, tables }) => {
      const own = definedCtes(tokenize(sql));
      const plain = tables?.filter((path) => path.length === 1).map(([name = '']) => name.toLowerCase());
      expect(plain?.filter((name) => !SOURCES.has(name) && !own.has(name))).toEqual([]);
    },
  );
});
