import type { FunctionSpec } from '../../../shared/sql/functions/signature.ts';
import { BOOL, INT64, type SqlType } from '../../../shared/sql/types/sql-type.ts';
import type { Random } from '../../fuzz/generate/random.ts';
import { aggregateColumn } from './aggregates.ts';
import { CATALOGUE, callTo } from './calls.ts';
import { expression, topCast } from './expressions.ts';
import { formQuery } from './forms.ts';
import type { GeneratedQuery } from './query.ts';
import type { Scope } from './scope.ts';
import { list, optional, type SqlTree, sequence } from './sql-tree.ts';
import { type GeneratedTable, table } from './tables.ts';
import { windowColumn } from './windows.ts';

/** How often a query is about something else than one function of the catalogue. */
const CAST_SHARE = 0.06;
const SHAPE_SHARE = 0.12;
const FORM_SHARE = 0.05;

/** The query with this number: each function of the catalogue has its turn. */
export function queryFor(index: number, random: Random): GeneratedQuery {
  const spec = CATALOGUE[index % CATALOGUE.length];
  if (random.chance(FORM_SHARE)) return formQuery(random);
  if (spec === undefined || random.chance(CAST_SHARE)) return castQuery(random);
  if (spec.name === 'GROUPING') return groupingQuery(random);
  if (spec.kind === 'window') return windowQuery(spec, random);
  if (spec.kind === 'aggregate')
    return spec.allowsOver && random.chance(0.3) ? windowQuery(spec, random) : aggregateQuery(spec, random);
  if (random.chance(SHAPE_SHARE))
    return random.pick([joinQuery, setQuery, pipeQuery, subqueryQuery])(spec, random);
  return random.chance(0.5) ? literalQuery(spec, random) : columnQuery(spec, random);
}

const scopeOf = (random: Random, depth: number, columns: Scope['columns'] = []): Scope => ({
  random,
  depth,
  columns,
});

function castQuery(random: Random): GeneratedQuery {
  const { tree } = topCast(scopeOf(random, random.below(2)));
  return { tree: sequence('SELECT ', tree, ' AS v'), ordered: true, unordered: [] };
}

function literalQuery(spec: FunctionSpec, random: Random): GeneratedQuery {
  const { tree } = callTo(spec, scopeOf(random, random.pick([1, 1, 1, 2])));
  return { tree: sequence('SELECT ', tree, ' AS v'), ordered: true, unordered: [] };
}

/** A table that has columns of most types that the function takes. */
function tableFor(spec: FunctionSpec, random: Random, name = 't'): GeneratedTable {
  const signature = random.pick(spec.signatures);
  const needed = signature.arguments.flatMap(({ pattern }): SqlType[] =>
    pattern.kind === 'type' ? [pattern.type] : [],
  );
  return table(
    name,
    random,
    [...new Map(needed.map((type) => [JSON.stringify(type), type])).values()].slice(0, 3),
  );
}

const filter = (scope: Scope): SqlTree =>
  scope.random.chance(0.3) ? optional(' WHERE ', expression(BOOL, { ...scope, depth: 2 })) : '';

function columnQuery(spec: FunctionSpec, random: Random): GeneratedQuery {
  const source = tableFor(spec, random);
  const scope = scopeOf(random, random.pick([1, 1, 2]), source.columns);
  const { tree } = callTo(spec, scope);
  return {
    tree: sequence(
      'WITH ',
      source.definition,
      ' SELECT id, ',
      tree,
      ' AS v FROM t',
      filter(scope),
      optional(' ORDER BY id'),
    ),
    ordered: false,
    unordered: [],
  };
}

function aggregateQuery(spec: FunctionSpec, random: Random): GeneratedQuery {
  const source = tableFor(spec, random);
  const scope = scopeOf(random, 1, source.columns);
  const call = aggregateColumn(spec, scope);
  const key = random.chance(0.6) ? expression(INT64, scope) : null;
  const isPipe = random.chance(0.15);
  const where = filter(scope);
  const having = random.chance(0.2)
    ? optional(
        ' HAVING ',
        random.pick(['COUNT(*) > 1', 'COUNT(*) >= 1', 'MAX(id) > 2', 'SUM(id) IS NOT NULL']),
      )
    : '';
  const from = random.chance(0.3) ? sequence('(SELECT * FROM t', where, ') AS t') : sequence('t', where);
  if (isPipe) {
    const group = key === null ? '' : sequence(' GROUP BY ', key, ' AS k');
    return {
      tree: sequence('WITH ', source.definition, ' FROM t |> AGGREGATE ', call.tree, ' AS v', group),
      ordered: false,
      unordered: call.isUnordered ? [key === null ? 0 : 1] : [],
    };
  }
  if (key === null)
    return {
      tree: sequence('WITH ', source.definition, ' SELECT ', call.tree, ' AS v FROM ', from, having),
      ordered: false,
      unordered: call.isUnordered ? [0] : [],
    };
  const group = random.pick([
    ' GROUP BY k',
    ' GROUP BY k',
    ' GROUP BY 1',
    ' GROUP BY ROLLUP(k)',
    ' GROUP BY ALL',
  ]);
  return {
    tree: sequence(
      'WITH ',
      source.definition,
      ' SELECT ',
      key,
      ' AS k, ',
      call.tree,
      ' AS v FROM ',
      from,
      group,
      having,
    ),
    ordered: false,
    unordered: call.isUnordered ? [1] : [],
  };
}

