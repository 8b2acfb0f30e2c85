import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { type BigOperation, bigNumeric, safeBigNumeric } from './big-decimals.ts';
import {
  argument,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { translateDateShift } from './date-shift.ts';
import { duckType } from './duck-type.ts';
import { raise, raiseText, withLocals, withLocalsOutsideTry } from './fragments.ts';
import { combineIntervals } from './intervals.ts';
import { magnitude } from './magnitude.ts';

const SIGNS: Readonly<Record<string, string>> = { $ADD: '+', $SUBTRACT: '-', $MULTIPLY: '*' };

const BIG_SIGNS: Readonly<Record<string, BigOperation>> = {
  $ADD: '+',
  $SUBTRACT: '-',
  $MULTIPLY: '*',
  $DIVIDE: '/',
};

/** Types that `+` and `-` move along the calendar instead of adding. */
const CALENDAR: ReadonlySet<string> = new Set(['DATE', 'DATETIME', 'TIMESTAMP']);

/** Addition, subtraction and multiplication. Integers and decimals that overflow are errors of DuckDB itself. */
const combine: CallTranslator = (site) => {
  const { name, type } = site;
  if (type.kind === 'INTERVAL') return combineIntervals(site);
  if (CALENDAR.has(type.kind)) return translateDateShift(site);
  const sign = SIGNS[name] ?? '';
  const operator = word(sign);
  const [left, right] = [argument(site, 0), argument(site, 1)];
  if (type.kind === 'FLOAT64') return finite(site, (a, b) => duck`${a} ${operator} ${b}`, sign);
  if (type.kind === 'NUMERIC' && name === '$MULTIPLY')
    return withLocals([left, right], (a, b) => duck`gsql_numeric_product(${a}, ${b})`);
  if (type.kind === 'BIGNUMERIC') return bigNumeric(left, BIG_SIGNS[name] ?? '+', right);
  return duck`(${left} ${operator} ${right})`;
};

/** A FLOAT64 operation whose result must not be infinite where its operands are not. */
function finite(site: CallSite, body: (a: Sql, b: Sql) => Sql, sign: string): Sql {
  const [left, right] = [argument(site, 0), argument(site, 1)];
  if (Number.isFinite(boundOf(site))) return duck`(${body(left, right)})`;
  return withLocals([left, right], (a, b) => {
    const message = duck`'double overflow: ' || gsql_float_text(${a}) || ${textLiteral(` ${sign} `)} || gsql_float_text(${b})`;
    const error = raise(message, site.type);
    return duck`CASE WHEN isinf(${body(a, b)}) AND isfinite(${a}) AND isfinite(${b}) THEN ${error} ELSE ${body(a, b)} END`;
  });
}

function boundOf({ name, arguments: list }: CallSite): number {
  const [left, right] = list;
  if (left === undefined || right === undefined) return Infinity;
  if (name === '$MULTIPLY') return magnitude(left) * magnitude(right);
  if (name === '$DIVIDE')
    return right.kind === 'literal' ? magnitude(left) / Math.abs(Number(right.value)) : Infinity;
  return magnitude(left) + magnitude(right);
}

const divide: CallTranslator = (site) => {
  if (site.type.kind === 'NUMERIC') return divideNumeric(site);
  if (site.type.kind === 'INTERVAL') return combineIntervals(site);
  if (site.type.kind === 'BIGNUMERIC') return bigNumeric(argument(site, 0), '/', argument(site, 1));
  if (site.type.kind !== 'FLOAT64') throw notSupported(`/ on ${site.type.kind}`);
  const divisor = literalValue(site, 1);
  const [left, right] = [argument(site, 0), argument(site, 1)];
  const isTame = typeof divisor === 'number' && Math.abs(divisor) >= 1 && Number.isFinite(divisor);
  if (isTame) return duck`(${left} / ${right})`;
  return withLocals([left, right], (a, b) => {
    const message = (text: string) =>
      raise(
        duck`${textLiteral(`${text}: `)} || gsql_float_text(${a}) || ' / ' || gsql_float_text(${b})`,
        site.type,
      );
    const guard =
      divisor === undefined || divisor === 0
        ? duck`WHEN ${b} = 0 THEN ${message('division by zero')} `
        : EMPTY;
    const overflows = isWholeQuotient(site.arguments)
      ? EMPTY
      : duck`WHEN isinf(${a} / ${b}) AND isfinite(${a}) THEN ${message('double overflow')} `;
    return duck`CASE ${guard}${overflows}ELSE ${a} / ${b} END`;
  });
};

/** DuckDB divides DECIMALs as DOUBLEs, so this counts in billionths. */
function divideNumeric(site: CallSite): Sql {
  return withLocals([argument(site, 0), argument(site, 1)], (a, b) => {
    const error = raise(duck`'division by zero: ' || ${a} || ' / ' || ${b}`, site.type);
    return duck`CASE WHEN ${b} = 0 THEN ${error} ELSE gsql_numeric_quotient(${a}, ${b}) END`;
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

const negate: CallTranslator = (site) => duck`(- ${argument(site, 0)})`;

/** DIV and MOD; a literal divisor that is above zero needs no check. */
function wholeDivision(sign: '//' | '%'): CallTranslator {
  const operator = word(sign);
  return (site) => {
    const [left, right] = [argument(site, 0), argument(site, 1)];
    if (site.type.kind === 'NUMERIC') return wholeNumericDivision(site);
    if (site.type.kind === 'BIGNUMERIC') return bigNumeric(left, sign === '%' ? 'MOD' : 'DIV', right);
    if (site.type.kind !== 'INT64') throw notSupported(`${site.name} on ${site.type.kind}`);
    const divisor = literalValue(site, 1);
    if (typeof divisor === 'bigint' && divisor > 0n) return duck`(${left} ${operator} ${right})`;
    return withLocals([left, right], (a, b) => {
      const error = raise(duck`'division by zero: ' || ${a} || ' / ' || ${b}`, site.type);
      // The least INT64 has no quotient by -1, but a remainder.
      const by = sign === '%' ? duck`CASE WHEN ${b} = -1 THEN 1 ELSE ${b} END` : b;
      return duck`CASE WHEN ${b} = 0 THEN ${error} ELSE ${a} ${operator} ${by} END`;
    });
  };
}

/** The same for NUMERIC, in billionths. */
function wholeNumericDivision(site: CallSite): Sql {
  const { name, type } = site;
  return withLocals([argument(site, 0), argument(site, 1)], (a, b) => {
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
function safely(translator: CallTranslator, name: string): CallTranslator {
  return (site) => {
    if (site.type.kind === 'BIGNUMERIC' && name !== '$UNARY_MINUS')
      return safeBigNumeric(argument(site, 0), BIG_SIGNS[name] ?? '+', argument(site, 1));
    return withLocalsOutsideTry(site.sql, (...sql) => duck`TRY(${translator({ ...site, name, sql })})`);
  };
}

/** A bitwise operator, on BYTES by a function of its name. */
const bitwise =
  (name: string, body: (a: Sql, b: Sql) => Sql): CallTranslator =>
  (site) => {
    if (site.type.kind === 'BYTES')
      return duck`gsql_bytes_${word(name)}(${joined(site.sql, ', ')})`.raising();
    return duck`(${body(argument(site, 0), site.sql[1] ?? EMPTY)})`;
  };

/** Shifts fill with zeros on both sides; a count of 64 and more gives 0, a negative one is an error. */
function shift(direction: 'left' | 'right'): CallTranslator {
  return (site) => {
    const [value, count] = [argument(site, 0), argument(site, 1)];
    if (site.type.kind === 'BYTES')
      return duck`gsql_bytes_shift_${word(direction)}(${value}, ${count})`.raising();
    return withLocals([value, count], (a, n) => {
      const error = raiseText('Bitwise shift by negative offset.', site.type);
      return duck`CASE WHEN ${n} < 0 AND ${a} IS NOT NULL THEN ${error} WHEN ${n} > 63 THEN ${a} - ${a} ELSE gsql_shift_${word(direction)}(${a}, ${n}) END`;
    });
  };
}

/** Arithmetic and bitwise operators with their SAFE_ forms. */
export const ARITHMETIC: CallTranslators = {
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
  DIV: wholeDivision('//'),
  MOD: wholeDivision('%'),
  $BIT_NOT: bitwise('not', (a) => duck`~${a}`),
  $BIT_AND: bitwise('and', (a, b) => duck`${a} & ${b}`),
  $BIT_OR: bitwise('or', (a, b) => duck`${a} | ${b}`),
  $BIT_XOR: bitwise('xor', (a, b) => duck`xor(${a}, ${b})`),
  $SHIFT_LEFT: shift('left'),
  $SHIFT_RIGHT: shift('right'),
};
