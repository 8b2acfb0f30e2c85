import { parseWithSources, rawJson } from '../../../json/parse-with-sources.ts';

/** A JSON number as it is written, for what a double would change. */
export class NumberText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** JSON.stringify writes the digits as they came. */
  toJSON(): unknown {
    return rawJson(this.source);
  }
}

/** Thrown where a double may have lost digits: the text has to be read again by `parseExactly`. */
export class NeedsExactNumbers extends Error {}

/** JSON.parse, but a number that is not a small whole one comes back as a `NumberText`. Several times slower. */
export function parseExactly(text: string): unknown {
  return parseWithSources(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    return Number.isSafeInteger(value) ? value : new NumberText(source);
  });
}

/** A BigInt of many digits takes quadratic time; no 64-bit number needs as many as this. */
export const MAX_DIGITS = 400;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

/** The value of a JSON number that is whole, whether written 5, 5.0 or 0.5e1; null when it is not whole. */
export function wholeNumber(source: string): bigint | null {
  if (source.length > MAX_DIGITS) return null;
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  if (integer === '') return null;
  const shift = Number(exponent) - fraction.length;
  if (shift > MAX_DIGITS) return null;
  const digits = integer + fraction;
  const kept = shift >= 0 ? digits + '0'.repeat(shift) : digits.slice(0, shift);
  if (shift < 0 && /[1-9]/.test(digits.slice(shift))) return null;
  const value = BigInt(kept);
  return sign === '-' ? -value : value;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** Whether a whole number fits 64 bits with sign. */
export function isInt64(value: bigint): boolean {
  return value >= MIN_INT64 && value <= MAX_INT64;
}
