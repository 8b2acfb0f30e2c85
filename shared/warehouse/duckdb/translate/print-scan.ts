import { conjuncts } from '../../../sql/resolved/conjuncts.ts';
import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { referencedByKeys, referencedColumns } from '../../../sql/resolved/references.ts';
import type {
  CteScan,
  FilterScan,
  LimitScan,
  OrderScan,
  ProjectScan,
  ResolvedScan,
  SortKey,
  TableScan,
} from '../../../sql/resolved/scan.ts';
import { column, duck, EMPTY, identifier, joined, type Sql, tableColumn, word } from './duck/sql.ts';
import { sortKeySql } from './functions/sort-keys.ts';
import { printAggregate } from './print-aggregate.ts';
import { printJoin, printSetOperation, printUnnest } from './print-join.ts';
import { printWindows } from './print-window.ts';
import { inside, type Printer, type Surroundings, TOP_LEVEL } from './printer.ts';
import {
  columnName,
  type Relation,
  type RelationColumn,
  SINGLE_ROW,
  selectText,
  withoutOrder,
} from './relation.ts';
import { isCheap } from './shared-ctes.ts';

/** The DuckDB catalog and schema that hold the log tables. */
const LOG_TABLES = word('logs.main');

/** The scan as a relation that has at least the columns of `needed`; others are left out where that saves work. */
export function printScan(
  printer: Printer,
  scan: ResolvedScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  switch (scan.kind) {
    case 'single-row':
      return SINGLE_ROW;
    case 'table':
      return printTable(printer, scan, needed);
    case 'cte':
      return printCte(printer, scan, needed);
    case 'filter':
      return printFilter(printer, scan, needed, around);
    case 'project':
      return printProject(printer, scan, needed, around);
    case 'unnest':
      return printUnnest(printer, scan, needed, around);
    case 'join':
      return printJoin(printer, scan, needed, around);
    case 'aggregate':
      return printAggregate(printer, scan, needed, around);
    case 'window':
      return printWindows(printer, scan, needed, around);
    case 'order':
      return printOrder(printer, scan, needed, around);
    case 'limit':
      return printLimit(printer, scan, needed, around);
    case 'set-operation':
      return printSetOperation(printer, scan, around);
    default: {
      const unreachable: never = scan;
      throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
    }
  }
}

export function union(first: ReadonlySet<number>, second: ReadonlySet<number>): Set<number> {
  const all = new Set(first);
  for (const id of second) all.add(id);
  return all;
}

function printTable(printer: Printer, scan: TableScan, needed: ReadonlySet<number>): Relation {
  const alias = printer.alias();
  const columns = new Map<number, RelationColumn>();
  for (const { id, name } of scan.columns) {
    if (needed.has(id)) columns.set(id, { sql: tableColumn(alias, name), isSimple: true });
  }
  return { ...SINGLE_ROW, from: duck`${LOG_TABLES}.${identifier(scan.table)} AS ${alias}`, columns };
}

/** A CTE that is used once, or that only filters a table, stands in place; others are written once and shared. */
function printCte(printer: Printer, scan: CteScan, needed: ReadonlySet<number>): Relation {
  const { cte } = scan;
  const pairs = scan.columns.flatMap((column, index) => {
    const inner = cte.columns[index];
    return inner === undefined ? [] : [{ outer: column.id, inner: inner.id }];
  });
  if (printer.cteUses(cte.id) > 1 && !isCheap(cte.scan)) {
    const ids = new Set(cte.columns.map((column) => column.id));
    const name = printer.sharedCte(cte.id, () =>
      selectText(withoutOrder(printer.scan(cte.scan, ids, TOP_LEVEL)), ids),
    );
    const alias = printer.alias();
    const columns = new Map(
      pairs.map(({ outer, inner }) => [outer, { sql: column(alias, columnName(inner)), isSimple: true }]),
    );
    return { ...SINGLE_ROW, from: duck`${name} AS ${alias}`, columns };
  }
  const used = new Set(pairs.filter(({ outer }) => needed.has(outer)).map(({ inner }) => inner));
  const relation = withoutOrder(printer.scan(cte.scan, used, TOP_LEVEL));
  const columns = new Map<number, RelationColumn>();
  for (const { outer, inner } of pairs) {
    const column = relation.columns.get(inner);
    if (column !== undefined) columns.set(outer, column);
  }
  return { ...relation, columns };
}

