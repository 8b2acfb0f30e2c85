const DIGITS = 9;
const UNIT = 10n ** BigInt(DIGITS);
/** NUMERIC's absolute values are below this, in billionths. */
const LIMIT = 10n ** 38n;

/** The value of `a * b` or `a / b`, a text, for two NUMERIC values, rounded half away from zero; null if the result is out of range. */
export function decimalResult(operation: string): string | null {
  const [left = '', sign, right = ''] = operation.split(' ');
  const [a, b] = [billionths(left), billionths(right)];
  const result = sign === '*' ? rounded(a * b, UNIT) : rounded(a * UNIT, b);
  if (magnitude(result) >= LIMIT) return null;
  const digits = magnitude(result)
    .toString()
    .padStart(DIGITS + 1, '0');
  return `${result < 0n ? '-' : ''}${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`;
}

function billionths(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(DIGITS, '0'));
}

function rounded(dividend: bigint, divisor: bigint): bigint {
  const [size, by] = [magnitude(dividend), magnitude(divisor)];
  const quotient = (size + by / 2n) / by;
  return dividend < 0n === divisor < 0n ? quotient : -quotient;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
