/** How many digits of a fraction make up a microsecond, for a number with so many digits before the point. */
const MICROS_DIGITS: ReadonlyMap<number, number> = new Map([
  [10, 6],
  [13, 3],
  [16, 0],
  [19, -3],
]);

/** A JSON number without exponent. */
const DECIMAL = /^(-?)([1-9]\d*)(?:\.(\d+))?$/;

/**
 * The JSON text of a timestamp as log files have it. A number with 10, 13, 16 or 19 digits before its point counts seconds,
 * milliseconds, microseconds or nanoseconds, as Logflare's receiver takes it; what is finer than a microsecond is cut off. All
 * else stays as it is.
 */
export function timestampOf(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const digits = MICROS_DIGITS.get(whole.length);
  if (digits === undefined) return text;
  if (digits < 0) return sign + whole.slice(0, digits);
  return sign + whole + fraction.slice(0, digits).padEnd(digits, '0');
}
