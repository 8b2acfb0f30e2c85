import type { Expression } from '../ast/expression.ts';
import type { FromItem, Join } from '../ast/query.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { referencedColumns } from '../resolved/references.ts';
import type { JoinScan } from '../resolved/scan.ts';
import { coerceToBool } from './coerce.ts';
import { analysisError, type Environment } from './environment.ts';
import { plainContext } from './expression-context.ts';
import { joinFilteredArray } from './filtered-array.ts';
import type { From } from './from.ts';
import { joinKeys, keysMatch, mergeKeys } from './join-keys.ts';
import { resolveExpression } from './resolve-expression.ts';
import { isArrayItem, resolveFrom, resolveFromItem } from './resolve-from.ts';
import { columnIds, type FromNames, joinNames, type RangeVariable } from './scope.ts';

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
  checkAliases(environment, left.names, right.names, join);
  const kind = join.join === 'COMMA' ? 'CROSS' : join.join;
  if (kind === 'CROSS') {
    if (join.on !== null || join.using !== null)
      throw analysisError(environment, join.at, 'CROSS JOIN takes no condition');
    const scan: JoinScan = { kind: 'join', join: kind, left: left.scan, right: right.scan, condition: null };
    return { scan, names: joinNames(left.names, right.names) };
  }
  if (join.using !== null) {
    const keys = joinKeys(environment, left.names, right.names, join.using);
    const condition = keysMatch(environment, keys, join.at);
    const scan: JoinScan = { kind: 'join', join: kind, left: left.scan, right: right.scan, condition };
    return mergeKeys(environment, { scan, names: joinNames(left.names, right.names) }, kind, keys);
  }
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
  const keepsRight = join === 'RIGHT' || join === 'FULL';
  const isArray = right.kind === 'unnest' || (right.kind === 'table' && keepsRight);
  if (!isArray || (on === null && using === null)) return false;
  const isTrue = on?.kind === 'literal' && on.type === 'BOOL' && on.value === 'TRUE';
  if (isTrue && !keepsRight) return false;
  const { scan } = resolveFromItem(environment, right, { left, outer: false });
  const available = columnIds(left.names);
  return scan.kind === 'unnest' && ![...referencedColumns(scan.array)].some((id) => available.has(id));
}

function resolveCondition(environment: Environment, names: FromNames, on: Expression): ResolvedExpression {
  const context = plainContext(environment, { names, outer: environment.outer }, 'JOIN ON clause');
  return coerceToBool(environment, resolveExpression(context, on), on.at, 'JOIN ON clause');
}

/** No two tables have one name. Positions and elements may that are the keys of USING. */
function checkAliases(
  environment: Environment,
  left: FromNames,
  right: FromNames,
  { using, at }: Pick<Join, 'using' | 'at'>,
): void {
  const keys = new Set(using?.map(({ name }) => name.toLowerCase()));
  const isKey = ({ kind, alias }: RangeVariable) => kind === 'value' && keys.has(alias?.toLowerCase() ?? '');
  const taken = new Map(left.ranges.map((range) => [range.alias?.toLowerCase(), range]));
  const twice = right.ranges.find((range) => {
    const other = range.alias === null ? undefined : taken.get(range.alias.toLowerCase());
    return other !== undefined && !(isKey(range) && isKey(other));
  });
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
  const outer = join.join === 'LEFT';
  const array = resolveFromItem(environment, item, { left, outer });
  checkAliases(environment, left.names, array.names, join);
  if (join.using !== null) return attachByKeys(environment, left, array, { ...join, using: join.using });
  const names = joinNames(left.names, array.names);
  if (join.on === null) return { scan: array.scan, names };
  const condition = resolveCondition(environment, names, join.on);
  const isTrue = condition.kind === 'literal' && condition.value === true;
  if (isTrue) return { scan: array.scan, names };
  if (!outer) return { scan: { kind: 'filter', input: array.scan, condition }, names };
  return joinFilteredArray(environment, left, array, condition);
}

/** An array joined with USING: its key is the element, a field of it, or its position. */
function attachByKeys(
  environment: Environment,
  left: From,
  array: From,
  { join, using, at }: { join: Join['join']; using: NonNullable<Join['using']>; at: number },
): From {
  const keys = joinKeys(environment, left.names, array.names, using);
  const condition = keysMatch(environment, keys, at);
  if (join !== 'LEFT') {
    const scan = { kind: 'filter', input: array.scan, condition } as const;
    return mergeKeys(environment, { scan, names: joinNames(left.names, array.names) }, 'INNER', keys);
  }
  const joined = joinFilteredArray(environment, left, array, condition);
  // The elements that are left have columns of their own.
  const ranges = joined.names.ranges.slice(left.names.ranges.length);
  const again = joinKeys(environment, left.names, { ...array.names, ranges }, using);
  return mergeKeys(environment, joined, 'LEFT', again);
}
