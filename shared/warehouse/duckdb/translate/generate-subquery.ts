import type {
  ResolvedColumn,
  ResolvedExpression,
  ResolvedSubquery,
} from '../../../sql/resolved/expression.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { asOfRow } from './copied-text.ts';
import { duck, joined, lambdaOf, type Sql, subquery, variable, word } from './duck/sql.ts';
import { isAmong } from './functions/comparisons.ts';
import type { Generator } from './generator.ts';
import { notSupported } from './not-supported.ts';
import { derivedTable, selectListText, selectText, withoutOrder } from './relation.ts';
import { inside, type Scope } from './scope.ts';
import { generateKeys, union } from './settle.ts';
import { bitsChain, type ChainLevel, listSubquery } from './unnest-chain.ts';

/** A subquery inside an expression; one that only walks through arrays of the row becomes list functions. */
export function generateSubquery(generator: Generator, expression: ResolvedSubquery, around: Scope): Sql {
  const asList = listForm(generator, expression, around);
  if (asList !== null) return asList;
  const scope: Scope = { ...around, copiesTexts: false };
  if (scope.isLambda) throw notSupported('this subquery inside another one over arrays');
  const { mode, scan, column, operand } = expression;
  if (mode === 'exists') return duck`EXISTS ${subquery(rows(generator, scan, [], scope))}`;
  if (column === null) throw new TypeError('a subquery that is a value has a column');
  if (mode === 'array') return arrayOfRows(generator, scan, column, scope);
  const query = rows(generator, scan, [column.id], scope);
  if (mode === 'scalar' || operand === null) return subquery(query);
  const sought = generator.expression(operand, scope);
  if (column.type.kind === 'STRUCT') {
    const list = arrayOfRows(generator, scan, column, scope);
    return isAmong(sought, list, column.type);
  }
  if (column.type.kind !== 'FLOAT64') return duck`(${sought} IN ${subquery(query)})`;
  // NaN equals nothing, not even itself.
  const numbers = duck`SELECT x FROM ${subquery(query)} AS t(x) WHERE x IS NULL OR NOT isnan(x)`;
  return duck`(${sought} IN ${subquery(numbers)})`;
}

function rows(generator: Generator, scan: ResolvedScan, ids: readonly number[], scope: Scope): Sql {
  return selectText(withoutOrder(generator.scan(scan, new Set(ids), scope)), ids);
}

/** `ARRAY(query)`: an array without elements, not NULL, where there is no row; in the query's order. */
function arrayOfRows(generator: Generator, scan: ResolvedScan, column: ResolvedColumn, scope: Scope): Sql {
  const written = scan.kind === 'limit' ? scan.input : scan;
  const sorted = written.kind === 'order' ? written : null;
  if (sorted === null) {
    const relation = generator.scan(scan, new Set([column.id]), scope);
    const source = derivedTable(selectText(relation, [column.id]), generator.alias(), [column.id]);
    const list = duck`coalesce(list(${source.columns.get(column.id)?.sql}), [])`;
    return subquery(selectListText(source, list));
  }
  const ids = union(new Set([column.id]), referencedColumns(sorted.keys));
  const relation = generator.scan(scan.kind === 'limit' ? scan : sorted.input, ids, scope);
  const known = [...ids].filter((id) => relation.columns.has(id));
  const source = derivedTable(selectText(relation, known), generator.alias(), known);
  const keys = generateKeys(generator, sorted.keys, inside(source, scope));
  const list = duck`coalesce(list(${source.columns.get(column.id)?.sql} ORDER BY ${keys}), [])`;
  return subquery(selectListText(source, list));
}

/** EXISTS, ARRAY, IN and BIT_OR over nothing but arrays of the row as list functions; null for all other subqueries. */
function listForm(generator: Generator, subquery: ResolvedSubquery, scope: Scope): Sql | null {
  const { scan, mode, operand } = subquery;
  if (mode === 'scalar') {
    const chain = bitsChain(scan);
    return chain === null ? null : bits(generator, chain.levels, chain.value, scope);
  }
  const chain = listSubquery(subquery);
  if (chain === null) return null;
  const { levels, value } = chain;
  if (value === null) return anyElement(generator, levels, scope);
  const list = duck`coalesce(${elements(generator, levels, value, scope)}, [])`;
  return operand === null ? list : isAmong(generator.expression(operand, scope), list, value.type);
}

interface GeneratedLevel {
  readonly list: Sql;
  readonly element: Sql;
  readonly conditions: readonly Sql[];
  readonly within: Scope;
}

function generateLevel(generator: Generator, level: ChainLevel, scope: Scope): GeneratedLevel {
  const made = generator.expression(level.array, scope);
  const array = scope.copiesTexts === true ? asOfRow(made) : made;
  const element = variable();
  const within: Scope = {
    isLambda: true,
    lookup: (id) => (id === level.element.id ? element : scope.lookup(id)),
  };
  return {
    list: level.outer ? duck`CASE WHEN len(${array}) > 0 THEN ${array} ELSE [NULL] END` : array,
    element,
    conditions: level.conditions.map((condition) => generator.expression(condition, within)),
    within,
  };
}

function anyElement(generator: Generator, levels: readonly ChainLevel[], scope: Scope): Sql {
  const [first, ...rest] = levels;
  if (first === undefined) return word('true');
  const { list, element, conditions, within } = generateLevel(generator, first, scope);
  if (conditions.length === 0 && rest.length === 0) return duck`(coalesce(len(${list}), 0) > 0)`;
  const parts = rest.length === 0 ? conditions : [...conditions, anyElement(generator, rest, within)];
  return duck`coalesce(list_bool_or(list_transform(${list}, ${lambdaOf([element], joined(parts, ' AND '))})), false)`;
}

function elements(
  generator: Generator,
  levels: readonly ChainLevel[],
  value: ResolvedExpression,
  scope: Scope,
): Sql {
  const [first, ...rest] = levels;
  if (first === undefined) return word('[]');
  const { kept, element, within } = generateKept(generator, first, scope);
  if (rest.length > 0) {
    return duck`flatten(list_transform(${kept}, ${lambdaOf([element], elements(generator, rest, value, within))}))`;
  }
  return duck`list_transform(${kept}, ${lambdaOf([element], generator.expression(value, within))})`;
}

function bits(
  generator: Generator,
  levels: readonly ChainLevel[],
  value: ResolvedExpression,
  scope: Scope,
): Sql {
  const [first, ...rest] = levels;
  if (first === undefined) return generator.expression(value, scope);
  const { kept, element, within } = generateKept(generator, first, scope);
  return duck`list_bit_or(list_transform(${kept}, ${lambdaOf([element], bits(generator, rest, value, within))}))`;
}

/** A level with the list of the elements that meet its conditions. */
function generateKept(
  generator: Generator,
  level: ChainLevel,
  scope: Scope,
): GeneratedLevel & { readonly kept: Sql } {
  const generated = generateLevel(generator, level, scope);
  const { list, element, conditions } = generated;
  if (conditions.length === 0) return { ...generated, kept: list };
  const kept = duck`list_filter(${list}, ${lambdaOf([element], joined(conditions, ' AND '))})`;
  return { ...generated, kept };
}