function groupingQuery(random: Random): GeneratedQuery {
  const source = table('t', random);
  const keys = random.pick([
    'ROLLUP(c0, c1)',
    'CUBE(c0, c1)',
    'GROUPING SETS(c0, (c0, c1), ())',
    'c0, ROLLUP(c1)',
    'c0, c1',
  ]);
  const grouped = source.columns.slice(1, 3);
  if (grouped.some(({ type }) => type.kind === 'JSON' || type.kind === 'ARRAY')) return groupingQuery(random);
  const scope = scopeOf(random, 1, source.columns);
  return {
    tree: sequence(
      'WITH ',
      source.definition,
      ' SELECT c0, c1, ',
      { kind: 'parts', parts: ['GROUPING(c0)'], type: INT64, calls: 'GROUPING' },
      ' AS g, COUNT(*) AS n FROM t',
      filter(scope),
      ` GROUP BY ${keys}`,
    ),
    ordered: false,
    unordered: [],
  };
}

function windowQuery(spec: FunctionSpec, random: Random): GeneratedQuery {
  const source = tableFor(spec, random);
  const scope = scopeOf(random, 1, source.columns);
  const call = windowColumn(spec, scope);
  const qualify = random.chance(0.1) ? optional(' QUALIFY ROW_NUMBER() OVER (ORDER BY id) < 4') : '';
  return {
    tree: sequence(
      'WITH ',
      source.definition,
      ' SELECT id, ',
      call.tree,
      ' AS v FROM t',
      filter(scope),
      qualify,
      call.clause,
    ),
    ordered: false,
    unordered: call.isUnordered ? [1] : [],
  };
}

function joinQuery(spec: FunctionSpec, random: Random): GeneratedQuery {
  const [left, right] = [tableFor(spec, random, 't'), table('u', random)];
  const kind = random.pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'CROSS JOIN']);
  const scope = scopeOf(random, 1, [
    ...left.columns.map(({ name, type }) => ({ name: `t.${name}`, type })),
    ...right.columns.map(({ name, type }) => ({ name: `u.${name}`, type })),
  ]);
  const on =
    kind === 'CROSS JOIN'
      ? ''
      : random.pick([' ON t.id = u.id', ' ON t.id < u.id', ' ON t.id = u.id AND t.id > 1', ' USING (id)']);
  return {
    tree: sequence(
      'WITH ',
      left.definition,
      ', ',
      right.definition,
      ' SELECT t.id AS a, u.id AS b, ',
      callTo(spec, scope).tree,
      ` AS v FROM t ${kind} u${on}`,
      filter(scope),
    ),
    ordered: false,
    unordered: [],
  };
}

function setQuery(spec: FunctionSpec, random: Random): GeneratedQuery {
  const source = tableFor(spec, random);
  const scope = scopeOf(random, 1, source.columns);
  const first = callTo(spec, scope);
  const operator = random.pick(['UNION ALL', 'UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT']);
  const second = expression(first.type, { ...scope, columns: [] });
  return {
    tree: sequence(
      'WITH ',
      source.definition,
      ' SELECT id, ',
      first.tree,
      ` AS v FROM t ${operator} SELECT 1, `,
      second,
    ),
    ordered: false,
    unordered: [],
  };
}

function pipeQuery(spec: FunctionSpec, random: Random): GeneratedQuery {
  const source = tableFor(spec, random);
  const scope = scopeOf(random, 1, source.columns);
  const steps = random.several(
    0,
    2,
    (): SqlTree =>
      random.pick<() => SqlTree>([
        () => sequence(' |> WHERE ', expression(BOOL, scope)),
        () => ' |> ORDER BY id DESC |> LIMIT 3',
        () => ' |> ORDER BY id |> LIMIT 2 OFFSET 1',
      ])(),
  );
  // A column that is set twice need not be computed the first time.
  if (random.chance(0.3))
    steps.push(sequence(' |> SET c0 = ', expression(source.columns[1]?.type ?? INT64, scope)));
  return {
    tree: sequence(
      'WITH ',
      source.definition,
      ' FROM t',
      list(steps, 0, ''),
      ' |> EXTEND ',
      callTo(spec, scope).tree,
      ' AS v |> SELECT id, c0, v',
    ),
    ordered: false,
    unordered: [],
  };
}

function subqueryQuery(spec: FunctionSpec, random: Random): GeneratedQuery {
  const [left, right] = [tableFor(spec, random, 't'), table('u', random)];
  const scope = scopeOf(random, 1, [
    ...left.columns.map(({ name, type }) => ({ name: `t.${name}`, type })),
    ...right.columns.map(({ name, type }) => ({ name: `u.${name}`, type })),
  ]);
  const call = callTo(spec, scope);
  const correlated = random.pick(['u.id = t.id', 'u.id > t.id', 'u.id <= t.id']);
  const column = random.pick<() => SqlTree>([
    () => sequence('(SELECT ', call.tree, ` FROM u WHERE ${correlated} ORDER BY u.id LIMIT 1)`),
    () => sequence('ARRAY(SELECT AS STRUCT ', call.tree, ` AS x FROM u WHERE ${correlated} ORDER BY u.id)`),
    () =>
      sequence(
        'EXISTS(SELECT 1 FROM u WHERE IF(',
        correlated,
        ', ',
        call.type.kind === 'BOOL' ? call.tree : sequence('(', call.tree, ') IS NULL'),
        ', FALSE))',
      ),
    () =>
      sequence('(SELECT COUNT(*) FROM u WHERE IF(', correlated, ', (', call.tree, ') IS NOT NULL, FALSE))'),
  ])();
  return {
    tree: sequence(
      'WITH ',
      left.definition,
      ', ',
      right.definition,
      ' SELECT t.id, ',
      column,
      ' AS v FROM t',
    ),
    ordered: false,
    unordered: [],
  };
}
