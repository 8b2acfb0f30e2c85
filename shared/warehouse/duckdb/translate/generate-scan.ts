import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type {
  CteScan,
  FilterScan,
  LimitScan,
  OrderScan,
  ProjectScan,
  ResolvedScan,
  TableScan,
} from '../../../sql/resolved/scan.ts';
import { sameType } from '../../../sql/types/sql-type.ts';
import { column, duck, EMPTY, identifier, joined, type Sql, tableColumn, word } from './duck/sql.ts';
import { generateAggregate } from './generate-aggregate.ts';
import { generateConditions } from './generate-conditions.ts';
import { generateJoin, generateUnnest } from './generate-join.ts';
import { generateRecursion, generateWorkingTable } from './generate-recursion.ts';
import { generateSetOperation } from './generate-set-operation.ts';
import { generateWindows } from './generate-window.ts';
import type { Generator } from './generator.ts';
import { ownColumns } from './own-columns.ts';
import type { TableSource } from './passes/known-data.ts';
import {
  columnName,
  type Relation,
  type RelationColumn,
  SINGLE_ROW,
  selectText,
  withoutOrder,
} from './relation.ts';
import { inside, type Scope, TOP_LEVEL } from './scope.ts';
import { generateRowOrder, openFor, settleColumns, union } from './settle.ts';
import { isCheap } from './shared-ctes.ts';

/** The DuckDB catalog and schema that hold the log tables. */
const LOG_TABLES = word('logs.main');

/** The scan as a relation that has at least the columns of `needed`; others are left out where that saves work. */
export function generateScan(
  generator: Generator,
  scan: ResolvedScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  switch (scan.kind) {
    case 'single-row':
      return SINGLE_ROW;
    case 'table':
      return generateTable(generator, scan, needed);
    case 'cte':
      return generateCte(generator, scan, needed);
    case 'working-table':
      return generateWorkingTable(generator, scan);
    case 'filter':
      return generateFilter(generator, scan, needed, scope);
    case 'project':
      return generateProject(generator, scan, needed, scope);
    case 'unnest':
      return generateUnnest(generator, scan, needed, scope);
    case 'join':
      return generateJoin(generator, scan, needed, scope);
    case 'aggregate':
      return generateAggregate(generator, scan, needed, scope);
    case 'window':
      return generateWindows(generator, scan, needed, scope);
    case 'order':
      return generateOrder(generator, scan, needed, scope);
    case 'limit':
      return generateLimit(generator, scan, needed, scope);
    case 'set-operation':
      return scan.recursion === undefined
        ? generateSetOperation(generator, scan, scope)
        : generateRecursion(generator, scan, scan.recursion);
    default: {
      const unreachable: never = scan;
      throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
    }
  }
}

function generateTable(generator: Generator, scan: TableScan, needed: ReadonlySet<number>): Relation {
  const alias = generator.alias();
  const columns = new Map<number, RelationColumn>();
  for (const { id, name } of scan.columns) {
    if (needed.has(id)) columns.set(id, { sql: tableColumn(alias, name), isSimple: true });
  }
  const sources = generator.sourcesOf(scan.table);
  if (sources === null) {
    const table = identifier(generator.storedTable(scan.table));
    return { ...SINGLE_ROW, from: duck`${LOG_TABLES}.${table} AS ${alias}`, columns };
  }
  const names = scan.columns.flatMap(({ id, name }) => (needed.has(id) ? [name] : []));
  return { ...SINGLE_ROW, from: duck`${unionOf(generator, sources, names)} AS ${alias}`, columns };
}

/** The columns of these names from all sources. No others: DuckDB takes long to plan with many columns. */
function unionOf(generator: Generator, sources: readonly TableSource[], names: readonly string[]): Sql {
  const [first] = sources;
  if (first !== undefined && first.where === null && sources.length === 1)
    return generator.readFrom(first, names);
  const columns = [...new Set(names)].map(identifier);
  const list = columns.length === 0 ? word('NULL') : joined(columns, ', ');
  const selects = sources.map((source) => {
    const condition = source.where === null ? EMPTY : word(` WHERE ${source.where}`);
    return duck`SELECT ${list} FROM ${generator.readFrom(source, names)}${condition}`;
  });
  return duck`(${joined(selects, ' UNION ALL ')})`;
}

