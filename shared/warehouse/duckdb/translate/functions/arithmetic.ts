import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { emitDateShift } from './date-shift.ts';
import { duckType } from './duck-type.ts';
import { argument, type Emission, type Emitter, type Emitters, literalValue } from './emitter.ts';
import { bind, bindComplex, raise, raiseText } from './fragments.ts';
import { combineIntervals } from './intervals.ts';
import { magnitude } from './magnitude.ts';

const SIGNS: Readonly<Record<string, string>> = { $ADD: '+', $SUBTRACT: '-', $MULTIPLY: '*' };

/** Types that `+` and `-` move along the calendar instead of adding. */
const CALENDAR: ReadonlySet<string> = new Set(['DATE', 'DATETIME', 'TIMESTAMP']);

/** Addition, subtraction and multiplication. Integers and decimals that overflow are errors of DuckDB itself. */
const combine: Emitter = (emission) => {
  const { name, type } = emission;
  if (type.kind === 'INTERVAL') return combineIntervals(emission);
  if (CALENDAR.has(type.kind)) return emitDateShift(emission);
  const sign = SIGNS[name] ?? '';
  const operator = word(sign);
  const [left, right] = [argument(emission, 0), argument(emission, 1)];
  if (type.kind === 'FLOAT64') return finite(emission, (a, b) => duck`${a} ${operator} ${b}`, sign);
  if (type.kind === 'NUMERIC' && name === '$MULTIPLY')
    return duck`CAST(${left} * ${right} AS ${duckType(type)})`;
  if (type.kind === 'BIGNUMERIC') throw notSupported(`${sign} on ${type.kind}`);
  return duck`(${left} ${operator} ${right})`;
};

/** A FLOAT64 operation whose result must not be infinite where its operands are not. */
function finite(emission: Emission, body: (a: Sql, b: Sql) => Sql, sign: string): Sql {
  const [left, right] = [argument(emission, 0), argument(emission, 1)];
  if (Number.isFinite(boundOf(emission))) return duck`(${body(left, right)})`;
  return bind([left, right], (a, b) => {
    const message = duck`'double overflow: ' || gsql_float_text(${a}) || ${textLiteral(` ${sign} `)} || gsql_float_text(${b})`;
    const error = raise(message, emission.type);
    return duck`CASE WHEN isinf(${body(a, b)}) AND isfinite(${a}) AND isfinite(${b}) THEN ${error} ELSE ${body(a, b)} END`;
  });
}

function boundOf({ name, arguments: list }: Emission): number {
  const [left, right] = list;
  if (left === undefined || right === undefined) return Infinity;
  if (name === '$MULTIPLY') return magnitude(left) * magnitude(right);
  if (name === '$DIVIDE')
    return right.kind === 'literal' ? magnitude(left) / Math.abs(Number(right.value)) : Infinity;
  return magnitude(left) + magnitude(right);
}

const divide: Emitter = (emission) => {
  if (emission.type.kind === 'NUMERIC') return divideNumeric(emission);
  if (emission.type.kind === 'INTERVAL') return combineIntervals(emission);
  if (emission.type.kind !== 'FLOAT64') throw notSupported(`/ on ${emission.type.kind}`);
  const divisor = literalValue(emission, 1);
  const [left, right] = [argument(emission, 0), argument(emission, 1)];
  const isTame = typeof divisor === 'number' && Math.abs(divisor) >= 1 && Number.isFinite(divisor);
  if (isTame) return duck`(${left} / ${right})`;
  return bind([left, right], (a, b) => {
    const message = (text: string) =>
      raise(
        duck`${textLiteral(`${text}: `)} || gsql_float_text(${a}) || ' / ' || gsql_float_text(${b})`,
        emission.type,
      );
    const guard =
      divisor === undefined || divisor === 0
        ? duck`WHEN ${b} = 0 THEN ${message('division by zero')} `
        : EMPTY;
    const overflows = isWholeQuotient(emission.arguments)
      ? EMPTY
      : duck`WHEN isinf(${a} / ${b}) AND isfinite(${a}) THEN ${message('double overflow')} `;
    return duck`CASE ${guard}${overflows}ELSE ${a} / ${b} END`;
  });
};

/** DuckDB divides DECIMALs as DOUBLEs, so this counts in billionths. */
function divideNumeric(emission: Emission): Sql {
  return bind([argument(emission, 0), argument(emission, 1)], (a, b) => {
    const error = raise(duck`'division by zero: ' || ${a} || ' / ' || ${b}`, emission.type);
    return duck`CASE WHEN ${b} = 0 THEN ${error} ELSE gsql_numeric_ratio(${a}, ${b}) END`;
  });
}

