/** Bits of a number that decide how its 53 are rounded, and some more. */
const KEPT_BITS = 64;
/** Exponents beyond this give 0 or infinity for any text that a query may have. */
const MAX_EXPONENT = 10_000_000;

/** The FLOAT64 that a hexadecimal number stands for, as DuckDB reads it: `[+-]0x…[.…][p±…]`, which the caller has checked. */
export function hexFloat(text: string): string {
  const parts = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?$/i.exec(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const power = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(exponent))) - 4 * fraction.length;
  // A last bit says whether anything was cut off.
  const kept = digits.slice(0, KEPT_BITS / 4);
  const rest = digits.slice(kept.length);
  const mantissa = (BigInt(`0x${kept === '' ? '0' : kept}`) << 1n) | (/[^0]/.test(rest) ? 1n : 0n);
  return `${sign === '-' ? '-' : ''}${scaled(Number(mantissa), power + 4 * rest.length - 1)}`;
}

/** A number times a power of two, in steps that do not overflow before the last one. */
function scaled(value: number, power: number): number {
  if (value === 0) return 0;
  const step = Math.max(-1000, Math.min(1000, power));
  const next = value * 2 ** step;
  return step === power || next === 0 || !Number.isFinite(next) ? next : scaled(next, power - step);
}
