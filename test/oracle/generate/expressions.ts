import { castAllowed } from '../../../shared/sql/functions/casts.ts';
import {
  BOOL,
  INT64,
  SCALAR_TYPES,
  type SqlType,
  STRING,
  typeText,
} from '../../../shared/sql/types/sql-type.ts';
import type { Random } from '../../fuzz/generate/random.ts';
import { evaluatorCasts } from '../differences.ts';
import { callOfType } from './calls.ts';
import { columnsOf, inner, type Scope } from './scope.ts';
import { list, type SqlTree, sequence, value } from './sql-tree.ts';
import { literal, type TextUse } from './values.ts';

/** Any scalar type. */
export function scalarType(random: Random): SqlType {
  return { kind: random.pick(SCALAR_TYPES) };
}

/** An expression of the type: a literal, a column, a call, or one of the forms that no function has. */
export function expression(type: SqlType, scope: Scope, use: TextUse | null = null): SqlTree {
  const { random, depth } = scope;
  const columns = columnsOf(scope, type);
  if (columns.length > 0 && random.chance(0.55)) return value(type, [random.pick(columns).name]);
  if (depth <= 0 || random.chance(0.5)) return literal(type, random, use);
  if (random.chance(0.7)) return callOfType(type, scope) ?? literal(type, random, use);
  return random.pick(FORMS)(type, inner(scope)) ?? literal(type, random, use);
}

type Form = (type: SqlType, scope: Scope) => SqlTree | null;

/** What is written with keywords. */
const FORMS: readonly Form[] = [
  cast,
  cast,
  (type, scope) =>
    value(type, [
      'CASE WHEN ',
      expression(BOOL, scope),
      ' THEN ',
      expression(type, scope),
      ' ELSE ',
      expression(type, scope),
      ' END',
    ]),
  (type, scope) =>
    value(type, [
      'CASE ',
      expression(INT64, scope),
      ' WHEN ',
      expression(INT64, scope),
      ' THEN ',
      expression(type, scope),
      ' END',
    ]),
  (type, scope) => value(type, ['(SELECT ', expression(type, scope), ')']),
  (type, scope) => value(type, ['STRUCT(', expression(type, scope), ' AS x, 1 AS y).x']),
  (type, scope) =>
    type.kind === 'ARRAY'
      ? value(type, [
          'ARRAY(SELECT e FROM UNNEST(',
          expression(type, scope),
          ') AS e WITH OFFSET AS o',
          ...where(scope),
          ' ORDER BY o)',
        ])
      : null,
  (type, scope) =>
    type.kind === 'ARRAY' || type.kind === 'STRUCT' || type.kind === 'JSON' || type.kind === 'INTERVAL'
      ? null
      : value(type, [
          '(SELECT ',
          scope.random.pick(['MAX', 'MIN']),
          '(e) FROM UNNEST(',
          expression({ kind: 'ARRAY', element: type }, scope),
          ') AS e)',
        ]),
  (type, scope) =>
    type.kind === 'BOOL'
      ? value(type, [
          'EXISTS(SELECT 1 FROM UNNEST(',
          expression({ kind: 'ARRAY', element: INT64 }, scope),
          ') AS e WHERE e > ',
          expression(INT64, scope),
          ')',
        ])
      : null,
  (type, scope) =>
    type.kind === 'BOOL'
      ? value(type, [
          '(',
          expression(STRING, scope),
          ' IN (SELECT e FROM UNNEST(',
          expression({ kind: 'ARRAY', element: STRING }, scope),
          ') AS e))',
        ])
      : null,
  (type, scope) =>
    type.kind === 'ARRAY' && type.element.kind !== 'STRUCT'
      ? value(type, ['[', list(scope.random.several(1, 3, () => expression(type.element, scope))), ']'])
      : null,
];

function where(scope: Scope): SqlTree[] {
  return scope.random.chance(0.5) ? [] : [' WHERE ', expression(BOOL, scope)];
}

function cast(type: SqlType, scope: Scope): SqlTree | null {
  if (type.kind === 'ARRAY' || type.kind === 'STRUCT') return null;
  const { random } = scope;
  const from = random.pick([
    ...SCALAR_TYPES.filter((kind) => castAllowed({ kind }, type) && evaluatorCasts(kind, type.kind)),
    type.kind,
  ]);
  const safe = random.chance(0.3) ? 'SAFE_' : '';
  const use = from === 'STRING' ? castUse(type) : null;
  return value(type, [`${safe}CAST(`, expression({ kind: from }, scope, use), ` AS ${typeText(type)})`]);
}

function castUse(type: SqlType): TextUse {
  return ['DATE', 'DATETIME', 'TIME', 'TIMESTAMP', 'INTERVAL'].includes(type.kind) ? 'time' : 'number';
}

/** A cast as the one thing that a query computes. */
export function topCast(scope: Scope): { readonly tree: SqlTree; readonly type: SqlType } {
  for (;;) {
    const type = scalarType(scope.random);
    const tree = type.kind === 'JSON' ? null : cast(type, scope);
    if (tree !== null) return { tree: sequence(tree), type };
  }
}
