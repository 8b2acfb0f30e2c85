/** What stands between `%` and the letter of a specifier of FORMAT, and the letter. */
export interface PrintfSpec {
  readonly flags: string;
  readonly width: number;
  /** null for none, or one below zero. */
  readonly precision: number | null;
  readonly letter: string;
}

/** An exact number: numerator / 10^scale, or numerator * 2^power for FLOAT64. */
interface Exact {
  readonly isNegative: boolean;
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** FLOAT64 rounds halves to even, NUMERIC away from zero. */
  readonly isBinary: boolean;
}

const DEFAULT_PRECISION = 6;
const LEAST_EXPONENT = -4;

/** An integer as FORMAT writes it: https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#format_string */
export function formatInteger(digits: string, spec: PrintfSpec): string {
  const { flags, letter } = spec;
  const value = BigInt(digits);
  const magnitude = value < 0n ? -value : value;
  const radix = RADIXES[letter.toLowerCase()] ?? 10;
  const isGrouped = flags.includes("'");
  // A precision of 0 counts for decimal numbers only.
  const precision = spec.precision === 0 && radix !== 10 ? null : spec.precision;
  let body = magnitude.toString(radix);
  if (precision === 0 && magnitude === 0n && radix === 10 && !isGrouped) body = '';
  const isUnpadded = body.length >= (precision ?? 0);
  body = body.padStart(precision ?? 0, '0');
  if (isGrouped) body = grouped(body, radix === 10 ? 3 : 4, radix === 16 ? ':' : ',');
  let prefix = '';
  if (flags.includes('#') && radix === 16) prefix = '0x';
  if (flags.includes('#') && radix === 8 && isUnpadded) body = `0${body}`;
  const isFilled = precision === null || isGrouped || radix !== 10;
  const text = filled(signOf(value < 0n, flags) + prefix, body, spec, isFilled);
  return letter === 'X' ? text.toUpperCase() : text;
}

const RADIXES: Readonly<Record<string, number>> = { x: 16, o: 8 };

/** A FLOAT64, given by its shortest text, or a NUMERIC, as FORMAT writes it. */
export function formatFraction(digits: string, isBinary: boolean, spec: PrintfSpec): string {
  const { flags, letter } = spec;
  const isUpper = letter !== letter.toLowerCase();
  const float = isBinary ? Number(digits.replace('inf', 'Infinity')) : 0;
  if (!Number.isFinite(float)) {
    const name = Number.isNaN(float) ? 'nan' : 'inf';
    const text = filled(signOf(float < 0, flags), name, spec, false);
    return isUpper ? text.toUpperCase() : text;
  }
  const exact = isBinary ? exactFloat(float) : exactDecimal(digits);
  const isNegative = exact.isNegative && exact.numerator !== 0n;
  const text = filled(signOf(isNegative, flags), bodyOf(exact, spec), spec, true);
  return isUpper ? text.toUpperCase() : text;
}

function bodyOf(exact: Exact, { flags, precision, letter }: PrintfSpec): string {
  const keepsPoint = flags.includes('#');
  const places = precision ?? DEFAULT_PRECISION;
  const style = letter.toLowerCase();
  if (style === 'f') return fixed(exact, places, flags, keepsPoint);
  if (style === 'e') return scientific(exact, places, keepsPoint);
  const significant = Math.max(places, 1);
  const exponent = exponentOf(exact, significant - 1);
  if (exponent < LEAST_EXPONENT || exponent >= significant) {
    const [mantissa = '', power] = scientific(exact, significant - 1, keepsPoint).split('e');
    return `${keepsPoint ? mantissa : withoutZeros(mantissa)}e${power}`;
  }
  const text = fixed(exact, significant - 1 - exponent, flags, keepsPoint);
  return keepsPoint ? text : withoutZeros(text);
}

const withoutZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function fixed(exact: Exact, places: number, flags: string, keepsPoint: boolean): string {
  const digits = scaled(exact, places)
    .toString()
    .padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places);
  return `${flags.includes("'") ? grouped(whole, 3, ',') : whole}${places > 0 || keepsPoint ? '.' : ''}${fraction}`;
}

function scientific(exact: Exact, places: number, keepsPoint: boolean): string {
  const exponent = exponentOf(exact, places);
  const digits = scaled(exact, places - exponent)
    .toString()
    .padStart(places + 1, '0');
  const point = places > 0 || keepsPoint ? '.' : '';
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits[0]}${point}${digits.slice(1)}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** The power of ten of the first digit, after rounding to so many places behind it. */
function exponentOf(exact: Exact, places: number): number {
  const { numerator, denominator } = exact;
  if (numerator === 0n) return 0;
  const guess = String(numerator).length - String(denominator).length;
  const isBelow =
    guess >= 0
      ? numerator < denominator * 10n ** BigInt(guess)
      : numerator * 10n ** BigInt(-guess) < denominator;
  const exponent = isBelow ? guess - 1 : guess;
  return scaled(exact, places - exponent).toString().length > places + 1 ? exponent + 1 : exponent;
}

/** The number times 10^places, rounded. */
function scaled({ numerator, denominator, isBinary }: Exact, places: number): bigint {
  const [top, bottom] =
    places >= 0
      ? [numerator * 10n ** BigInt(places), denominator]
      : [numerator, denominator * 10n ** BigInt(-places)];
  const [whole, rest] = [top / bottom, top % bottom];
  const isUp = 2n * rest > bottom || (2n * rest === bottom && (!isBinary || whole % 2n === 1n));
  return isUp ? whole + 1n : whole;
}

const MANTISSA_BITS = 52;

function exactFloat(value: number): Exact {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const stored = Number(bits >> BigInt(MANTISSA_BITS));
  const fraction = bits & ((1n << BigInt(MANTISSA_BITS)) - 1n);
  const mantissa = stored === 0 ? fraction : fraction | (1n << BigInt(MANTISSA_BITS));
  const power = Math.max(stored, 1) - 1023 - MANTISSA_BITS;
  return {
    isNegative: value < 0,
    numerator: power > 0 ? mantissa << BigInt(power) : mantissa,
    denominator: power > 0 ? 1n : 1n << BigInt(-power),
    isBinary: true,
  };
}

function exactDecimal(text: string): Exact {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  return {
    isNegative: text.startsWith('-'),
    numerator: BigInt(whole + fraction),
    denominator: 10n ** BigInt(fraction.length),
    isBinary: false,
  };
}

function signOf(isNegative: boolean, flags: string): string {
  if (isNegative) return '-';
  if (flags.includes('+')) return '+';
  return flags.includes(' ') ? ' ' : '';
}

function grouped(digits: string, size: number, mark: string): string {
  return digits.replace(new RegExp(`(?=(?:[0-9a-f]{${size}})+$)(?!^)`, 'g'), mark);
}

/** Sign and body up to the width: with zeros between them, or spaces on the right or left. */
function filled(sign: string, body: string, { flags, width }: PrintfSpec, mayHaveZeros: boolean): string {
  if (mayHaveZeros && flags.includes('0') && !flags.includes('-'))
    return sign + body.padStart(width - sign.length, '0');
  return padded(sign + body, flags, width);
}

/** A text, cut to the precision and filled up to the width with spaces. */
export function formatText(text: string, { flags, width, precision }: PrintfSpec): string {
  return padded(precision === null ? text : [...text].slice(0, precision).join(''), flags, width);
}

function padded(text: string, flags: string, width: number): string {
  const spaces = ' '.repeat(Math.max(width - [...text].length, 0));
  return flags.includes('-') ? text + spaces : spaces + text;
}
