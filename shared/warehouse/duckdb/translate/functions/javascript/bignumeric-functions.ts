import { REFUSAL } from '../../not-supported.ts';
import { type JavaScriptFunction, javaScriptFunction, ValueError } from './javascript-function.ts';

/** Digits after the point of BIGNUMERIC, and of the type that holds it here. */
const SCALE = 38;
const KEPT_SCALE = 18;
const UNIT = 10n ** BigInt(SCALE);
/** Values that the type here holds are below this. */
const KEPT_LIMIT = 10n ** BigInt(20 + SCALE);
/** Values that BIGNUMERIC holds are at most this: 2^255, in units of its last digit. */
const LIMIT = 2n ** 255n;

function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** The quotient, halves away from zero. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const [size, by] = [magnitude(dividend), magnitude(divisor)];
  const quotient = (size + by / 2n) / by;
  return dividend < 0n === divisor < 0n ? quotient : -quotient;
}

/** A power of ten in units, for digits after the point or, negative, before it. */
function stepOf(digits: bigint): bigint {
  const places = digits < -40n ? -40n : digits > BigInt(SCALE) ? BigInt(SCALE) : digits;
  return 10n ** (BigInt(SCALE) - places);
}

type Operation = (a: bigint, b: bigint) => bigint;

const DIVISIONS: Readonly<Record<string, Operation>> = {
  '/': (a, b) => rounded(a * UNIT, b),
  DIV: (a, b) => (a / b) * UNIT,
  MOD: (a, b) => a % b,
};

/** The second operand of those below is a number of digits. */
const ROUNDINGS: Readonly<Record<string, (value: bigint, step: bigint) => bigint>> = {
  ROUND: (value, step) => rounded(value, step) * step,
  ROUND_HALF_EVEN: (value, step) => {
    const isEven = (value / step) % 2n === 0n;
    const isHalf = magnitude(value % step) * 2n === step;
    return (isHalf && isEven ? value / step : rounded(value, step)) * step;
  },
  TRUNC: (value, step) => (value / step) * step,
  CEIL: (value, step) => (value > 0n ? (value + step - 1n) / step : value / step) * step,
  FLOOR: (value, step) => (value < 0n ? (value - step + 1n) / step : value / step) * step,
};

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...DIVISIONS,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => rounded(a * b, UNIT),
};

function compute(left: string, name: string, right: string): string {
  const shown = `${left} ${name} ${right}`;
  const rounding = ROUNDINGS[name];
  const operation = OPERATIONS[name];
  const a = unitsOf(left);
  if (rounding !== undefined) return textOf(rounding(a, stepOf(BigInt(right))), shown);
  if (operation === undefined) throw new TypeError(`no operation ${name}`);
  const b = unitsOf(right);
  if (b === 0n && name in DIVISIONS) throw new ValueError(`division by zero: ${shown}`);
  return textOf(operation(a, b), shown);
}

function textOf(units: bigint, shown: string): string {
  if (magnitude(units) > LIMIT) throw new ValueError(`BIGNUMERIC overflow: ${shown}`);
  const cut = 10n ** BigInt(SCALE - KEPT_SCALE);
  if (magnitude(units) >= KEPT_LIMIT || units % cut !== 0n)
    throw new ValueError(`${REFUSAL}BIGNUMERIC with more than 38 digits`);
  const digits = (magnitude(units) / cut).toString().padStart(KEPT_SCALE + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -KEPT_SCALE)}.${digits.slice(-KEPT_SCALE)}`;
}

/** Arithmetic on texts of BIGNUMERIC values; `gsql_bignumeric(a, '+', b)`, and with NULL instead of errors. */
export const BIGNUMERIC_FUNCTIONS: readonly JavaScriptFunction[] = [
  javaScriptFunction('gsql_bignumeric', ['VARCHAR', 'VARCHAR', 'VARCHAR'], 'VARCHAR', compute),
  javaScriptFunction('gsql_safe_bignumeric', ['VARCHAR', 'VARCHAR', 'VARCHAR'], 'VARCHAR', (a, name, b) => {
    try {
      return compute(a, name, b);
    } catch (error) {
      if (error instanceof ValueError && !error.message.startsWith(REFUSAL)) return null;
      throw error;
    }
  }),
];
