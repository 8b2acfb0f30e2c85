import type {
  ResolvedColumn,
  ResolvedExpression,
  ResolvedSubquery,
} from '../../../sql/resolved/expression.ts';
import { referencedByKeys } from '../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { duck, joined, lambdaOf, type Sql, subquery, variable, word } from './duck/sql.ts';
import { notSupported } from './not-supported.ts';
import { printKeys, union } from './print-scan.ts';
import { inside, type Printer, type Surroundings } from './printer.ts';
import { derivedTable, selectListText, selectText, withoutOrder } from './relation.ts';
import { bitsChain, type ChainLevel, hasRowSubquery, isLambdaSafe, unnestChain } from './unnest-chain.ts';

/** A subquery inside an expression; one that only walks through arrays of the row becomes list functions. */
export function printSubquery(printer: Printer, expression: ResolvedSubquery, around: Surroundings): Sql {
  const asList = listForm(printer, expression, around);
  if (asList !== null) return asList;
  if (around.isLambda) throw notSupported('this subquery inside another one over arrays');
  const { mode, scan, column, operand } = expression;
  if (mode === 'exists') return duck`EXISTS ${subquery(rows(printer, scan, [], around))}`;
  if (column === null) throw new TypeError('a subquery that is a value has a column');
  if (mode === 'array') return arrayOfRows(printer, scan, column, around);
  const query = rows(printer, scan, [column.id], around);
  if (mode === 'scalar' || operand === null) return subquery(query);
  return duck`(${printer.expression(operand, around)} IN ${subquery(query)})`;
}

function rows(printer: Printer, scan: ResolvedScan, ids: readonly number[], around: Surroundings): Sql {
  return selectText(withoutOrder(printer.scan(scan, new Set(ids), around)), ids);
}

/** `ARRAY(query)`: an array without elements, not NULL, where there is no row; in the query's order. */
function arrayOfRows(
  printer: Printer,
  scan: ResolvedScan,
  column: ResolvedColumn,
  around: Surroundings,
): Sql {
  const written = scan.kind === 'limit' ? scan.input : scan;
  const sorted = written.kind === 'order' ? written : null;
  if (sorted === null) {
    const relation = printer.scan(scan, new Set([column.id]), around);
    const source = derivedTable(selectText(relation, [column.id]), printer.alias(), [column.id]);
    const list = duck`coalesce(list(${source.columns.get(column.id)?.sql}), [])`;
    return subquery(selectListText(source, list));
  }
  const ids = union(new Set([column.id]), referencedByKeys(sorted.keys));
  const relation = printer.scan(scan.kind === 'limit' ? scan : sorted.input, ids, around);
  const known = [...ids].filter((id) => relation.columns.has(id));
  const source = derivedTable(selectText(relation, known), printer.alias(), known);
  const keys = printKeys(printer, sorted.keys, inside(source, around));
  const list = duck`coalesce(list(${source.columns.get(column.id)?.sql} ORDER BY ${keys}), [])`;
  return subquery(selectListText(source, list));
}

/** EXISTS, ARRAY and BIT_OR over nothing but arrays of the row as list functions; null for all other subqueries. */
function listForm(printer: Printer, subquery: ResolvedSubquery, around: Surroundings): Sql | null {
  const { scan, mode, column } = subquery;
  if (mode === 'exists') {
    const levels = unnestChain(scan.kind === 'project' ? scan.input : scan);
    return levels === null || !levels.every(isLambdaSafe) ? null : anyElement(printer, levels, around);
  }
  if (mode === 'scalar') {
    const chain = bitsChain(scan);
    return chain === null ? null : bits(printer, chain.levels, chain.value, around);
  }
  if (mode !== 'array' || column === null) return null;
  const computed =
    scan.kind === 'project' ? scan.computed.find((one) => one.column.id === column.id) : undefined;
  const value: ResolvedExpression = computed?.expression ?? { kind: 'column', type: column.type, column };
  const levels = unnestChain(scan.kind === 'project' ? scan.input : scan);
  if (levels === null || !levels.every(isLambdaSafe) || hasRowSubquery(value)) return null;
  return duck`coalesce(${elements(printer, levels, value, around)}, [])`;
}

interface PrintedLevel {
  readonly list: Sql;
  readonly element: Sql;
  readonly conditions: readonly Sql[];
  readonly within: Surroundings;
}

function printLevel(printer: Printer, level: ChainLevel, around: Surroundings): PrintedLevel {
  const array = printer.expression(level.array, around);
  const element = variable();
  const within: Surroundings = {
    isLambda: true,
    lookup: (id) => (id === level.element.id ? element : around.lookup(id)),
  };
  return {
    list: level.outer ? duck`CASE WHEN len(${array}) > 0 THEN ${array} ELSE [NULL] END` : array,
    element,
    conditions: level.conditions.map((condition) => printer.expression(condition, within)),
    within,
  };
}

function anyElement(printer: Printer, levels: readonly ChainLevel[], around: Surroundings): Sql {
  const [first, ...rest] = levels;
  if (first === undefined) return word('true');
  const { list, element, conditions, within } = printLevel(printer, first, around);
  if (conditions.length === 0 && rest.length === 0) return duck`(coalesce(len(${list}), 0) > 0)`;
  const parts = rest.length === 0 ? conditions : [...conditions, anyElement(printer, rest, within)];
  return duck`coalesce(list_bool_or(list_transform(${list}, ${lambdaOf([element], joined(parts, ' AND '))})), false)`;
}

function elements(
  printer: Printer,
  levels: readonly ChainLevel[],
  value: ResolvedExpression,
  around: Surroundings,
): Sql {
  const [first, ...rest] = levels;
  if (first === undefined) return word('[]');
  const { kept, element, within } = printKept(printer, first, around);
  if (rest.length > 0) {
    return duck`flatten(list_transform(${kept}, ${lambdaOf([element], elements(printer, rest, value, within))}))`;
  }
  return duck`list_transform(${kept}, ${lambdaOf([element], printer.expression(value, within))})`;
}

function bits(
  printer: Printer,
  levels: readonly ChainLevel[],
  value: ResolvedExpression,
  around: Surroundings,
): Sql {
  const [first, ...rest] = levels;
  if (first === undefined) return printer.expression(value, around);
  const { kept, element, within } = printKept(printer, first, around);
  return duck`list_bit_or(list_transform(${kept}, ${lambdaOf([element], bits(printer, rest, value, within))}))`;
}

/** A level with the list of the elements that meet its conditions. */
function printKept(
  printer: Printer,
  level: ChainLevel,
  around: Surroundings,
): PrintedLevel & { readonly kept: Sql } {
  const printed = printLevel(printer, level, around);
  const { list, element, conditions } = printed;
  if (conditions.length === 0) return { ...printed, kept: list };
  const kept = duck`list_filter(${list}, ${lambdaOf([element], joined(conditions, ' AND '))})`;
  return { ...printed, kept };
}
