import { describe, expect, test } from '@jest/globals';
import { analyze } from '../../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import { printQuery } from '../../../../shared/sql/print/print-query.ts';
import { makeSandbox } from '../../../../shared/sql/sandbox/consumer-query.ts';
import { COMPOSED_LIMITS } from '../../../../shared/sql/text/sql-limits.ts';
import type { ParameterType, QueryParameter } from '../../../../shared/sql/types/query-parameter.ts';
import { ACCEPTED } from './support/accepted.ts';
import { REQUEST } from './support/refusals.ts';
import { BOUND, sandbox, TABLES } from './support/sandbox-of-logs.ts';

const TYPES: ReadonlyMap<string, ParameterType> = new Map([
  ['project', 'STRING'],
  ['since', 'TIMESTAMP'],
]);
const VALUES: ReadonlyMap<string, QueryParameter> = new Map([
  ['project', { type: 'STRING', value: 'demo' }],
  ['since', { type: 'TIMESTAMP', value: null }],
]);

/** Four CTEs: c reads a, d reads b and c; only some need parameters. */
const small = makeSandbox({
  endpointSql: `with a as (select 1 as x, @project as p), -- first
    B as (select 2 as x), c as (select x from a where @since is null), \`d\` as (select b.x from b join c on true)
    select x from d`,
  parameterTypes: TYPES,
  tables: new Map(),
  dataset: 'logs',
  forbiddenNames: [],
});

const A = 'a AS (SELECT 1 AS x, @project AS p)';
const B = 'B AS (SELECT 2 AS x)';
const C = 'c AS (SELECT x FROM a WHERE @since IS NULL)';
const D = 'd AS (SELECT b.x FROM b JOIN c ON TRUE)';

describe('a composed query is', () => {
  test.each<[string, string, string, string[]]>([
    ['the consumer’s alone, when it reads no source', 'select 1;', 'SELECT 1', []],
    ['over the one source that it reads', 'select x from b', `WITH ${B} SELECT x FROM b`, []],
    [
      'over what that source reads',
      'select x from c',
      `WITH ${A}, ${C} SELECT x FROM c`,
      ['project', 'since'],
    ],
    [
      'over all, in their order',
      'select x from D',
      `WITH ${A}, ${B}, ${C}, ${D} SELECT x FROM D`,
      ['project', 'since'],
    ],
    [
      'over two, whatever their order',
      'select 1 from b, a',
      `WITH ${A}, ${B} SELECT 1 FROM b, a`,
      ['project'],
    ],
    [
      'the stored CTEs, then the consumer’s',
      'with y as (select x from b), z as (select x from y) select x from z order by x desc limit 1',
      `WITH ${B}, y AS (SELECT x FROM b), z AS (SELECT x FROM y) SELECT x FROM z ORDER BY x DESC LIMIT 1`,
      [],
    ],
    [
      'WITH RECURSIVE as a whole, if the consumer’s is',
      'with recursive z as (select x from y), y as (select x from b union all select x + 1 from y where x < 9) select x from z',
      `WITH RECURSIVE ${B}, z AS (SELECT x FROM y), y AS (SELECT x FROM b UNION ALL SELECT x + 1 FROM y WHERE x < 9) SELECT x FROM z`,
      [],
    ],
    [
      'the consumer’s CTEs alone',
      'with y as (select 1 x) select x from y',
      'WITH y AS (SELECT 1 AS x) SELECT x FROM y',
      [],
    ],
    [
      'with a CTE in parentheses left where it is',
      '(with y as (select x from b) select x from y) order by 1',
      `WITH ${B} (WITH y AS (SELECT x FROM b) SELECT x FROM y) ORDER BY 1`,
      [],
    ],
    [
      'with a CTE in a subquery left where it is',
      'select (with y as (select x from a) select max(x) from y) as m',
      `WITH ${A} SELECT (WITH y AS (SELECT x FROM a) SELECT MAX(x) FROM y) AS m`,
      ['project'],
    ],
    [
      'over a source in a subquery',
      'select array(select x from b) as l',
      `WITH ${B} SELECT ARRAY(SELECT x FROM b) AS l`,
      [],
    ],
    [
      'with set operations outside of WITH',
      'select x from b union all select 1',
      `WITH ${B} SELECT x FROM b UNION ALL SELECT 1`,
      [],
    ],
    ['in pipe syntax as it stands', 'from b |> where x > 1', `WITH ${B} FROM b |> WHERE x > 1`, []],
    [
      'with a parenthesis in a CTE’s string',
      "with y as (select ')' as s) select s from y",
      "WITH y AS (SELECT ')' AS s) SELECT s FROM y",
      [],
    ],
    [
      'with parameters under one spelling',
      'select @PROJECT as p, @Given as g, @given as h',
      'SELECT @project AS p, @given AS g, @given AS h',
      ['project', 'given'],
    ],
    [
      'with an alias like a source’s name',
      'select b.x from (select 1 as x) as b',
      'SELECT b.x FROM (SELECT 1 AS x) AS b',
      [],
    ],
  ])('%s', (_, text, expected, parameters) => {
    const query = small.compile(text, REQUEST, VALUES);
    expect(query.sql).toBe(expected);
    expect([...query.parameters.keys()]).toEqual(parameters);
    expect(printQuery(parseStatement(query.sql))).toBe(query.sql);
    expect(printQuery(query.tree)).toBe(query.sql);
  });
});

