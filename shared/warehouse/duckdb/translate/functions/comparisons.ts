import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { BOOL, type SqlType, typeText } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, joined, mapped, type Sql, subquery, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
} from './call-site.ts';
import { fieldSql } from './field-sql.ts';
import { raiseText, withLocals } from './fragments.ts';
import { translateLiteral } from './literals.ts';

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

interface Operand {
  readonly sql: Sql;
  /** Whether it may be NaN, which GoogleSQL never finds equal, less or greater. */
  readonly mayBeNaN: boolean;
}

/** `a < b` by GoogleSQL's rules. Only FLOAT64 values that are not known to be numbers need more than the operator. */
function compare(comparison: Comparison, left: Operand, right: Operand, type: SqlType): Sql {
  if (type.kind === 'STRUCT') return compareStructs(comparison, left, right, type);
  if (type.kind === 'ARRAY' || type.kind === 'JSON') throw notSupported(`comparing ${typeText(type)}`);
  const operator = word(comparison);
  const plain = duck`(${left.sql} ${operator} ${right.sql})`;
  if (comparison === '=' || comparison === '<>') {
    if (!left.mayBeNaN || !right.mayBeNaN) return plain;
    const answer = word(comparison === '<>' ? 'true' : 'false');
    return withLocals(
      [left.sql, right.sql],
      (a, b) => duck`CASE WHEN isnan(${a}) AND isnan(${b}) THEN ${answer} ELSE ${a} ${operator} ${b} END`,
    );
  }
  // DuckDB sorts NaN after every number: only a NaN on the greater side gives a wrong `true`.
  const greater = comparison === '<' || comparison === '<=' ? right : left;
  const lesser = greater === left ? right : left;
  if (!greater.mayBeNaN) return plain;
  if (!lesser.mayBeNaN && lesser.sql.isAtom) {
    return withLocals([greater.sql], (value) => {
      const text =
        greater === left ? duck`${value} ${operator} ${right.sql}` : duck`${left.sql} ${operator} ${value}`;
      return duck`(${text} AND NOT isnan(${value}))`;
    });
  }
  return withLocals([left.sql, right.sql], (a, b) => {
    const [high, low] = greater === left ? [a, b] : [b, a];
    return duck`CASE WHEN isnan(${high}) AND ${low} IS NOT NULL THEN false ELSE ${a} ${operator} ${b} END`;
  });
}

function compareStructs(
  comparison: Comparison,
  left: Operand,
  right: Operand,
  type: Extract<SqlType, { kind: 'STRUCT' }>,
): Sql {
  if (comparison !== '=' && comparison !== '<>') throw notSupported(`ordering ${typeText(type)}`);
  return withLocals([left.sql, right.sql], (a, b) => {
    const fields = type.fields.map((field, index) => {
      const side = (sql: Sql): Operand => ({
        sql: fieldSql(sql, index, field.type),
        mayBeNaN: field.type.kind === 'FLOAT64',
      });
      return compare('=', side(a), side(b), field.type);
    });
    const equal = duck`(${joined(fields, ' AND ')})`;
    return comparison === '=' ? equal : duck`(NOT ${equal})`;
  });
}

/** Whether two values of one type are equal by GoogleSQL's rules, as three-valued logic. */
export function areEqual(left: Sql, right: Sql, type: SqlType): Sql {
  const mayBeNaN = type.kind === 'FLOAT64';
  return compare('=', { sql: left, mayBeNaN }, { sql: right, mayBeNaN }, type);
}

function operand(site: CallSite, index: number): Operand {
  const expression = site.arguments[index];
  return {
    sql: argument(site, index),
    mayBeNaN: expression !== undefined && mayBeNaN(expression),
  };
}

function mayBeNaN(expression: ResolvedExpression): boolean {
  if (expression.type.kind !== 'FLOAT64') return false;
  if (expression.kind === 'literal') return Number.isNaN(expression.value);
  return !(expression.kind === 'cast' && expression.operand.type.kind !== 'STRING');
}

function comparison(operator: Comparison): CallTranslator {
  return (site) => compare(operator, operand(site, 0), operand(site, 1), argumentType(site, 0));
}

function translateBetween(site: CallSite): Sql {
  const [value, low, high] = [0, 1, 2].map((index) => operand(site, index));
  const type = argumentType(site, 0);
  if (value === undefined || low === undefined || high === undefined)
    throw new TypeError('BETWEEN has two bounds');
  if (type.kind !== 'FLOAT64' && type.kind !== 'STRUCT') {
    return duck`(${value.sql} BETWEEN ${low.sql} AND ${high.sql})`;
  }
  return withLocals([value.sql], (sql) => {
    const bound = { ...value, sql };
    return duck`(${compare('>=', bound, low, type)} AND ${compare('<=', bound, high, type)})`;
  });
}