/** A CTE that is used once, or that only filters a table, stands in place; others are written once and shared. */
function generateCte(generator: Generator, scan: CteScan, needed: ReadonlySet<number>): Relation {
  const { cte } = scan;
  const pairs = scan.columns.flatMap((column, index) => {
    const inner = cte.columns[index];
    return inner === undefined ? [] : [{ outer: column.id, inner: inner.id }];
  });
  if (generator.cteUses(cte.id) > 1 && !isCheap(cte.scan)) {
    const ids = new Set(cte.columns.map((column) => column.id));
    const name = generator.sharedCte(cte.id, () =>
      selectText(withoutOrder(generator.scan(cte.scan, ids, TOP_LEVEL)), ids),
    );
    const alias = generator.alias();
    const columns = new Map(
      pairs.map(({ outer, inner }) => [outer, { sql: column(alias, columnName(inner)), isSimple: true }]),
    );
    return { ...SINGLE_ROW, from: duck`${name} AS ${alias}`, columns };
  }
  const used = new Set(pairs.filter(({ outer }) => needed.has(outer)).map(({ inner }) => inner));
  const relation = withoutOrder(generator.scan(cte.scan, used, TOP_LEVEL));
  const columns = new Map<number, RelationColumn>();
  for (const { outer, inner } of pairs) {
    const column = relation.columns.get(inner);
    if (column !== undefined) columns.set(outer, column);
  }
  return { ...relation, columns };
}

function generateFilter(
  generator: Generator,
  scan: FilterScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const used = referencedColumns(scan.condition);
  const all = union(needed, used);
  const input = generator.scan(scan.input, all, scope);
  const settled = settleColumns(generator, openFor(generator, input, 'where', all), used, all);
  const { relation, scope: around } = ownColumns(generator, settled, [scan.condition], all, scope);
  const within = inside(relation, around);
  const conditions = generateConditions(generator, scan.condition, scan.input, within);
  return { ...relation, where: [...relation.where, ...conditions] };
}

function generateProject(
  generator: Generator,
  scan: ProjectScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const computed = scan.computed.filter(({ column }) => needed.has(column.id));
  const expressions = computed.map(({ expression }) => expression);
  const used = referencedColumns(...expressions);
  const all = union(needed, used);
  const input = withoutOrder(generator.scan(scan.input, all, scope));
  const isLate = input.limit !== null && computed.some(({ expression }) => !isSimple(expression));
  const settled = settleColumns(generator, isLate ? generator.wrap(input, all) : input, used, all);
  const { relation, scope: around } = ownColumns(generator, settled, expressions, all, scope);
  const within = inside(relation, around);
  const columns = new Map(relation.columns);
  for (const { column, expression } of computed) {
    const known = expression.kind === 'column' ? relation.columns.get(expression.column.id) : undefined;
    const sql = () => generator.expression(expression, within);
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

function generateOrder(
  generator: Generator,
  scan: OrderScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  // DuckDB refuses to sort by a literal, which puts no row before another.
  const keys = scan.keys.filter(({ expression }) => !isLiteral(expression));
  if (keys.length === 0) return generator.scan(scan.input, needed, scope);
  const used = referencedColumns(keys);
  const all = union(needed, used);
  const input = generator.scan(scan.input, all, scope);
  const settled = settleColumns(generator, openFor(generator, input, 'order', all), used, all);
  const sortedBy = keys.map(({ expression }) => expression);
  const { relation, scope: around } = ownColumns(generator, settled, sortedBy, all, scope);
  return { ...relation, orderBy: generateRowOrder(generator, keys, inside(relation, around)) };
}

function isLiteral(expression: ResolvedExpression): boolean {
  if (expression.kind === 'cast')
    return sameType(expression.type, expression.operand.type) && isLiteral(expression.operand);
  return expression.kind === 'literal';
}

function generateLimit(
  generator: Generator,
  scan: LimitScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const input = generator.scan(scan.input, needed, scope);
  const relation = input.limit === null ? input : generator.wrap(input, needed);
  const limit = generator.expression(scan.limit, scope);
  const offset = scan.offset === null ? EMPTY : duck` OFFSET ${generator.expression(scan.offset, scope)}`;
  return { ...relation, limit: duck`LIMIT ${limit}${offset}` };
}
