import type { ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type { ComputedColumn, JoinScan } from '../resolved/scan.ts';
import { unify } from './coerce.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import { plainContext } from './expression-context.ts';
import type { From } from './from.ts';
import { callOperator } from './match-call.ts';
import { fieldOf } from './resolve-name.ts';
import {
  columnIds,
  type FromNames,
  lookUp,
  type NamedColumn,
  type NameTarget,
  NO_NAMES,
  type RangeVariable,
} from './scope.ts';

type Names = readonly { readonly name: string; readonly at: number }[];

/** A name of USING, and what it is on each side of the join. */
export interface JoinKey {
  readonly name: string;
  readonly at: number;
  /** The values of the two sides, brought to one type. */
  readonly left: ResolvedExpression;
  readonly right: ResolvedExpression;
  readonly targets: readonly [left: KeyTarget, right: KeyTarget];
}

/** A column, a field of an array's elements, or an array's elements or positions. */
type KeyTarget = Exclude<NameTarget, { kind: 'alias' } | { kind: 'ambiguous' }>;

/** What the names of USING are on the two sides. Throws a ServiceError (invalid_argument) for a name that one side has not, or has twice. */
export function joinKeys(
  environment: Environment,
  left: FromNames,
  right: FromNames,
  using: Names,
): JoinKey[] {
  return using.map(({ name, at }) => {
    const targets = [
      keyTarget(environment, left, name, at),
      keyTarget(environment, right, name, at),
    ] as const;
    const values = unify(
      environment,
      targets.map(keyValue),
      at,
      `Columns ${name} in USING have no common type`,
    ).expressions;
    const [first, second] = values;
    if (first === undefined || second === undefined) throw new TypeError('two sides give two expressions');
    return { name, at, left: first, right: second, targets };
  });
}

/** The condition that all keys are equal. */
export function keysMatch(
  environment: Environment,
  keys: readonly JoinKey[],
  at: number,
): ResolvedExpression {
  const context = plainContext(
    environment,
    { names: NO_NAMES, outer: environment.outer },
    'JOIN USING clause',
  );
  const equalities = keys.map((key) => callOperator(context, '$EQUAL', [key.left, key.right], key.at));
  return equalities.reduce((all, one) => callOperator(context, '$AND', [all, one], at));
}

/**
 * JOIN … USING: each key is one column of the result and stands first in `SELECT *`. It has the type of the side whose rows all are in the
 * result. `from` has the joined rows.
 */
export function mergeKeys(
  environment: Environment,
  { scan, names }: From,
  kind: Exclude<JoinScan['join'], 'CROSS'>,
  keys: readonly JoinKey[],
): From {
  const context = plainContext(environment, { names, outer: environment.outer }, 'JOIN USING clause');
  const computed: ComputedColumn[] = [];
  const add = (name: string, expression: ResolvedExpression): NamedColumn => {
    const column = newColumn(environment, name, expression.type);
    computed.push({ column, expression });
    return { name, column };
  };
  const merged = keys.map(({ name, at, left, right, targets }) => {
    if (kind === 'FULL') return add(name, callOperator(context, 'COALESCE', [left, right], at));
    return add(name, keyValue(targets[kind === 'RIGHT' ? 1 : 0]));
  });
  const targets = keys.flatMap((key) => key.targets);
  const hidden = new Set(names.hidden);
  for (const target of targets) if (target.kind === 'column') hidden.add(target.column.id);
  const ranges = names.ranges.flatMap((range) => withoutKeys(range, targets, add));
  const kept = names.merged.filter(({ column }) => !hidden.has(column.id));
  return {
    scan: { kind: 'project', input: scan, computed },
    names: { ranges, merged: [...merged, ...kept], hidden },
  };
}

/**
 * A range variable without what is a key now: elements and positions go, of elements with fields the other fields stay columns, and the
 * element is behind its alias.
 */
function withoutKeys(
  range: RangeVariable,
  targets: readonly KeyTarget[],
  add: (name: string, expression: ResolvedExpression) => NamedColumn,
): RangeVariable[] {
  if (range.kind === 'columns') return [range];
  const { column } = range;
  if (targets.some((target) => target.kind === 'range' && isSame(target.range, range))) return [];
  const keys = targets.flatMap((target) =>
    target.kind === 'field' && target.base.id === column.id ? [target.index] : [],
  );
  if (keys.length === 0 || column.type.kind !== 'STRUCT') return [range];
  const columns = column.type.fields.flatMap(({ name }, index) =>
    keys.includes(index) ? [] : [add(name, fieldOf(columnReference(column), index))],
  );
  return [
    { ...range, isBehind: true },
    { kind: 'columns', alias: null, columns },
  ];
}

function isSame(a: RangeVariable, b: RangeVariable): boolean {
  return a.kind === 'value' && b.kind === 'value' && a.column.id === b.column.id;
}

function keyTarget(environment: Environment, names: FromNames, name: string, at: number): KeyTarget {
  const target = lookUp({ names, outer: null }, name);
  if (target?.kind === 'column' && columnIds(names).has(target.column.id)) return target;
  if (target?.kind === 'field' || (target?.kind === 'range' && target.range.kind === 'value')) return target;
  const problem = target?.kind === 'ambiguous' ? 'is ambiguous' : 'not found';
  throw analysisError(environment, at, `Column ${name} in USING clause ${problem} on one side of the join`);
}

function keyValue(target: KeyTarget): ResolvedExpression {
  if (target.kind === 'field') return fieldOf(columnReference(target.base), target.index);
  if (target.kind === 'column') return columnReference(target.column);
  if (target.range.kind === 'value') return columnReference(target.range.column);
  throw new TypeError('a key is a column or a value');
}
