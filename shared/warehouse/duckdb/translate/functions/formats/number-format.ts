import { answered, type JavaScriptAnswer } from './javascript-answer.ts';
import { formatFraction } from './printf-number.ts';
import { FormatProblem, type NumberFormat, readNumberFormat } from './read-number-format.ts';

/** The parts of a formatted number between its blanks and its sign. */
interface Body {
  readonly blanks: number;
  readonly text: string;
  readonly blanksAfter: number;
}

/** CAST(number AS STRING FORMAT format). The number is given by its text, FLOAT64 with `isBinary`. */
export function formatNumber(number: string, isBinary: boolean, format: string): JavaScriptAnswer {
  try {
    return answered(written(number, isBinary, readNumberFormat(format)));
  } catch (error) {
    if (error instanceof FormatProblem) return error.answer;
    throw error;
  }
}

function written(number: string, isBinary: boolean, format: NumberFormat): string {
  const isNotANumber = number === 'nan' && !/X/i.test(format.whole);
  const isNegative = number.startsWith('-') && !/^-0(?:\.0*)?$/.test(number);
  const magnitude = number.replace(/^[+-]/, '');
  const isSpecial = isBinary && /^(?:nan|inf)/.test(magnitude);
  const letter = format.exponent === null ? 'f' : 'e';
  const text = isSpecial ? '' : digitsOf(magnitude, isBinary, format.places, letter);
  const body = isSpecial
    ? specialBody(magnitude.toUpperCase(), format)
    : bodyOf(magnitude, isBinary, text, format);
  const isBelowOne = !isSpecial && (format.exponent === null ? /^0(?:\.|$)/ : /^0(?:\.0*)?e/).test(text);
  const whole = signed(body, isNegative, isNotANumber, format);
  if (format.isBlank && isBelowOne) return format.isCompact ? '' : ' '.repeat(whole.length);
  return format.isCompact ? whole.replaceAll(' ', '') : whole;
}

const digitsOf = (magnitude: string, isBinary: boolean, places: number, letter: 'e' | 'f'): string =>
  formatFraction(magnitude, isBinary, { flags: '', width: 0, precision: places, letter });

function bodyOf(magnitude: string, isBinary: boolean, text: string, format: NumberFormat): Body {
  if (format.exponent !== null) return scientificBody(text, format);
  return /X/i.test(format.whole) ? hexadecimalBody(magnitude, isBinary, format) : numberBody(text, format);
}

const EXPONENT_WIDTH = 4;

/** One digit before the point, or none where the format has none. */
function scientificBody(
  text: string,
  { whole, hasPoint, point, places, exponent, isCompact }: NumberFormat,
): Body {
  const [mantissa = '', power = ''] = text.split('e');
  const [digit = '', decimals = ''] = mantissa.split('.');
  const kept = isCompact ? decimals.replace(/0+$/, '') : decimals;
  const shownPoint = hasPoint ? point : '';
  if (whole !== '') return plainBody(`${digit}${shownPoint}${kept}${exponent}${power}`);
  const isZero = digit === '0';
  return plainBody(
    `${shownPoint}${isZero ? `${kept}${exponent}${power}` : '#'.repeat(places + EXPONENT_WIDTH)}`,
  );
}

const plainBody = (text: string): Body => ({ blanks: 0, text, blanksAfter: 0 });

/** The value rounded to a whole number, halves away from zero, in the case that each X has. */
function hexadecimalBody(magnitude: string, isBinary: boolean, { whole }: NumberFormat): Body {
  const digits = roundedWhole(magnitude, isBinary).toString(16);
  if (digits.length > whole.length) return plainBody('#'.repeat(whole.length));
  const filled = digits.padStart(
    Math.max(digits.length, whole.includes('0') ? whole.length - whole.indexOf('0') : 0),
    '0',
  );
  const first = whole.length - filled.length;
  const text = Array.from(filled, (digit, index) =>
    isSmall(whole, first + index) ? digit : digit.toUpperCase(),
  );
  return { blanks: whole.length - filled.length, text: text.join(''), blanksAfter: 0 };
}

/** Whether the digit in a place is a small letter: as X is there, or the next X. */
function isSmall(whole: string, place: number): boolean {
  return /[Xx]/.exec(whole.slice(place))?.[0] === 'x';
}

/** The nearest whole number, halves away from zero. */
function roundedWhole(magnitude: string, isBinary: boolean): bigint {
  if (isBinary) {
    const value = Number(magnitude);
    const below = Math.trunc(value);
    return BigInt(below) + (value - below >= 0.5 ? 1n : 0n);
  }
  const [digits = '0', decimals = ''] = magnitude.split('.');
  return BigInt(digits) + (decimals >= '5' ? 1n : 0n);
}

function numberBody(text: string, { whole, hasPoint, point, places, isCompact }: NumberFormat): Body {
  const [digits = '', decimals = ''] = text.split('.');
  const wanted = whole.replaceAll(',', '').length;
  const kept = isCompact ? decimals.replace(/0+$/, '') : decimals;
  const shown = digits === '0' && (kept !== '' || wanted === 0) ? '' : digits;
  const isTooLong = shown.length > wanted;
  let printed = '';
  let left = wanted;
  for (const element of whole) {
    if (element === ',') printed += printed === '' ? '' : ',';
    else {
      const digit = isTooLong ? '#' : (shown[shown.length - left] ?? '');
      left--;
      if (digit !== '') printed += digit;
      else if (element === '0' || printed !== '') printed += '0';
    }
  }
  const fraction = hasPoint ? `${point}${isTooLong ? '#'.repeat(places) : kept}` : '';
  return { blanks: whole.length - printed.length, text: printed + fraction, blanksAfter: 0 };
}

/** NaN and infinities stand where the digits before the point do. */
function specialBody(name: string, { whole, hasPoint, point, places, exponent }: NumberFormat): Body {
  if (exponent !== null) {
    const width = Math.min(whole.length, 1) + (hasPoint ? 1 : 0) + places + EXPONENT_WIDTH;
    return { blanks: Math.max(width - name.length, 0), text: name, blanksAfter: 0 };
  }
  if (/X/i.test(whole)) return plainBody('#'.repeat(whole.length));
  const after = hasPoint ? places + point.length : 0;
  if (whole.length >= name.length)
    return { blanks: whole.length - name.length, text: name, blanksAfter: after };
  const decimals = hasPoint ? `${point}${'#'.repeat(places)}` : '';
  const hidden = whole.replace(/^,+/, '');
  const blanks = whole.length - hidden.length;
  return { blanks, text: hidden.replaceAll(/\d/g, '#') + decimals, blanksAfter: 0 };
}

function signed(
  body: Body,
  isNegative: boolean,
  isNotANumber: boolean,
  { sign, currency }: NumberFormat,
): string {
  const plus = isNotANumber ? ' ' : '+';
  const [before, after] = {
    leading: [isNegative ? '-' : ' ', ''],
    'S-leading': [isNegative ? '-' : plus, ''],
    S: ['', isNegative ? '-' : plus],
    MI: ['', isNegative ? '-' : ' '],
    PR: [isNegative ? '<' : ' ', isNegative ? '>' : ' '],
  }[sign];
  const blanks = ' '.repeat(body.blanks);
  // A blank in place of a sign stands before the others.
  const head = before === ' ' ? ` ${blanks}${currency}` : `${blanks}${before}${currency}`;
  return `${head}${body.text}${' '.repeat(body.blanksAfter)}${after}`;
}
