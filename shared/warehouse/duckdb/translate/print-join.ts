import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { JoinScan, ResolvedScan, SetOperationScan, UnnestScan } from '../../../sql/resolved/scan.ts';
import { duck, EMPTY, joined, type Sql, word } from './duck/sql.ts';
import { settleColumns, union } from './print-scan.ts';
import { inside, type Printer, type Surroundings } from './printer.ts';
import {
  columnName,
  derivedTable,
  type Relation,
  type RelationColumn,
  SINGLE_ROW,
  selectListText,
  withoutOrder,
} from './relation.ts';

/**
 * Unnesting in the select list of a derived table: DuckDB runs this as one pass over the rows, where UNNEST in FROM
 * with a reference to the left becomes a join that is up to hundreds of times slower.
 */
export function printUnnest(
  printer: Printer,
  scan: UnnestScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const used = referencedColumns(scan.array);
  const all = union(needed, used);
  const input = withoutOrder(printer.scan(scan.input, all, around));
  const isClosed = input.limit !== null || input.isComputed;
  const relation = settleColumns(printer, isClosed ? printer.wrap(input, all) : input, used, all);
  const array = printer.expression(scan.array, inside(relation, around));
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
  const alias = printer.alias();
  return derivedTable(selectListText(relation, joined(list, ', ')), alias, [...kept, ...created]);
}

/** For outer joins: one NULL where the array has no element. */
function orNull(array: Sql, value: Sql): Sql {
  return duck`CASE WHEN len(${array}) > 0 THEN ${value} ELSE [NULL] END`;
}

export function printJoin(
  printer: Printer,
  scan: JoinScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const used = scan.condition === null ? new Set<number>() : referencedColumns(scan.condition);
  const all = union(needed, used);
  const left = printSide(printer, scan.left, all, around);
  const right = printSide(printer, scan.right, all, around);
  const columns = new Map<number, RelationColumn>();
  for (const [id, column] of [...left.columns, ...right.columns]) columns.set(id, column);
  const joined: Relation = { ...SINGLE_ROW, columns };
  const within = { ...inside(joined, around), isJoinCondition: true };
  const condition = scan.condition === null ? EMPTY : duck` ON ${printer.expression(scan.condition, within)}`;
  return {
    ...joined,
    from: duck`${left.from ?? EMPTY} ${word(scan.join)} JOIN ${right.from ?? EMPTY}${condition}`,
    isJoin: true,
  };
}

/** One side of a join: a table by itself, or a derived table. */
function printSide(
  printer: Printer,
  scan: ResolvedScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const relation = withoutOrder(printer.scan(scan, needed, around));
  const isBare =
    relation.from !== null &&
    relation.where.length === 0 &&
    !relation.isComputed &&
    relation.limit === null &&
    !relation.isJoin &&
    [...relation.columns.values()].every((column) => column.isSimple);
  return isBare ? relation : printer.wrap(relation, needed);
}

export function printSetOperation(printer: Printer, scan: SetOperationScan, around: Surroundings): Relation {
  const parts = scan.inputs.map((input) => {
    const ids = input.columns.map((column) => column.id);
    const relation = printer.scan(input.scan, new Set(ids), around);
    const list = ids.map((id, index) => {
      return duck`${relation.columns.get(id)?.sql} AS ${columnName(scan.columns[index]?.id ?? 0)}`;
    });
    return duck`(${selectListText(withoutOrder(relation), joined(list, ', '))})`;
  });
  const operator = `${scan.operator} ${scan.distinct ? 'DISTINCT' : 'ALL'}`;
  const ids = scan.columns.map((column) => column.id);
  const query = joined(parts, ` ${operator} `);
  return derivedTable(query, printer.alias(), ids);
}
