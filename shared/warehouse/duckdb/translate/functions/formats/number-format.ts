import { answered, failed, type JavaScriptAnswer, refused } from './javascript-answer.ts';
import { formatFraction } from './printf-number.ts';

/** Longest format: rows of digits are computed many at a time. */
const MAX_LENGTH = 500;

/** Elements of BigQuery's formats of numbers that are not computed here. */
const OTHERS = /^(?:V|X|EEEE|RN|TM9|TME|TM)/i;
const ELEMENT = /^(?:FM|MI|PR|[09,GD.$LCBS])/i;
const CURRENCIES: Readonly<Record<string, string>> = { C: 'USD', c: 'usd' };

type Sign = 'leading' | 'S-leading' | 'S' | 'MI' | 'PR';

/** What a format of a number says. */
interface NumberFormat {
  /** `0`, `9` and `,` before the point, in their order. */
  readonly whole: string;
  readonly hasPoint: boolean;
  /** How many digits stand after the point. */
  readonly places: number;
  readonly currency: string;
  readonly sign: Sign;
  /** B: a value below one is blank. */
  readonly isBlank: boolean;
  /** FM: no blanks, and no zeros at the end. */
  readonly isCompact: boolean;
}

/** A format that GoogleSQL refuses, or that is not computed here. */
class FormatProblem extends Error {
  readonly answer: JavaScriptAnswer;
  constructor(answer: JavaScriptAnswer) {
    super(answer);
    this.answer = answer;
  }
}

const wrong = (message: string) => new FormatProblem(failed(`Error in format string: ${message}`));

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_numeric_type_as_string */
function readFormat(format: string): NumberFormat {
  if (format.length > MAX_LENGTH)
    throw new FormatProblem(refused(`CAST with FORMAT of numbers by more than ${MAX_LENGTH} characters`));
  let [whole, places, currency] = ['', 0, ''];
  let [hasPoint, isBlank, isCompact] = [false, false, false];
  let sign: Sign = 'leading';
  let end: string | null = null;
  const once = (isSeen: boolean, message: string) => {
    if (isSeen) throw wrong(message);
  };
  for (let rest = format; rest !== ''; ) {
    if (OTHERS.test(rest))
      throw new FormatProblem(refused(`the format element ${OTHERS.exec(rest)?.[0]} of numbers`));
    const spelling = ELEMENT.exec(rest)?.[0];
    if (spelling === undefined) throw wrong(`Invalid format element '${rest.slice(0, 1)}'`);
    rest = rest.slice(spelling.length);
    const element = spelling.toUpperCase();
    const hasDigits = whole !== '' || hasPoint;
    if (end !== null && /^[09,.GD]$/.test(element)) throw wrong(`Unexpected format element '${element}'`);
    switch (element) {
      case '0':
      case '9':
        if (hasPoint) places++;
        else whole += element;
        break;
      case ',':
      case 'G':
        once(hasPoint, "',' or 'G' cannot appear after '.', 'D' or 'V'");
        once(whole === '' && sign !== 'S-leading', `Unexpected '${element}'`);
        whole += ',';
        break;
      case '.':
      case 'D':
        once(hasPoint, "There can be at most one of '.', 'D', or 'V'");
        hasPoint = true;
        break;
      case '$':
      case 'L':
      case 'C':
        once(currency !== '', "There can be at most one of '$', 'C' or 'L'");
        currency = CURRENCIES[spelling] ?? '$';
        break;
      case 'B':
        once(isBlank, "There can be at most one 'B'");
        isBlank = true;
        break;
      case 'FM':
        once(isCompact, "'FM' cannot be repeated");
        isCompact = true;
        break;
      default:
        once(sign !== 'leading', "There can be at most one of 'S', 'MI', or 'PR'");
        if (element === 'S') sign = hasDigits ? 'S' : 'S-leading';
        else if (!hasDigits) throw wrong(`'${element}' can only appear after all digits and 'EEEE'`);
        else sign = element as Sign;
        if (hasDigits) end = element;
    }
  }
  if (!/\d/.test(whole) && places === 0)
    throw wrong("Format string must contain at least one of 'X', '0' or '9'");
  return { whole, hasPoint, places, currency, sign, isBlank, isCompact };
}

/** The parts of a formatted number between its blanks and its sign. */
interface Body {
  readonly blanks: number;
  readonly text: string;
  readonly blanksAfter: number;
}

/** CAST(number AS STRING FORMAT format). The number is given by its text, FLOAT64 with `isBinary`. */
export function formatNumber(number: string, isBinary: boolean, format: string): JavaScriptAnswer {
  try {
    return answered(written(number, isBinary, readFormat(format)));
  } catch (error) {
    if (error instanceof FormatProblem) return error.answer;
    throw error;
  }
}

function written(number: string, isBinary: boolean, format: NumberFormat): string {
  const isNotANumber = number === 'nan';
  const isNegative = number.startsWith('-') && !/^-0(?:\.0*)?$/.test(number);
  const magnitude = number.replace(/^[+-]/, '');
  const isSpecial = isBinary && /^(?:nan|inf)/.test(magnitude);
  const text = isSpecial ? '' : fixed(magnitude, isBinary, format.places);
  const body = isSpecial ? specialBody(magnitude.toUpperCase(), format) : numberBody(text, format);
  const isBelowOne = !isSpecial && /^0(?:\.|$)/.test(text);
  const whole = signed(body, isNegative, isNotANumber, format);
  if (format.isBlank && isBelowOne) return format.isCompact ? '' : ' '.repeat(whole.length);
  return format.isCompact ? whole.replaceAll(' ', '') : whole;
}

const fixed = (magnitude: string, isBinary: boolean, places: number): string =>
  formatFraction(magnitude, isBinary, { flags: '', width: 0, precision: places, letter: 'f' });

function numberBody(text: string, { whole, hasPoint, places, isCompact }: NumberFormat): Body {
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
  const fraction = hasPoint ? `.${isTooLong ? '#'.repeat(places) : kept}` : '';
  return { blanks: whole.length - printed.length, text: printed + fraction, blanksAfter: 0 };
}

/** NaN and infinities stand where the digits before the point do. */
function specialBody(name: string, { whole, hasPoint, places }: NumberFormat): Body {
  const after = hasPoint ? places + 1 : 0;
  if (whole.length >= name.length)
    return { blanks: whole.length - name.length, text: name, blanksAfter: after };
  const point = hasPoint ? `.${'#'.repeat(places)}` : '';
  const hidden = whole.replace(/^,+/, '');
  const blanks = whole.length - hidden.length;
  return { blanks, text: hidden.replaceAll(/\d/g, '#') + point, blanksAfter: 0 };
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
