import { referencedByAggregates, referencedColumns } from '../../../sql/resolved/references.ts';
import type { AggregateScan } from '../../../sql/resolved/scan.ts';
import { duck, EMPTY, joined, type Sql } from './duck/sql.ts';
import { translateAggregate } from './functions/translate-call.ts';
import { printKeys, settleColumns, union } from './print-scan.ts';
import { inside, type Printer, type Surroundings } from './printer.ts';
import {
  derivedTable,
  type Relation,
  type RelationColumn,
  SINGLE_ROW,
  selectText,
  withoutOrder,
} from './relation.ts';

export function printAggregate(
  printer: Printer,
  scan: AggregateScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const aggregates = scan.aggregates.filter(({ column }) => needed.has(column.id));
  // Aggregates over all rows are one row, whatever is used of them.
  if (scan.keys.length === 0 && scan.sets === null && aggregates.length === 0) return SINGLE_ROW;
  const used = union(
    referencedColumns(...scan.keys.map(({ expression }) => expression)),
    referencedByAggregates(aggregates),
  );
  const input = withoutOrder(printer.scan(scan.input, used, around));
  const isClosed = input.limit !== null || input.isComputed;
  const rows = settleColumns(printer, isClosed ? printer.wrap(input, used) : input, used, used);
  const relation = scan.sets === null ? rows : computeKeys(printer, scan, rows, used, around);
  const surroundings = inside(relation, around);
  const columns = new Map<number, RelationColumn>();
  const keys = scan.keys.map(({ column, expression }) => {
    const computed = scan.sets === null ? undefined : relation.columns.get(column.id)?.sql;
    const sql = computed ?? printer.expression(expression, surroundings);
    columns.set(column.id, { sql, isSimple: false });
    return sql;
  });
  for (const aggregate of aggregates) {
    const sql = translateAggregate(aggregate, {
      sql: aggregate.arguments.map((argument) => printer.expression(argument, surroundings)),
      having:
        aggregate.having === null ? null : printer.expression(aggregate.having.expression, surroundings),
      orderBy: aggregate.orderBy.length === 0 ? null : printKeys(printer, aggregate.orderBy, surroundings),
      groupsBySets: scan.sets !== null,
    });
    columns.set(aggregate.column.id, { sql, isSimple: false });
  }
  return { ...relation, isComputed: true, groupBy: groupByText(scan, keys), columns };
}

/** Grouping sets name their keys, so the keys become columns first. */
function computeKeys(
  printer: Printer,
  scan: AggregateScan,
  rows: Relation,
  used: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const surroundings = inside(rows, around);
  const columns = new Map(rows.columns);
  for (const { column, expression } of scan.keys) {
    columns.set(column.id, { sql: printer.expression(expression, surroundings), isSimple: false });
  }
  const ids = [...used, ...scan.keys.map(({ column }) => column.id)].filter((id) => columns.has(id));
  return derivedTable(selectText({ ...rows, columns }, ids), printer.alias(), ids);
}

function groupByText(scan: AggregateScan, keys: readonly Sql[]): Sql | null {
  if (scan.sets !== null) {
    const sets = scan.sets.map(
      (set) =>
        duck`(${joined(
          set.map((index) => keys[index] ?? EMPTY),
          ', ',
        )})`,
    );
    return duck`GROUPING SETS (${joined(sets, ', ')})`;
  }
  return keys.length === 0 ? null : joined(keys, ', ');
}
