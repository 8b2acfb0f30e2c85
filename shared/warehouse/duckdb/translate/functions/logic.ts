import { type SqlType, typeText } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, joined, type Sql, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallTranslator,
  type CallTranslators,
  isNullArgument,
  literalValue,
} from './call-site.ts';
import { areEqual } from './comparisons.ts';
import { duckType } from './duck-type.ts';
import { raise, textSql, withLocals } from './fragments.ts';
import { onBytes } from './latin1.ts';
import { like, likeInArray, quantifiedLike } from './like.ts';
import { nullOf } from './options.ts';

/** GREATEST and LEAST: NULL if any value is, NaN if any is. */
function extreme(name: 'greatest' | 'least'): CallTranslator {
  return (site) => {
    const { sql, type } = site;
    if (sql.length === 1) return argument(site, 0);
    return withLocals(sql, (...values) => {
      const isNull = joined(
        values.map((value) => duck`${value} IS NULL`),
        ' OR ',
      );
      return duck`CASE WHEN ${isNull} THEN NULL ELSE ${most(name, values, type)} END`;
    });
  };
}

function most(name: 'greatest' | 'least', values: readonly Sql[], type: SqlType): Sql {
  if (type.kind === 'INTERVAL') return firstInterval(name, values);
  if (type.kind !== 'FLOAT64' || name === 'greatest') return duck`${word(name)}(${joined(values, ', ')})`;
  // DuckDB sorts NaN last, so the least of numbers is found among their negatives.
  return duck`(- greatest(${joined(
    values.map((value) => duck`- ${value}`),
    ', ',
  )}))`;
}

/** DuckDB's own compares the parts of INTERVALs; as lengths, several may be equal, and the first of them is the answer. */
function firstInterval(name: 'greatest' | 'least', values: readonly Sql[]): Sql {
  const comparison = word(name === 'greatest' ? '>' : '<');
  const [first = EMPTY, ...others] = values;
  return others.reduce<Sql>(
    (best, next) =>
      withLocals([best], (one) => duck`CASE WHEN ${next} ${comparison} ${one} THEN ${next} ELSE ${one} END`),
    first,
  );
}

const nullIf: CallTranslator = (site) => {
  const [value, other] = [argument(site, 0), argument(site, 1)];
  const { kind } = site.type;
  if (kind === 'FLOAT64') {
    return withLocals(
      [value, other],
      (a, b) => duck`CASE WHEN ${a} = ${b} AND NOT isnan(${a}) THEN NULL ELSE ${a} END`,
    );
  }
  if (site.type.kind === 'STRUCT')
    return withLocals(
      [value, other],
      (a, b) => duck`CASE WHEN ${areEqual(a, b, site.type)} THEN NULL ELSE ${a} END`,
    );
  if (kind === 'ARRAY' || kind === 'JSON') throw notSupported(`NULLIF of ${kind}`);
  return duck`nullif(${value}, ${other})`;
};

type Position = 'OFFSET' | 'ORDINAL';

/**
 * `array[OFFSET(i)]` and its siblings. DuckDB counts from 1, takes negative indexes from the end, gives NULL outside, and gives an
 * element of a constant that is NULL no type, so that it is cast.
 */
function element(base: Position, isSafe: boolean): CallTranslator {
  const translate = elementOf(base, isSafe);
  return (site) => {
    const value = translate(site);
    return argument(site, 0).properties.isConstant ? duck`CAST(${value} AS ${duckType(site.type)})` : value;
  };
}

function elementOf(base: Position, isSafe: boolean): CallTranslator {
  return (site) => {
    const [array, index] = [argument(site, 0), argument(site, 1)];
    const literal = literalValue(site, 1);
    // DuckDB gives an element of NULL no type.
    if (isNullArgument(site, 0)) return nullOf(site);
    const first = base === 'OFFSET' ? 0n : 1n;
    const shift = base === 'OFFSET' ? word(' + 1') : EMPTY;
    const past = word(base === 'OFFSET' ? '>=' : '>');
    if (isSafe && typeof literal === 'bigint') {
      const place = literal - first + 1n;
      return duck`list_extract(${array}, ${place < 1n || place >= 2n ** 63n ? 0n : place})`;
    }
    return withLocals([array, index], (list, at) => {
      const value = duck`list_extract(${list}, ${at}${shift})`;
      const outside = isSafe ? word('NULL') : outOfBounds(base, list, at, site.type);
      return duck`CASE WHEN ${list} IS NULL THEN NULL WHEN ${at} < ${first} OR ${at} ${past} len(${list}) THEN ${outside} ELSE ${value} END`;
    });
  };
}