describe('what analysts write is accepted:', () => {
  test.each(ACCEPTED)('$why', ({ sql, sources }) => {
    const query = sandbox.compile(sql, REQUEST, BOUND);
    expect(query.sources).toEqual(sources);

    const types = new Map([...query.parameters].map(([name, { type }]) => [name, { kind: type }] as const));
    const composed = analyze(parseStatement(query.sql), query.sql, {
      dataset: 'logs',
      tables: TABLES,
      parameters: types,
    });
    expect(composed.columns).toEqual(query.columns);
  });

  test('with the stored query’s own parameters and the request’s', () => {
    const query = sandbox.compile('select @given as g, @PROJECT as p from edge_logs', REQUEST, BOUND);
    expect(query.usedParameters).toEqual(['given']);
    expect(Object.fromEntries(query.parameters)).toEqual({
      ...Object.fromEntries(BOUND),
      given: { type: 'STRING', value: '5' },
    });
  });

  test('with an empty value, which is a value', () => {
    const query = sandbox.compile('select @a as a', new Map([['A', ['']]]), BOUND);
    expect(query.parameters.get('a')).toEqual({ type: 'STRING', value: '' });
    expect(query.usedParameters).toEqual(['A']);
  });

  test('twice with other values, which never mix', () => {
    const [first, second] = ['x', 'y'].map((value) =>
      sandbox.compile('select @a as a -- again', new Map([['a', [value]]]), BOUND),
    );
    expect(first?.parameters.get('a')?.value).toBe('x');
    expect(second?.parameters.get('a')?.value).toBe('y');
    expect(second?.sql).toBe(first?.sql);
  });
});

