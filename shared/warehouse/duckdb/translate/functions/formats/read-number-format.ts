import { failed, type JavaScriptAnswer, refused } from './javascript-answer.ts';

/** Longest format: rows of digits are computed many at a time. */
const MAX_LENGTH = 500;

/** Elements of BigQuery's formats of numbers that are not computed here. */
const OTHERS = /^(?:RN|TM9|TME|TM)/i;
const ELEMENT = /^(?:EEEE|FM|MI|PR|[09X,GDV.$LCBS])/i;
const MAX_X = 16;
const CURRENCIES: Readonly<Record<string, string>> = { C: 'USD', c: 'usd' };

/** Where the sign stands, and how. */
export type Sign = 'leading' | 'S-leading' | 'S' | 'MI' | 'PR';

/** What a format of a number says. */
export interface NumberFormat {
  /** `0`, `9`, `X`, `x` and `,` before the point, in their order. */
  readonly whole: string;
  readonly hasPoint: boolean;
  /** How the point is written: V stands for one that is not. */
  readonly point: '.' | '';
  /** EEEE: the letter before the exponent. */
  readonly exponent: 'E' | 'e' | null;
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
export class FormatProblem extends Error {
  readonly answer: JavaScriptAnswer;
  constructor(answer: JavaScriptAnswer) {
    super(answer);
    this.answer = answer;
  }
}

const wrong = (message: string) => new FormatProblem(failed(`Error in format string: ${message}`));

/**
 * Reads a format of numbers. Throws FormatProblem for one that GoogleSQL refuses, or that is not computed here.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_numeric_type_as_string
 */
export function readNumberFormat(format: string): NumberFormat {
  if (format.length > MAX_LENGTH)
    throw new FormatProblem(refused(`CAST with FORMAT of numbers by more than ${MAX_LENGTH} characters`));
  let [whole, places, currency] = ['', 0, ''];
  let [hasPoint, isBlank, isCompact] = [false, false, false];
  let sign: Sign = 'leading';
  let end: string | null = null;
  let point: '.' | '' = '.';
  let exponent: 'E' | 'e' | null = null;
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
    if (end !== null && /^(?:[09X,.GDV]|EEEE)$/.test(element))
      throw wrong(`Unexpected format element '${element}'`);
    switch (element) {
      case '0':
      case '9':
        if (hasPoint) places++;
        else whole += element;
        break;
      case 'X':
        once(hasPoint, "'X' cannot appear together with '.', 'D' or 'V'");
        whole += spelling;
        break;
      case 'EEEE':
        once(!hasDigits, "Unexpected 'EEEE'");
        exponent = /^E/.test(spelling) ? 'E' : 'e';
        end = element;
        break;
      case ',':
      case 'G':
        once(hasPoint, "',' or 'G' cannot appear after '.', 'D' or 'V'");
        once(whole === '' && sign !== 'S-leading', `Unexpected '${element}'`);
        whole += ',';
        break;
      case 'V':
      case '.':
      case 'D':
        point = element === 'V' ? '' : '.';
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
  if (!/[\dX]/i.test(whole) && places === 0)
    throw wrong("Format string must contain at least one of 'X', '0' or '9'");
  if (exponent !== null && whole.includes(',')) throw wrong("',' or 'G' cannot appear together with 'EEEE'");
  const isHexadecimal = /X/i.test(whole);
  if (isHexadecimal && whole.length > MAX_X) throw wrong(`Max number of 'X' is ${MAX_X}`);
  if (isHexadecimal && (/[9,]/.test(whole) || hasPoint || isBlank || currency !== '' || exponent !== null))
    throw wrong("'X' can appear together with '0', 'FM', 'S', 'MI' and 'PR' alone");
  return { whole, hasPoint, point, exponent, places, currency, sign, isBlank, isCompact };
}