/** `x IN (a, b)`; NULL in the list counts as in SQL. */
function translateIn(site: CallSite): Sql {
  const [value, ...items] = site.sql.map((_, index) => operand(site, index));
  const type = argumentType(site, 0);
  if (value === undefined) throw new TypeError('IN has an operand');
  const isPlain = type.kind !== 'STRUCT' && (!value.mayBeNaN || items.every((item) => !item.mayBeNaN));
  if (isPlain)
    return duck`(${value.sql} IN (${joined(
      items.map(({ sql }) => sql),
      ', ',
    )}))`;
  return withLocals(
    [value.sql],
    (sql) =>
      duck`(${joined(
        items.map((item) => compare('=', { ...value, sql }, item, type)),
        ' OR ',
      )})`,
  );
}

/** Longest array that is looked through for each row. */
const MAX_SOUGHT_IN = 100_000;
const LONG_ARRAY = `IN UNNEST of an array that rows have takes at most ${MAX_SOUGHT_IN} elements`;

/** `x IN UNNEST(array)`: false for an array that is empty or NULL. */
function translateInArray(site: CallSite): Sql {
  const [value, array] = [argument(site, 0), argument(site, 1)];
  const type = argumentType(site, 0);
  const source = site.arguments[1];
  if (source?.kind === 'array' && source.elements.length > 0 && !hasParts(type)) {
    const items = source.elements.filter((element) => element.kind === 'literal').map(translateLiteral);
    if (items.length === source.elements.length) return duck`(${value} IN (${joined(items, ', ')}))`;
  }
  // Looked up in a table of its own, which takes one pass over both.
  if (array.properties.isConstant && site.context.runsSubqueries && !hasParts(type))
    return duck`(${value} IN ${subquery(duck`SELECT unnest(${array})`)})`;
  return isAmong(value, array, type);
}

const hasParts = ({ kind }: SqlType) => kind === 'FLOAT64' || kind === 'STRUCT';

/** Whether a value is among those of an array, which is looked through for each row; the answer is three-valued. */
export function isAmong(value: Sql, array: Sql, type: SqlType): Sql {
  if (type.kind === 'STRUCT') return isAmongStructs(value, array, type);
  return withLocals([value, array], (x, list) => {
    const long = raiseText(LONG_ARRAY, BOOL);
    const isNumber = type.kind === 'FLOAT64' ? duck` AND NOT isnan(${x})` : EMPTY;
    return duck`CASE WHEN ${list} IS NULL OR len(${list}) = 0 THEN false WHEN ${x} IS NULL THEN NULL WHEN len(${list}) > ${MAX_SOUGHT_IN} THEN ${long} WHEN list_contains(${list}, ${x})${isNumber} THEN true WHEN list_count(${list}) < len(${list}) THEN NULL ELSE false END`;
  });
}

/** Each struct of the array is compared by itself. */
function isAmongStructs(value: Sql, array: Sql, type: SqlType): Sql {
  return withLocals([value, array], (sought, list) => {
    const long = raiseText(LONG_ARRAY, BOOL);
    const answers = mapped(list, (element) => areEqual(sought, element, type));
    const found = withLocals(
      [answers],
      (all) =>
        duck`CASE WHEN list_contains(${all}, true) THEN true WHEN list_count(${all}) < len(${all}) THEN NULL ELSE false END`,
    );
    return duck`CASE WHEN ${list} IS NULL OR len(${list}) = 0 THEN false WHEN len(${list}) > ${MAX_SOUGHT_IN} THEN ${long} ELSE ${found} END`;
  });
}

/** Comparison operators. */
export const COMPARISONS: CallTranslators = {
  $EQUAL: comparison('='),
  $NOT_EQUAL: comparison('<>'),
  $LESS: comparison('<'),
  $LESS_OR_EQUAL: comparison('<='),
  $GREATER: comparison('>'),
  $GREATER_OR_EQUAL: comparison('>='),
  $IS_DISTINCT_FROM: ({ sql }) => duck`(${sql[0]} IS DISTINCT FROM ${sql[1]})`,
  $BETWEEN: translateBetween,
  $IN: translateIn,
  $IN_ARRAY: translateInArray,
};
