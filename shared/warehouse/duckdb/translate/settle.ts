import type { SortKey } from '../../../sql/resolved/scan.ts';
import type { SqlType } from '../../../sql/types/sql-type.ts';
import { duck, joined, type Sql } from './duck/sql.ts';
import { sortKeySql } from './functions/sort-keys.ts';
import type { Generator } from './generator.ts';
import { type Relation, withoutOrder } from './relation.ts';
import type { Scope } from './scope.ts';

/** The relation itself if a clause can be added to it, otherwise a new one around it. */
export function openFor(
  generator: Generator,
  relation: Relation,
  clause: 'where' | 'order',
  needed: ReadonlySet<number>,
): Relation {
  const plain = withoutOrder(relation);
  if (plain.limit === null && (clause === 'order' || !plain.isComputed)) return plain;
  return generator.wrap(plain, needed);
}

/** Makes sure that columns which are about to be used are names, and no long expressions to be written again. */
export function settleColumns(
  generator: Generator,
  relation: Relation,
  used: ReadonlySet<number>,
  needed: ReadonlySet<number>,
): Relation {
  const isSettled = [...used].every((id) => relation.columns.get(id)?.isSimple !== false);
  return isSettled ? relation : generator.wrap(relation, needed);
}

/**
 * What follows ORDER BY within a call: the keys in GoogleSQL's order of values, each with its direction and the place
 * of NULLs. DuckDB reads an argument that is also a key back from the sorted keys, which have no sign of zero; so a
 * FLOAT64 key is a sum.
 */
export function generateKeys(generator: Generator, keys: readonly SortKey[], scope: Scope): Sql {
  return joinKeys(generator, keys, scope, (sql, { kind }) =>
    kind === 'FLOAT64' ? duck`(${sql} + 0.0::DOUBLE)` : sql,
  );
}

/** What follows ORDER BY of a query: the same for its rows, where DuckDB takes no constants; null where there is nothing else to sort by. */
export function generateRowOrder(generator: Generator, keys: readonly SortKey[], scope: Scope): Sql | null {
  // A constant puts no row before another.
  const sorting = keys.filter(({ expression }) => {
    const { isConstant, mayRaise } = generator.expression(expression, scope).properties;
    return !isConstant || mayRaise;
  });
  return sorting.length === 0 ? null : joinKeys(generator, sorting, scope, (sql) => sql);
}

function joinKeys(
  generator: Generator,
  keys: readonly SortKey[],
  scope: Scope,
  keyOf: (sql: Sql, type: SqlType) => Sql,
): Sql {
  const texts = keys.map((key) => {
    const { type } = key.expression;
    return sortKeySql(keyOf(generator.expression(key.expression, scope), type), type, key);
  });
  return joined(texts, ', ');
}

/** The ids of both. */
export function union(first: ReadonlySet<number>, second: ReadonlySet<number>): Set<number> {
  const all = new Set(first);
  for (const id of second) all.add(id);
  return all;
}
