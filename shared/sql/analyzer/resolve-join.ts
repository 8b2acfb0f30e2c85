import type { Expression } from '../ast/expression.ts';
import type { FromItem, Join } from '../ast/query.ts';
import type { ResolvedColumn, ResolvedExpression } from '../resolved/expression.ts';
import { referencedColumns } from '../resolved/references.ts';
import type { ComputedColumn, JoinScan, ResolvedScan } from '../resolved/scan.ts';
import { coerceToBool, unify } from './coerce.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import { plainContext } from './expression-context.ts';
import { joinFilteredArray } from './filtered-array.ts';
import type { From } from './from.ts';
import { callOperator } from './match-call.ts';
import { resolveExpression } from './resolve-expression.ts';
import { isArrayItem, resolveFrom, resolveFromItem } from './resolve-from.ts';
import { columnReference } from './resolve-name.ts';
import { columnIds, type FromNames, joinNames, lookUp, type NamedColumn, type Scope } from './scope.ts';

/** Joins of all kinds; what stands on the right of a comma or JOIN may be an array that the left side has. */
export function resolveJoin(environment: Environment, join: Join): From {
  const left = resolveFrom(environment, join.left);
  return attachJoin(environment, left, join);
}

/** Joins an item to rows that are resolved already. */
export function attachJoin(
  environment: Environment,
  left: From,
  join: Pick<Join, 'join' | 'right' | 'on' | 'using' | 'at'>,
): From {
  if (isArrayItem(environment, join.right, left.names) && !standsAlone(environment, left, join))
    return attachArray(environment, left, join, join.right);
  const right = resolveFrom(environment, join.right);
  checkAliases(environment, left.names, right.names, join.at);
  const kind = join.join === 'COMMA' ? 'CROSS' : join.join;
  if (kind === 'CROSS') {
    if (join.on !== null || join.using !== null)
      throw analysisError(environment, join.at, 'CROSS JOIN takes no condition');
    const scan: JoinScan = { kind: 'join', join: kind, left: left.scan, right: right.scan, condition: null };
    return { scan, names: joinNames(left.names, right.names) };
  }
  if (join.using !== null) return joinUsing(environment, left, right, kind, join.using, join.at);
  if (join.on === null)
    throw analysisError(environment, join.at, `${kind} JOIN must have an ON or USING clause`);
  const names = joinNames(left.names, right.names);
  const condition = resolveCondition(environment, names, join.on);
  return { scan: { kind: 'join', join: kind, left: left.scan, right: right.scan, condition }, names };
}

/** Whether an array is joined like a table: it does not come from the rows on the left, and a condition joins it. */
function standsAlone(
  environment: Environment,
  left: From,
  { join, right, on, using }: Pick<Join, 'join' | 'right' | 'on' | 'using'>,
): boolean {
  if (right.kind !== 'unnest' || on === null || using !== null) return false;
  const isTrue = on.kind === 'literal' && on.type === 'BOOL' && on.value === 'TRUE';
  if (isTrue && join !== 'RIGHT' && join !== 'FULL') return false;
  const { scan } = resolveFromItem(environment, right, { left, outer: false });
  const available = columnIds(left.names);
  return scan.kind === 'unnest' && ![...referencedColumns(scan.array)].some((id) => available.has(id));
}

function resolveCondition(environment: Environment, names: FromNames, on: Expression): ResolvedExpression {
  const context = plainContext(environment, { names, outer: environment.outer }, 'JOIN ON clause');
  return coerceToBool(environment, resolveExpression(context, on), on.at, 'JOIN ON clause');
}

function checkAliases(environment: Environment, left: FromNames, right: FromNames, at: number): void {
  const taken = new Set(left.ranges.map((range) => range.alias?.toLowerCase()));
  const twice = right.ranges.find((range) => range.alias !== null && taken.has(range.alias.toLowerCase()));
  if (twice !== undefined) {
    throw analysisError(environment, at, `Duplicate table alias ${twice.alias} in the same FROM clause`);
  }
}

/** An array joined to the rows that have it. A condition filters its elements before an outer join fills up. */
function attachArray(
  environment: Environment,
  left: From,
  join: Pick<Join, 'join' | 'on' | 'using' | 'at'>,
  item: FromItem,
): From {
  if (join.join === 'RIGHT' || join.join === 'FULL') {
    throw analysisError(environment, join.at, `Array scan is not allowed with ${join.join} JOIN`);
  }
  if (join.using !== null)
    throw analysisError(environment, join.at, 'JOIN with an array takes ON, not USING');
  const outer = join.join === 'LEFT';
  const array = resolveFromItem(environment, item, { left, outer });
  checkAliases(environment, left.names, array.names, join.at);
  const names = joinNames(left.names, array.names);
  if (join.on === null) return { scan: array.scan, names };
  const condition = resolveCondition(environment, names, join.on);
  const isTrue = condition.kind === 'literal' && condition.value === true;
  if (isTrue) return { scan: array.scan, names };
  if (!outer) return { scan: { kind: 'filter', input: array.scan, condition }, names };
  return joinFilteredArray(environment, left, array, condition);
}

/** JOIN … USING: each column of the list is one column of the result and stands first in `SELECT *`. */
function joinUsing(
  environment: Environment,
  left: From,
  right: From,
  kind: Exclude<JoinScan['join'], 'CROSS'>,
  using: readonly { readonly name: string; readonly at: number }[],
  at: number,
): From {
  const names = joinNames(left.names, right.names);
  const context = plainContext(environment, { names, outer: environment.outer }, 'JOIN USING clause');
  const merged: NamedColumn[] = [];
  const computed: ComputedColumn[] = [];
  const hidden = new Set(names.hidden);
  let condition: ResolvedExpression | null = null;
  for (const key of using) {
    const pair = [left, right].map((side) => usingColumn(environment, side.names, key.name, key.at));
    const [first, second] = unify(
      environment,
      pair.map(columnReference),
      key.at,
      `Columns ${key.name} in USING have no common type`,
    ).expressions;
    if (first === undefined || second === undefined) throw new TypeError('two sides give two expressions');
    const equal = callOperator(context, '$EQUAL', [first, second], key.at);
    condition = condition === null ? equal : callOperator(context, '$AND', [condition, equal], at);
    const value =
      kind === 'FULL'
        ? callOperator(context, 'COALESCE', [first, second], key.at)
        : kind === 'RIGHT'
          ? second
          : first;
    const column = newColumn(environment, key.name, value.type);
    computed.push({ column, expression: value });
    merged.push({ name: key.name, column });
    for (const { id } of pair) hidden.add(id);
  }
  const scan: ResolvedScan = { kind: 'join', join: kind, left: left.scan, right: right.scan, condition };
  return {
    scan: { kind: 'project', input: scan, computed },
    names: {
      ranges: names.ranges,
      merged: [...merged, ...names.merged.filter((one) => !hidden.has(one.column.id))],
      hidden,
    },
  };
}

function usingColumn(environment: Environment, names: FromNames, name: string, at: number): ResolvedColumn {
  const scope: Scope = { names, outer: null };
  const target = lookUp(scope, name);
  if (target?.kind === 'column' && columnIds(names).has(target.column.id)) return target.column;
  const problem = target?.kind === 'ambiguous' ? 'is ambiguous' : 'not found';
  throw analysisError(environment, at, `Column ${name} in USING clause ${problem} on one side of the join`);
}
