import type {
  ResolvedColumn,
  ResolvedExpression,
  ResolvedSubquery,
} from '../../../sql/resolved/expression.ts';
import { referencedByKeys } from '../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { mapExpression } from '../../../sql/resolved/transform.ts';
import { keepArrayOrder } from './array-order.ts';
import { notSupported } from './not-supported.ts';
import { printKeys, union } from './print-scan.ts';
import { inside, type Printer, type Surroundings } from './printer.ts';
import { columnName, derivedTable, selectListText, selectText, withoutOrder } from './relation.ts';
import { type ChainLevel, unnestChain } from './unnest-chain.ts';

/** A subquery inside an expression; one that only walks through arrays of the row becomes list functions. */
export function printSubquery(printer: Printer, subquery: ResolvedSubquery, around: Surroundings): string {
  const asList = listForm(printer, subquery, around);
  if (asList !== null) return asList;
  if (around.isLambda) throw notSupported('this subquery inside another one over arrays');
  const { mode, column } = subquery;
  if (mode === 'exists') return `EXISTS (${rows(printer, subquery.scan, [], around)})`;
  if (column === null) throw new TypeError('a subquery that is a value has a column');
  if (mode === 'array') return arrayOfRows(printer, subquery.scan, column, around);
  const query = rows(printer, subquery.scan, [column.id], around);
  if (mode === 'scalar' || subquery.operand === null) return `(${query})`;
  return `(${printer.expression(subquery.operand, around)} IN (${query}))`;
}

function rows(printer: Printer, scan: ResolvedScan, ids: readonly number[], around: Surroundings): string {
  return selectText(withoutOrder(printer.scan(scan, new Set(ids), around)), ids);
}

/** `ARRAY(query)`: an array without elements, not NULL, where there is no row; in the query's order. */
function arrayOfRows(
  printer: Printer,
  scan: ResolvedScan,
  column: ResolvedColumn,
  around: Surroundings,
): string {
  const written = scan.kind === 'limit' ? scan.input : scan;
  const sorted = written.kind === 'order' ? keepArrayOrder(written, () => printer.newId()) : null;
  if (sorted === null) {
    const relation = printer.scan(scan, new Set([column.id]), around);
    const source = derivedTable(selectText(relation, [column.id]), printer.alias(), [column.id]);
    return `(${selectListText(source, `coalesce(list(${source.columns.get(column.id)?.sql}), [])`)})`;
  }
  const ids = union(new Set([column.id]), referencedByKeys(sorted.keys));
  const relation = printer.scan(
    scan.kind === 'limit' ? { ...scan, input: sorted } : sorted.input,
    ids,
    around,
  );
  const known = [...ids].filter((id) => relation.columns.has(id));
  const source = derivedTable(selectText(relation, known), printer.alias(), known);
  const keys = printKeys(printer, sorted.keys, inside(source, around));
  return `(${selectListText(source, `coalesce(list(${source.columns.get(column.id)?.sql} ORDER BY ${keys}), [])`)})`;
}

/** EXISTS and ARRAY over nothing but arrays of the row as list functions; null for all other subqueries. */
function listForm(printer: Printer, subquery: ResolvedSubquery, around: Surroundings): string | null {
  const { scan, mode, column } = subquery;
  if (mode === 'exists') {
    const levels = unnestChain(scan.kind === 'project' ? scan.input : scan);
    return levels === null || !levels.every(isLambdaSafe) ? null : anyElement(printer, levels, around);
  }
  if (mode !== 'array' || column === null) return null;
  const computed =
    scan.kind === 'project' ? scan.computed.find((one) => one.column.id === column.id) : undefined;
  const value: ResolvedExpression = computed?.expression ?? { kind: 'column', type: column.type, column };
  const levels = unnestChain(scan.kind === 'project' ? scan.input : scan);
  if (levels === null || !levels.every(isLambdaSafe) || hasRowSubquery(value)) return null;
  return `coalesce(${elements(printer, levels, value, around)}, [])`;
}

/** Whether conditions and array can stand in a lambda, where DuckDB runs no subqueries. */
export function isLambdaSafe(level: ChainLevel): boolean {
  return !level.conditions.some(hasRowSubquery) && !hasRowSubquery(level.array);
}

/** Whether an expression has a subquery that needs rows, which DuckDB's lambdas cannot run. */
function hasRowSubquery(expression: ResolvedExpression): boolean {
  let found = false;
  mapExpression(expression, (part) => {
    if (part.kind !== 'subquery') return null;
    const levels = unnestChain(part.scan.kind === 'project' ? part.scan.input : part.scan);
    const isList =
      (part.mode === 'exists' || part.mode === 'array') && levels !== null && levels.every(isLambdaSafe);
    if (!isList) found = true;
    return part;
  });
  return found;
}

interface PrintedLevel {
  readonly list: string;
  readonly variable: string;
  readonly conditions: readonly string[];
  readonly within: Surroundings;
}

function printLevel(printer: Printer, level: ChainLevel, around: Surroundings): PrintedLevel {
  const array = printer.expression(level.array, around);
  const variable = columnName(level.element.id);
  const within: Surroundings = {
    isLambda: true,
    lookup: (id) => (id === level.element.id ? variable : around.lookup(id)),
  };
  return {
    list: level.outer ? `CASE WHEN len(${array}) > 0 THEN ${array} ELSE [NULL] END` : array,
    variable,
    conditions: level.conditions.map((condition) => printer.expression(condition, within)),
    within,
  };
}

function anyElement(printer: Printer, levels: readonly ChainLevel[], around: Surroundings): string {
  const [first, ...rest] = levels;
  if (first === undefined) return 'true';
  const { list, variable, conditions, within } = printLevel(printer, first, around);
  if (conditions.length === 0 && rest.length === 0) return `(coalesce(len(${list}), 0) > 0)`;
  const parts = rest.length === 0 ? conditions : [...conditions, anyElement(printer, rest, within)];
  return `coalesce(list_bool_or(list_transform(${list}, lambda ${variable}: ${parts.join(' AND ')})), false)`;
}

function elements(
  printer: Printer,
  levels: readonly ChainLevel[],
  value: ResolvedExpression,
  around: Surroundings,
): string {
  const [first, ...rest] = levels;
  if (first === undefined) return '[]';
  const { list, variable, conditions, within } = printLevel(printer, first, around);
  const kept =
    conditions.length === 0 ? list : `list_filter(${list}, lambda ${variable}: ${conditions.join(' AND ')})`;
  if (rest.length > 0) {
    return `flatten(list_transform(${kept}, lambda ${variable}: ${elements(printer, rest, value, within)}))`;
  }
  return `list_transform(${kept}, lambda ${variable}: ${printer.expression(value, within)})`;
}
