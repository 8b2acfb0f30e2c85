import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { JoinScan, ResolvedScan, UnnestScan } from '../../../sql/resolved/scan.ts';
import { duck, EMPTY, joined, type Sql, word } from './duck/sql.ts';
import { generateConditions } from './generate-conditions.ts';
import type { Generator } from './generator.ts';
import { withSubqueriesAsColumns } from './join-subqueries.ts';
import { ownColumns } from './own-columns.ts';
import {
  columnName,
  derivedTable,
  type Relation,
  type RelationColumn,
  SINGLE_ROW,
  selectListText,
  withoutOrder,
} from './relation.ts';
import { inside, type Scope } from './scope.ts';
import { settleColumns, union } from './settle.ts';

/**
 * Unnesting in the select list of a derived table: DuckDB runs this as one pass over the rows, where UNNEST in FROM
 * with a reference to the left becomes a join that is up to hundreds of times slower.
 */
export function generateUnnest(
  generator: Generator,
  scan: UnnestScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const used = referencedColumns(scan.array);
  const all = union(needed, used);
  const input = withoutOrder(generator.scan(scan.input, all, scope));
  const isClosed = input.limit !== null || input.isComputed;
  const settled = settleColumns(generator, isClosed ? generator.wrap(input, all) : input, used, all);
  const { relation, scope: around } = ownColumns(generator, settled, [scan.array], all, scope);
  const array = generator.expression(scan.array, inside(relation, around));
  const kept = [...relation.columns.keys()].filter((id) => needed.has(id));
  const list = kept.map((id) => duck`${relation.columns.get(id)?.sql} AS ${columnName(id)}`);
  list.push(duck`unnest(${scan.outer ? orNull(array, array) : array}) AS ${columnName(scan.element.id)}`);
  const created = [scan.element.id];
  if (scan.offset !== null) {
    // Most arrays have one element, and DuckDB's range() is slow at making many short lists.
    const positions = duck`CASE WHEN len(${array}) = 1 THEN [0::BIGINT] ELSE range(len(${array})::BIGINT) END`;
    list.push(
      duck`unnest(${scan.outer ? orNull(array, positions) : positions}) AS ${columnName(scan.offset.id)}`,
    );
    created.push(scan.offset.id);
  }
  const alias = generator.alias();
  return derivedTable(selectListText(relation, joined(list, ', ')), alias, [...kept, ...created]);
}

/** For outer joins: one NULL where the array has no element. */
function orNull(array: Sql, value: Sql): Sql {
  return duck`CASE WHEN len(${array}) > 0 THEN ${value} ELSE [NULL] END`;
}

/** A join of two scans, with the columns of either that are `needed` or that the condition uses. */
export function generateJoin(
  generator: Generator,
  joinScan: JoinScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const scan = withSubqueriesAsColumns(joinScan, generator.newId);
  const used = scan.condition === null ? new Set<number>() : referencedColumns(scan.condition);
  const all = union(needed, used);
  const conditions = scan.condition === null ? [] : [scan.condition];
  const side = generateSide(generator, scan.left, all, scope);
  const { relation: left, scope: around } = ownColumns(generator, side, conditions, all, scope);
  const right = generateSide(generator, scan.right, all, scope);
  const columns = new Map<number, RelationColumn>();
  for (const [id, column] of [...left.columns, ...right.columns]) columns.set(id, column);
  const both: Relation = { ...SINGLE_ROW, columns };
  const within = { ...inside(both, around), isJoinCondition: true };
  const condition =
    scan.condition === null
      ? EMPTY
      : duck` ON ${joined(generateConditions(generator, scan.condition, scan, within), ' AND ')}`;
  return {
    ...both,
    from: duck`${left.from ?? EMPTY} ${word(scan.join)} JOIN ${right.from ?? EMPTY}${condition}`,
    isJoin: true,
  };
}

/** One side of a join: a table by itself, or a derived table. */
function generateSide(
  generator: Generator,
  scan: ResolvedScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const relation = withoutOrder(generator.scan(scan, needed, scope));
  const isBare =
    relation.from !== null &&
    relation.where.length === 0 &&
    !relation.isComputed &&
    relation.limit === null &&
    !relation.isJoin &&
    [...relation.columns.values()].every((column) => column.isSimple);
  return isBare ? relation : generator.wrap(relation, needed);
}
