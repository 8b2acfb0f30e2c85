import { type SqlType, typeText } from '../../../../sql/types/sql-type.ts';
import { notSupported } from '../not-supported.ts';
import { argument, argumentType, type Emitter, type Emitters, literalValue } from './emitter.ts';
import { bind, raise, textSql } from './fragments.ts';
import { like, quantifiedLike } from './like.ts';

/** GREATEST and LEAST: NULL if any value is, NaN if any is. */
function extreme(name: 'greatest' | 'least'): Emitter {
  return ({ sql, type }) => {
    if (sql.length === 1) return sql[0] ?? '';
    return bind(sql, (...values) => {
      const isNull = values.map((value) => `${value} IS NULL`).join(' OR ');
      return `CASE WHEN ${isNull} THEN NULL ELSE ${most(name, values, type)} END`;
    });
  };
}

function most(name: 'greatest' | 'least', values: readonly string[], type: SqlType): string {
  if (type.kind !== 'FLOAT64' || name === 'greatest') return `${name}(${values.join(', ')})`;
  // DuckDB sorts NaN last, so the least of numbers is found among their negatives.
  return `(- greatest(${values.map((value) => `- ${value}`).join(', ')}))`;
}

const nullIf: Emitter = (emission) => {
  const [value, other] = [argument(emission, 0), argument(emission, 1)];
  const { kind } = emission.type;
  if (kind === 'FLOAT64') {
    return bind(
      [value, other],
      (a, b) => `CASE WHEN ${a} = ${b} AND NOT isnan(${a}) THEN NULL ELSE ${a} END`,
    );
  }
  if (kind === 'ARRAY' || kind === 'STRUCT' || kind === 'JSON') throw notSupported(`NULLIF of ${kind}`);
  return `nullif(${value}, ${other})`;
};

type Position = 'OFFSET' | 'ORDINAL';

/** `array[OFFSET(i)]` and its siblings. DuckDB counts from 1, takes negative indexes from the end, and gives NULL outside. */
function element(base: Position, isSafe: boolean): Emitter {
  return (emission) => {
    const [array, index] = [argument(emission, 0), argument(emission, 1)];
    const literal = literalValue(emission, 1);
    const first = base === 'OFFSET' ? 0n : 1n;
    const shift = base === 'OFFSET' ? ' + 1' : '';
    if (isSafe && typeof literal === 'bigint') {
      return `list_extract(${array}, ${literal < first ? 0n : literal - first + 1n})`;
    }
    return bind([array, index], (list, at) => {
      const value = `list_extract(${list}, ${at}${shift})`;
      if (isSafe) return `CASE WHEN ${at} < ${first} THEN NULL ELSE ${value} END`;
      const isOutside = `${at} < ${first} OR ${at}${shift} > len(${list})`;
      return `CASE WHEN ${isOutside} THEN ${outOfBounds(base, list, at, emission.type)} ELSE ${value} END`;
    });
  };
}

function outOfBounds(base: Position, list: string, at: string, type: SqlType): string {
  if (base === 'OFFSET') return raise(`'Array index ' || ${at} || ' is out of bounds'`, type);
  return raise(
    `'Array index ' || ${at} || ' is out of bounds; the array has ' || len(${list}) || ' elements'`,
    type,
  );
}

/**
 * AND and OR. DuckDB computes all operands outside of WHERE; one that raises errors is guarded, so that `x <> 0 AND
 * 1 / x > 2` works as it reads.
 */
function chain(operator: 'AND' | 'OR'): Emitter {
  const decided = operator === 'AND' ? 'false' : 'true';
  return ({ sql }) => {
    if (!sql.slice(1).some(isRaising)) return `(${sql.join(` ${operator} `)})`;
    return sql.reduce((before, next) => {
      if (!isRaising(next)) return `(${before} ${operator} ${next})`;
      return bind(
        [before],
        (known) => `CASE WHEN ${known} = ${decided} THEN ${decided} ELSE ${known} ${operator} ${next} END`,
      );
    });
  };
}

/** Whether SQL may raise; what holds subqueries cannot be guarded, as the guard may become a lambda. */
function isRaising(sql: string): boolean {
  return sql.includes('gsql_raise(') && !sql.includes('SELECT');
}

/** The value is not computed, but stays in the text: it may hold a parameter, and those are bound as they stand there. */
const typeOf: Emitter = (emission) => {
  const name = textSql(typeText(argumentType(emission, 0)));
  return `CASE WHEN false THEN CAST(${argument(emission, 0)} IS NULL AS VARCHAR) ELSE ${name} END`;
};

/** Conditional functions, logical operators, LIKE and array elements. */
export const LOGIC: Emitters = {
  COALESCE: ({ sql }) => (sql.length === 1 ? (sql[0] ?? '') : `coalesce(${sql.join(', ')})`),
  IFNULL: ({ sql }) => `coalesce(${sql.join(', ')})`,
  IF: ({ sql }) => `CASE WHEN ${sql[0]} THEN ${sql[1]} ELSE ${sql[2]} END`,
  NULLIF: nullIf,
  GREATEST: extreme('greatest'),
  LEAST: extreme('least'),
  $AND: chain('AND'),
  $OR: chain('OR'),
  $NOT: ({ sql }) => `(NOT ${sql[0]})`,
  $IS_NULL: ({ sql }) => `(${sql[0]} IS NULL)`,
  $IS_TRUE: ({ sql }) => `(${sql[0]} IS TRUE)`,
  $IS_FALSE: ({ sql }) => `(${sql[0]} IS FALSE)`,
  $LIKE: like,
  $LIKE_ANY: quantifiedLike('OR'),
  $LIKE_ALL: quantifiedLike('AND'),
  $AT_OFFSET: element('OFFSET', false),
  $AT_SAFE_OFFSET: element('OFFSET', true),
  $AT_ORDINAL: element('ORDINAL', false),
  $AT_SAFE_ORDINAL: element('ORDINAL', true),
  TYPEOF: typeOf,
};