function outOfBounds(base: Position, list: Sql, at: Sql, type: SqlType): Sql {
  if (base === 'OFFSET') return raise(duck`'Array index ' || ${at} || ' is out of bounds'`, type);
  return raise(
    duck`'Array index ' || ${at} || ' is out of bounds; the array has ' || len(${list}) || ' elements'`,
    type,
  );
}

/**
 * AND and OR. DuckDB computes all operands outside of WHERE; one that raises errors is guarded, so that `x <> 0 AND
 * 1 / x > 2` works as it reads.
 */
function chain(operator: 'AND' | 'OR'): CallTranslator {
  const decided = word(operator === 'AND' ? 'false' : 'true');
  const sign = word(operator);
  return ({ sql }) => {
    if (!sql.slice(1).some(isRaising)) return duck`(${joined(sql, ` ${operator} `)})`;
    return sql.reduce((before, next) => {
      if (!isRaising(next)) return duck`(${before} ${sign} ${next})`;
      return withLocals(
        [before],
        (known) => duck`CASE WHEN ${known} = ${decided} THEN ${decided} ELSE ${known} ${sign} ${next} END`,
      );
    });
  };
}

/** Whether SQL may raise; what holds subqueries cannot be guarded, as the guard may become a lambda. */
function isRaising(sql: Sql): boolean {
  return sql.properties.mayRaise && !sql.properties.hasSubquery;
}

/** The value is not computed, but stays in the text: it may hold a parameter, and those are bound as they stand there. */
const typeOf: CallTranslator = (site) => {
  const name = textSql(typeText(argumentType(site, 0)));
  return duck`CASE WHEN false THEN CAST(${argument(site, 0)} IS NULL AS VARCHAR) ELSE ${name} END`;
};

/** Most characters of a text that ERROR raises. */
const MAX_ERROR_LENGTH = 500;

/** Conditional functions, logical operators, LIKE and array elements. */
export const LOGIC: CallTranslators = {
  COALESCE: ({ sql }) => duck`coalesce(${joined(sql, ', ')})`,
  IFNULL: ({ sql }) => duck`coalesce(${joined(sql, ', ')})`,
  IF: ({ sql }) => duck`CASE WHEN ${sql[0]} THEN ${sql[1]} ELSE ${sql[2]} END`,
  NULLIF: nullIf,
  ERROR: ({ sql, type }) =>
    raise(
      duck`coalesce(nullif(substring(${sql[0]}, 1, ${MAX_ERROR_LENGTH}), ''), 'ERROR was called with no text, or with NULL')`,
      type,
    ),
  GREATEST: extreme('greatest'),
  LEAST: extreme('least'),
  $AND: chain('AND'),
  $OR: chain('OR'),
  $NOT: ({ sql }) => duck`(NOT ${sql[0]})`,
  $IS_NULL: ({ sql }) => duck`(${sql[0]} IS NULL)`,
  $IS_TRUE: ({ sql }) => duck`(${sql[0]} IS TRUE)`,
  $IS_FALSE: ({ sql }) => duck`(${sql[0]} IS FALSE)`,
  $LIKE: onBytes(like),
  $LIKE_ANY: onBytes(quantifiedLike('OR')),
  $LIKE_ALL: onBytes(quantifiedLike('AND')),
  $LIKE_ANY_ARRAY: likeInArray('OR'),
  $LIKE_ALL_ARRAY: likeInArray('AND'),
  $AT_OFFSET: element('OFFSET', false),
  $AT_SAFE_OFFSET: element('OFFSET', true),
  $AT_ORDINAL: element('ORDINAL', false),
  $AT_SAFE_ORDINAL: element('ORDINAL', true),
  TYPEOF: typeOf,
};