/** INT64 values as FLOAT64: their quotient cannot overflow, as a divisor is at least 1 or it is zero. */
function isWholeQuotient(list: readonly ResolvedExpression[]): boolean {
  return list.every((one) => isWhole(one));
}

function isWhole(expression: ResolvedExpression): boolean {
  if (expression.kind === 'literal') return Number.isInteger(expression.value);
  return expression.kind === 'cast' && expression.operand.type.kind === 'INT64';
}

const negate: Emitter = (emission) => {
  if (emission.type.kind === 'BIGNUMERIC') throw notSupported('- on BIGNUMERIC');
  return duck`(- ${argument(emission, 0)})`;
};

/** DIV and MOD; a literal divisor that is not zero needs no check. */
function wholeDivision(body: (a: Sql, b: Sql) => Sql): Emitter {
  return (emission) => {
    const [left, right] = [argument(emission, 0), argument(emission, 1)];
    if (emission.type.kind === 'NUMERIC') return wholeNumericDivision(emission);
    if (emission.type.kind !== 'INT64') throw notSupported(`${emission.name} on ${emission.type.kind}`);
    const divisor = literalValue(emission, 1);
    if (divisor !== undefined && divisor !== 0n) return duck`(${body(left, right)})`;
    return bind([left, right], (a, b) => {
      const error = raise(duck`'division by zero: ' || ${a} || ' / ' || ${b}`, emission.type);
      return duck`CASE WHEN ${b} = 0 THEN ${error} ELSE ${body(a, b)} END`;
    });
  };
}

/** The same for NUMERIC, in billionths. */
function wholeNumericDivision(emission: Emission): Sql {
  const { name, type } = emission;
  return bind([argument(emission, 0), argument(emission, 1)], (a, b) => {
    const error = raise(
      duck`${textLiteral(`division by zero: ${name}(`)} || ${a} || ', ' || ${b} || ')'`,
      type,
    );
    const [units, divisor] = [duck`gsql_units(${a})`, duck`gsql_units(${b})`];
    const value =
      name === 'DIV'
        ? duck`CAST(${units} // ${divisor} AS ${duckType(type)})`
        : duck`gsql_numeric_of(${units} % ${divisor})`;
    return duck`CASE WHEN ${b} = 0 THEN ${error} ELSE ${value} END`;
  });
}

/** NULL where the operation itself would fail. */
function safely(emitter: Emitter, name: string): Emitter {
  return (emission) =>
    bindComplex(emission.sql, (...sql) => duck`TRY(${emitter({ ...emission, name, sql })})`);
}

const bitwise =
  (body: (a: Sql, b: Sql) => Sql): Emitter =>
  (emission) => {
    if (emission.type.kind !== 'INT64') throw notSupported(`bit operations on ${emission.type.kind}`);
    return duck`(${body(argument(emission, 0), emission.sql[1] ?? EMPTY)})`;
  };

/** Shifts fill with zeros on both sides; a count of 64 and more gives 0, a negative one is an error. */
function shift(direction: 'left' | 'right'): Emitter {
  return (emission) => {
    if (emission.type.kind !== 'INT64') throw notSupported(`shifts of ${emission.type.kind}`);
    const [value, count] = [argument(emission, 0), argument(emission, 1)];
    return bind([value, count], (a, n) => {
      const error = raiseText('Bitwise shift by negative offset.', emission.type);
      return duck`CASE WHEN ${n} < 0 THEN ${error} WHEN ${n} > 63 THEN ${a} - ${a} ELSE gsql_shift_${word(direction)}(${a}, ${n}) END`;
    });
  };
}

/** Arithmetic and bitwise operators with their SAFE_ forms. */
export const ARITHMETIC: Emitters = {
  $ADD: combine,
  $SUBTRACT: combine,
  $MULTIPLY: combine,
  $DIVIDE: divide,
  $UNARY_MINUS: negate,
  SAFE_ADD: safely(combine, '$ADD'),
  SAFE_SUBTRACT: safely(combine, '$SUBTRACT'),
  SAFE_MULTIPLY: safely(combine, '$MULTIPLY'),
  SAFE_NEGATE: safely(negate, '$UNARY_MINUS'),
  SAFE_DIVIDE: safely(divide, '$DIVIDE'),
  DIV: wholeDivision((a, b) => duck`${a} // ${b}`),
  MOD: wholeDivision((a, b) => duck`${a} % ${b}`),
  $BIT_NOT: bitwise((a) => duck`~${a}`),
  $BIT_AND: bitwise((a, b) => duck`${a} & ${b}`),
  $BIT_OR: bitwise((a, b) => duck`${a} | ${b}`),
  $BIT_XOR: bitwise((a, b) => duck`xor(${a}, ${b})`),
  $SHIFT_LEFT: shift('left'),
  $SHIFT_RIGHT: shift('right'),
};
