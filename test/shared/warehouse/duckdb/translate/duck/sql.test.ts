import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { STRING } from '../../../../../../shared/sql/types/sql-type.ts';
import {
  bigint,
  column,
  duck,
  filtered,
  identifier,
  joined,
  lambdaOf,
  mapped,
  type Sql,
  subquery,
  textLiteral,
  variable,
  word,
} from '../../../../../../shared/warehouse/duckdb/translate/duck/sql.ts';
import {
  raiseText,
  unfolded,
  withLocals,
} from '../../../../../../shared/warehouse/duckdb/translate/functions/fragments.ts';
import { REFUSAL } from '../../../../../../shared/warehouse/duckdb/translate/not-supported.ts';

const COLUMN = column(word('q1'), word('c1'));

describe('SQL as a value', () => {
  test.each<[string, Sql, string]>([
    ['a template with holes', duck`f(${textLiteral("it's")}, ${1}, ${2n})`, "f('it''s', 1, 2)"],
    ['a list', joined([word('a'), word('b')], ' AND '), 'a AND b'],
    ['an empty list', joined([], ', '), ''],
    ['a name', identifier('a"b'), '"a""b"'],
    ['a column', COLUMN, 'q1.c1'],
    ['a field of a column', COLUMN.field('x'), 'q1.c1.x'],
    ['a number below zero', bigint(-5n), '(-5)::BIGINT'],
    ['a lambda', mapped(COLUMN, (x) => duck`${x} + 1`), 'list_transform(q1.c1, lambda v1: v1 + 1)'],
    [
      'a lambda of an element and its place',
      filtered(COLUMN, (x, place) => duck`${x} > ${place}`),
      'list_filter(q1.c1, lambda v1, v2: v1 > v2)',
    ],
    [
      'lambdas in each other, each with names of its own',
      mapped(COLUMN, (x) => mapped(x, (y) => duck`${x} + ${y}`)),
      'list_transform(q1.c1, lambda v1: list_transform(v1, lambda v2: v1 + v2))',
    ],
  ])('%s becomes text at the end', (_, sql, text) => {
    expect(sql.text()).toBe(text);
    expect(sql.size).toBe(text.length);
  });

  const element = variable();
  test.each<[string, Sql, Partial<Sql['properties']>]>([
    ['a literal', textLiteral('SELECT random() raise v1 lambda'), { isConstant: true }],
    ['a call of literals', duck`f(${textLiteral('a')}, ${1})`, { isConstant: true }],
    ['a call of a column', duck`f(${COLUMN})`, {}],
    ['a lambda', duck`f(${lambdaOf([element], element)})`, {}],
    ['a subquery', duck`f(${subquery(word('SELECT 1'))})`, { hasSubquery: true }],
    [
      'a subquery in a lambda',
      mapped(COLUMN, () => subquery(word('SELECT 1'))),
      { hasSubquery: true, hasSubqueryInLambda: true },
    ],
    ['an error', duck`f(${raiseText('no', STRING)})`, { isConstant: true, mayRaise: true }],
    [
      'a refusal',
      duck`f(${raiseText(`${REFUSAL}this`, STRING)})`,
      { isConstant: true, mayRaise: true, mayRefuse: true },
    ],
    ['what is not folded', duck`f(${unfolded(bigint(1n))})`, { isConstant: true, isVolatile: true }],
  ])('the properties of %s follow from its parts', (_, sql, properties) => {
    const none = {
      isConstant: false,
      isVolatile: false,
      mayRaise: false,
      mayRefuse: false,
      hasSubquery: false,
      hasSubqueryInLambda: false,
    };
    expect(sql.properties).toEqual({ ...none, ...properties });
  });

  test('it cannot be put into text by accident', () => {
    expect(() => `${COLUMN}`).toThrow('SQL as text');
    expect(() => duck`f(${undefined})`).toThrow('no SQL behind "f("');
  });
});

describe('SQL that is bound', () => {
  let instance: DuckDBInstance;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
  });
  afterAll(() => instance.closeSync());

  test('means the same whatever texts it holds', async () => {
    const connection = await instance.connect();
    const text = fc.oneof(
      fc.string({ maxLength: 60 }).map((some) => some.replaceAll('\0', '')),
      fc.constantFrom(
        'v1',
        'v9007199254740992',
        'SELECT',
        '(',
        "'",
        'lambda v1: v1',
        'gsql_raise(',
        'random()',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
        const long = texts.map(
          (one) => duck`concat(${textLiteral(one)}, ${textLiteral('')}, CAST(NULL AS VARCHAR))`,
        );
        const nested = long.reduce((inner, one) =>
          withLocals([inner, one], (a, b) => duck`${a} || ${b} || CAST(length(${a}) AS VARCHAR)`),
        );
        const expected = texts.reduce((inner, one) => `${inner}${one}${Array.from(inner).length}`);
        const rows = (await connection.runAndReadAll(`SELECT ${nested.text()}`)).getRows();
        expect(rows).toEqual([[expected]]);
      }),
      { numRuns: 60 },
    );
    connection.closeSync();
  });
});

test('the translator makes text of SQL in one place only', async () => {
  const folder = 'shared/warehouse/duckdb/translate';
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(folder, file), 'utf8') })),
  );
  const uses = texts.flatMap(({ file, text }) => [...text.matchAll(/\.text\(\)/g)].map(() => file));
  expect(uses).toEqual(['translate.ts']);
});