function printFilter(
  printer: Printer,
  scan: FilterScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const used = referencedColumns(scan.condition);
  const all = union(needed, used);
  const input = printer.scan(scan.input, all, around);
  const relation = settleColumns(printer, openFor(printer, input, 'where', all), used, all);
  const within = inside(relation, around);
  const conditions = conjuncts(scan.condition).map((condition) => printer.expression(condition, within));
  return { ...relation, where: [...relation.where, ...conditions] };
}

function printProject(
  printer: Printer,
  scan: ProjectScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const computed = scan.computed.filter(({ column }) => needed.has(column.id));
  const used = referencedColumns(...computed.map(({ expression }) => expression));
  const all = union(needed, used);
  const input = withoutOrder(printer.scan(scan.input, all, around));
  const isLate = input.limit !== null && computed.some(({ expression }) => !isSimple(expression));
  const relation = settleColumns(printer, isLate ? printer.wrap(input, all) : input, used, all);
  const columns = new Map(relation.columns);
  for (const { column, expression } of computed) {
    const known = expression.kind === 'column' ? relation.columns.get(expression.column.id) : undefined;
    const sql = () => printer.expression(expression, inside(relation, around));
    // What is made of an outer query's columns alone has to become a column of this one before it is aggregated.
    const isOwn = () => [...referencedColumns(expression)].every((id) => relation.columns.has(id));
    columns.set(column.id, known ?? { sql: sql(), isSimple: isSimple(expression) && isOwn() });
  }
  return { ...relation, columns };
}

/** Columns, fields of columns and literals cost nothing to compute again. */
function isSimple(expression: ResolvedExpression): boolean {
  if (expression.kind === 'field') return isSimple(expression.base);
  if (expression.kind === 'literal')
    return typeof expression.value !== 'string' || expression.value.length < 40;
  return expression.kind === 'column' || expression.kind === 'parameter';
}

function printOrder(
  printer: Printer,
  scan: OrderScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const used = referencedByKeys(scan.keys);
  const all = union(needed, used);
  const input = printer.scan(scan.input, all, around);
  const relation = settleColumns(printer, openFor(printer, input, 'order', all), used, all);
  return { ...relation, orderBy: printKeys(printer, scan.keys, inside(relation, around)) };
}

function printLimit(
  printer: Printer,
  scan: LimitScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const input = printer.scan(scan.input, needed, around);
  const relation = input.limit === null ? input : printer.wrap(input, needed);
  const limit = printer.expression(scan.limit, around);
  const offset = scan.offset === null ? EMPTY : duck` OFFSET ${printer.expression(scan.offset, around)}`;
  return { ...relation, limit: duck`LIMIT ${limit}${offset}` };
}

/** The relation itself if a clause can be added to it, otherwise a new one around it. */
export function openFor(
  printer: Printer,
  relation: Relation,
  clause: 'where' | 'order',
  needed: ReadonlySet<number>,
): Relation {
  const plain = withoutOrder(relation);
  if (plain.limit === null && (clause === 'order' || !plain.isComputed)) return plain;
  return printer.wrap(plain, needed);
}

/** Makes sure that columns which are about to be used are names, and no long expressions to be written again. */
export function settleColumns(
  printer: Printer,
  relation: Relation,
  used: ReadonlySet<number>,
  needed: ReadonlySet<number>,
): Relation {
  const isSettled = [...used].every((id) => relation.columns.get(id)?.isSimple !== false);
  return isSettled ? relation : printer.wrap(relation, needed);
}

export function printKeys(printer: Printer, keys: readonly SortKey[], surroundings: Surroundings): Sql {
  return joined(
    keys.map((key) => sortKeySql(printer.expression(key.expression, surroundings), key.expression.type, key)),
    ', ',
  );
}
