import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { AggregateScan } from '../../../sql/resolved/scan.ts';
import { duck, EMPTY, joined, type Sql, word } from './duck/sql.ts';
import { translateAggregate } from './functions/translate-call.ts';
import type { Generator } from './generator.ts';
import { prepareRows } from './prepare-rows.ts';
import {
  derivedTable,
  type Relation,
  type RelationColumn,
  SINGLE_ROW,
  selectText,
  withoutOrder,
} from './relation.ts';
import { inside, type Scope } from './scope.ts';
import { generateKeys, settleColumns, union } from './settle.ts';

/**
 * GROUP BY, or the one row of aggregates over all rows. Only aggregates whose columns are `needed` are computed; keys
 * always are.
 */
export function generateAggregate(
  generator: Generator,
  scan: AggregateScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const aggregates = scan.aggregates.filter(({ column }) => needed.has(column.id));
  // Aggregates over all rows are one row, whatever is used of them.
  if (scan.keys.length === 0 && scan.sets === null && aggregates.length === 0) return SINGLE_ROW;
  const used = union(
    referencedColumns(...scan.keys.map(({ expression }) => expression)),
    referencedColumns(aggregates),
  );
  const input = withoutOrder(generator.scan(scan.input, used, scope));
  const isClosed = input.limit !== null || input.isComputed;
  const rows = settleColumns(generator, isClosed ? generator.wrap(input, used) : input, used, used);
  const keyed = scan.sets === null ? rows : computeKeys(generator, scan, rows, used, scope);
  const { relation, prepared } = prepareRows(generator, scan, aggregates, keyed, used, scope);
  const within = inside(relation, scope);
  const columns = new Map<number, RelationColumn>();
  const keys = scan.keys.map(({ column, expression }) => {
    const computed = scan.sets === null ? undefined : relation.columns.get(column.id)?.sql;
    const sql = computed ?? generator.expression(expression, within);
    columns.set(column.id, { sql, isSimple: false });
    return sql;
  });
  for (const aggregate of aggregates) {
    const sql = translateAggregate(aggregate, {
      sql: aggregate.arguments.map((argument) => generator.expression(argument, within)),
      having: aggregate.having === null ? null : generator.expression(aggregate.having.expression, within),
      only: prepared.get(aggregate)?.only ?? null,
      total: prepared.get(aggregate)?.total ?? null,
      orderBy: aggregate.orderBy.length === 0 ? null : generateKeys(generator, aggregate.orderBy, within),
      groupsBySets: scan.sets !== null,
    });
    columns.set(aggregate.column.id, { sql, isSimple: false });
  }
  // The empty set of ROLLUP and its like is no group where there are no rows.
  const having = scan.sets?.some((set) => set.length === 0) ? word('count(*) > 0') : null;
  return { ...relation, isComputed: true, groupBy: groupByText(scan, keys), having, columns };
}

/** Grouping sets name their keys, so the keys become columns first. */
function computeKeys(
  generator: Generator,
  scan: AggregateScan,
  rows: Relation,
  used: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const within = inside(rows, scope);
  const columns = new Map(rows.columns);
  for (const { column, expression } of scan.keys) {
    columns.set(column.id, { sql: generator.expression(expression, within), isSimple: false });
  }
  const ids = [...used, ...scan.keys.map(({ column }) => column.id)].filter((id) => columns.has(id));
  return derivedTable(selectText({ ...rows, columns }, ids), generator.alias(), ids);
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