describe('a warning reports', () => {
  const BOUNDED = new Map([...BOUND, ['iso_timestamp_start', { type: 'TIMESTAMP', value: 0n } as const]]);

  test.each([
    ['of nothing', 'select id from edge_logs', []],
    ['of nothing where no source is read', 'select 1 as x', []],
    ['of whole records', 'select metadata from edge_logs', ['metadata']],
    ['of whole records under another name', 'select metadata as m from edge_logs', ['column m']],
    ['of whole records in a star', 'select * from edge_logs', ['metadata']],
    ['of a cross join', 'select e.id from edge_logs e cross join auth_logs a', ['cross join']],
    ['of a comma', 'select e.id from edge_logs e, auth_logs a where e.id is not null', ['cross join']],
    [
      'of one in a CTE',
      'with x as (select e.id from edge_logs e, auth_logs a) select id from x',
      ['cross join'],
    ],
    ['of one in a subquery', 'select (select count(*) from edge_logs e, auth_logs a) as n', ['cross join']],
    ['of nothing where WHERE joins', 'select e.id from edge_logs e, auth_logs a where e.id = a.id', []],
    ['of nothing for arrays', 'select e.id from edge_logs e, unnest(metadata) m, m.request', []],
    [
      'of nothing for one row',
      'select e.id from edge_logs e cross join (select count(*) n from auth_logs)',
      [],
    ],
  ])('%s: %s', (_, sql, expected) => {
    const { warnings } = sandbox.compile(sql, REQUEST, BOUNDED);
    expect(warnings).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  test('of all time, where no bound is given and a source has one', () => {
    const told = [expect.stringMatching(/time bound.*iso_timestamp_start or iso_timestamp_end/)];
    expect(sandbox.compile('select id from edge_logs', REQUEST, BOUND).warnings).toEqual(told);
    expect(sandbox.compile('select 1 as x', REQUEST, BOUND).warnings).toEqual([]);
    expect(sandbox.stored(BOUND).warnings).toEqual([...told, expect.stringContaining('metadata')]);
  });
});

describe('a query at the limits composes to one that the warehouse still reads', () => {
  test.each([
    ['bytes that canonical text spells out', `select id, b'${'\u0001'.repeat(65_000)}' as x from edge_logs`],
    ['a string of controls', `select id, '${'\u0001'.repeat(65_000)}' as x from edge_logs`],
    ['as many tokens as may be', `select id, [${'1,'.repeat(4_993)}1] as x from edge_logs`],
  ])('%s', (_, sql) => {
    const { sql: composed } = sandbox.compile(sql, REQUEST, BOUND);
    const tree = parseStatement(composed, COMPOSED_LIMITS);
    expect(tree.ctes).toHaveLength(1);
    expect(printQuery(tree)).toBe(composed);
  });
});

describe('parameters that come with their types', () => {
  const NONE = new Map<string, readonly string[]>();
  const typed = (parameter: QueryParameter) => new Map([['given', parameter]]);

  test('are bound beside those of the endpoint', () => {
    const query = small.compile(
      'select x from c where x = @given',
      NONE,
      VALUES,
      typed({ type: 'INT64', value: 2n }),
    );
    expect(query.sql).toBe(`WITH ${A}, ${C} SELECT x FROM c WHERE x = @given`);
    expect([...query.parameters]).toEqual([...VALUES, ['given', { type: 'INT64', value: 2n }]]);
    expect(query.usedParameters).toEqual([]);
  });

  test('make another query of the same text when they have another type', () => {
    const sql = 'select @given as y';
    const columns = (...parameters: QueryParameter[]) =>
      parameters.map((parameter) => small.compile(sql, NONE, VALUES, typed(parameter)).columns);
    const kinds = ['INT64', 'BOOL', 'INT64'].map((kind) => [{ name: 'y', type: { kind } }]);
    const [whole, flag] = [{ type: 'INT64', value: 1n } as const, { type: 'BOOL', value: true } as const];
    expect(columns(whole, flag, whole)).toEqual(kinds);
    const request = new Map([['given', ['1']]]);
    expect(small.compile(sql, request, VALUES).columns).toEqual([{ name: 'y', type: { kind: 'STRING' } }]);
  });

  test('have the types that they have', () => {
    const text = typed({ type: 'STRING', value: 'a' });
    expect(() => small.compile('select x from b where x = @given', NONE, VALUES, text)).toThrow(/INT64/);
  });
});

test('the sources are listed with their columns', () => {
  expect(Object.fromEntries(small.schemas)).toMatchObject({
    a: [
      { name: 'x', type: { kind: 'INT64' } },
      { name: 'p', type: { kind: 'STRING' } },
    ],
    B: [{ name: 'x', type: { kind: 'INT64' } }],
  });
});

describe('recursion', () => {
  const RUN = (sql: string, endpointSql: string) =>
    makeSandbox({
      endpointSql,
      parameterTypes: TYPES,
      tables: new Map(),
      dataset: 'logs',
      forbiddenNames: [],
    }).compile(sql, new Map(), VALUES).sql;
  const STEPS = 's AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM s WHERE x < 3)';

  test('of a stored query is kept with the CTEs that recur, for a query with CTEs of its own too', () => {
    const stored = `WITH RECURSIVE t AS (SELECT 1 AS y), ${STEPS} SELECT x FROM s`;
    expect(RUN('select x from s', stored)).toBe(`WITH RECURSIVE ${STEPS} SELECT x FROM s`);
    expect(RUN('with z as (select x from s) select x from z', stored)).toBe(
      `WITH RECURSIVE ${STEPS}, z AS (SELECT x FROM s) SELECT x FROM z`,
    );
    expect(() => RUN('with s as (select 1 as x) select x from s', stored)).toThrow('the name is taken');
  });

  test('may not take a name from inside a stored CTE, whose meaning stays as it was', () => {
    const stored = 'with a as (with b as (select 1 as x) select 2 as x) select x from a';
    expect(() =>
      RUN(
        'with recursive b as (select 2 as x union all select x from b where false) select x from b, a',
        stored,
      ),
    ).toThrow('WITH cannot define b, the name is taken');
    expect(RUN('with b as (select 2 as x) select x from b', stored)).toBe(
      'WITH b AS (SELECT 2 AS x) SELECT x FROM b',
    );
  });
});
