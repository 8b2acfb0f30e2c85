import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileLql } from '../../../shared/lql/compile.ts';
import { parseLql } from '../../../shared/lql/parse.ts';
import { quoteIdentifier } from '../../../shared/sql/print/quote.ts';
import { makeSandbox } from '../../../shared/sql/sandbox/consumer-query.ts';
import { type Column, type SqlType, STRING, typeText } from '../../../shared/sql/types/sql-type.ts';
import { BOUND, sandbox } from '../sql/sandbox/support/sandbox-of-logs.ts';
import { columns, EDGE, NOW_MICROS, records } from './support/sources.ts';

const SEED = 20240306;
const QUERIES = 1_500;
const REQUEST = new Map([['project', ['demo']]]);

interface Field {
  readonly path: string;
  readonly type: SqlType;
}

/** The fields that paths can end at. */
function fieldsOf(fields: readonly Column[], before = ''): Field[] {
  return fields.flatMap(({ name, type }) => {
    const element = type.kind === 'ARRAY' ? type.element : type;
    if (element.kind === 'STRUCT') return fieldsOf(element.fields, `${before}${name}.`);
    return /^[A-Za-z0-9_]+$/.test(name) ? [{ path: `${before}${name}`, type }] : [];
  });
}

function values(type: SqlType): fc.Arbitrary<string> {
  switch (type.kind) {
    case 'INT64':
      return fc.constantFrom('5', '"-9223372036854775808"');
    case 'FLOAT64':
      return fc.constantFrom('1.5', '"-2"');
    case 'BOOL':
      return fc.constantFrom('true', 'false');
    default:
      return fc.constantFrom('GET', '"a b"', String.raw`"'; select \" -- "`, '"`"', '""', '(@x)');
  }
}

/** A clause about a field that its type allows. A column called t or f can only be selected. */
function clauseOf({ path, type }: Field): fc.Arbitrary<string> {
  const select = fc.constant(`s:${path}`);
  if (/^(?:f|from|s|select|c|chart|t|timestamp)$/.test(path)) return select;
  const element = type.kind === 'ARRAY' ? type.element : type;
  if (element.kind === 'TIMESTAMP') return select;
  const isNull = fc.constant(`${path}:NULL`);
  if (type.kind === 'ARRAY')
    return fc.oneof(
      select,
      isNull,
      values(element).map((value) => `${path}:@>${value}`),
    );
  const own = [isNull, select, values(type).map((value) => `${path}:${value}`)];
  if (type.kind === 'STRING') own.push(fc.constantFrom(`${path}:~"a.c"`, `${path}:1..5`, `${path}:>"x"`));
  if (type.kind === 'INT64') own.push(fc.constantFrom(`${path}:>=5`, `${path}:1..5`));
  return fc.oneof(...own);
}

const GENERAL = ['error', '"a b"', '~"(?i)x"', 't:today', 't:last@15m', 't:2024-01-01', 't:>now', 's:*'];

/** Queries over a source that fit its columns. */
function queriesOver(source: string, fields: readonly Field[]): fc.Arbitrary<string> {
  const filters = fc.oneof(fc.constantFrom(...GENERAL), fc.constantFrom(...fields).chain(clauseOf));
  const numbers = fields.filter(({ type }) => type.kind === 'INT64' || type.kind === 'FLOAT64');
  const charts = fc.oneof(
    fc.constantFrom('', '', 'c:count(*)', 'c:countd(id) c:group_by(t::day)', 'c:group_by(t::s)'),
    fc.constantFrom('', ...numbers.flatMap(({ path }) => [`c:p95(${path})`, `c:avg(${path})`])),
  );
  return fc
    .tuple(fc.array(fc.tuple(fc.boolean(), filters), { maxLength: 8 }), charts)
    .map(([some, chart]) => {
      const seen = new Set<string>();
      const parts = some.map(([isNegated, clause]) =>
        isNegated && !clause.startsWith('s:') ? `-${clause}` : clause,
      );
      const unique = parts.filter((part) => !seen.has(part) && seen.add(part));
      return [`f:${source}`, ...unique, chart].join(' ');
    });
}

describe('what LQL compiles to passes the sandbox', () => {
  test.each([...sandbox.schemas])('over %s', (source, schema) => {
    fc.assert(
      fc.property(queriesOver(source, fieldsOf(schema)), (lql) => {
        const options = { sources: sandbox.schemas, nowMicros: NOW_MICROS, parameterPrefix: 'lql_' };
        const { tree, parameters } = compileLql(lql, parseLql(lql), options);
        const composed = sandbox.compile(tree, REQUEST, BOUND, parameters);
        expect(composed.sources).toEqual([source]);
        expect([...composed.parameters.keys()].filter((name) => !BOUND.has(name))).toEqual([
          ...parameters.keys(),
        ]);
      }),
      { numRuns: Math.ceil(QUERIES / sandbox.schemas.size), seed: SEED },
    );
  });

  test('over names that mean something in SQL, and deep ones', () => {
    const awkward = [
      'select',
      'from',
      'unnest',
      'e1',
      'e2',
      'r1',
      't',
      'order',
      'NULL',
      'true',
      '0',
      'lql_1',
    ];
    const leaves = Object.fromEntries(awkward.map((name) => [name, STRING]));
    const deep = Array.from({ length: 12 }).reduce<SqlType>(
      (type) => records({ e1: type, ...leaves }),
      STRING,
    );
    const schema = [...EDGE, ...columns({ t: STRING, group: STRING, e1: deep })];
    const list = schema.map(({ name, type }) => `CAST(NULL AS ${quoted(type)}) AS ${quoteIdentifier(name)}`);
    const own = makeSandbox({
      endpointSql: `WITH \`select\` AS (SELECT ${list.join(', ')}) SELECT 1 FROM \`select\``,
      parameterTypes: new Map(),
      tables: new Map(),
      dataset: 'logs',
      forbiddenNames: [],
    });
    fc.assert(
      fc.property(queriesOver('select', fieldsOf(schema)), (lql) => {
        const options = { sources: own.schemas, nowMicros: NOW_MICROS, parameterPrefix: 'lql_' };
        const { tree, parameters } = compileLql(lql, parseLql(lql), options);
        expect(own.compile(tree, REQUEST, new Map(), parameters).sources).toEqual(['select']);
      }),
      { numRuns: 300, seed: SEED },
    );
  });
});

/** A type in SQL with its names in backquotes. */
function quoted(type: SqlType): string {
  if (type.kind === 'ARRAY') return `ARRAY<${quoted(type.element)}>`;
  if (type.kind !== 'STRUCT') return typeText(type);
  return `STRUCT<${type.fields.map((field) => `${quoteIdentifier(field.name)} ${quoted(field.type)}`).join(', ')}>`;
}
