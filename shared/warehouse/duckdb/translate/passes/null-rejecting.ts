import { findFunction } from '../../../../sql/functions/catalog.ts';
import type { ResolvedCall, ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { isLiteral } from '../../../../sql/resolved/make-expression.ts';

const NONE: ReadonlySet<number> = new Set();

/** The ids of columns that are not NULL wherever a condition holds, as far as is easily seen. */
export function knownWhere(condition: ResolvedExpression): ReadonlySet<number> {
  if (condition.kind === 'call') return knownWhereCall(condition);
  if (condition.kind !== 'case') return knownWhereAny(condition);
  const { branches, otherwise } = condition;
  const [branch, ...others] = branches;
  const isOnlyWay = isLiteral(otherwise, false) || isLiteral(otherwise, null);
  if (branch === undefined || others.length > 0 || !isOnlyWay) return NONE;
  return union([knownWhere(branch.when), knownWhere(branch.result)]);
}

function knownWhereCall(call: ResolvedCall): ReadonlySet<number> {
  const { name, arguments: parts } = call;
  const [first, second] = parts;
  if (first === undefined) return NONE;
  switch (name) {
    case '$AND':
      return union(parts.map(knownWhere));
    case '$OR':
      return common(parts.map(knownWhere));
    case '$IS_TRUE':
      return knownWhere(first);
    case '$NOT':
      return first.kind === 'call' && first.name === '$IS_NULL'
        ? union(first.arguments.map(knownWhereAny))
        : knownWhereAny(first);
    case '$IN':
      return knownWhereAny(first);
    case 'IFNULL':
      return second !== undefined && isLiteral(second, false) ? knownWhere(first) : NONE;
    default:
      return knownWhereAny(call);
  }
}

/** The ids of columns that are not NULL wherever a value is not NULL. */
function knownWhereAny(value: ResolvedExpression): ReadonlySet<number> {
  if (value.kind === 'column') return new Set([value.column.id]);
  if (value.kind !== 'call' || findFunction(value.name)?.isStrict !== true || value.safe) return NONE;
  return union(value.arguments.map(knownWhereAny));
}

function union(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  return new Set(sets.flatMap((ids) => [...ids]));
}

function common([first = NONE, ...others]: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  return new Set([...first].filter((id) => others.every((ids) => ids.has(id))));
}
