import { type ShownTime, TIME_ELEMENTS } from './time-elements.ts';

/** Elements that are numbers, with the digits that they are filled up to. */
const DIGITS: Readonly<Record<string, number>> = {
  C: 1,
  d: 2,
  e: 2,
  g: 2,
  G: 1,
  H: 2,
  I: 2,
  j: 3,
  k: 2,
  l: 2,
  m: 2,
  M: 2,
  S: 2,
  u: 1,
  U: 2,
  V: 2,
  w: 1,
  W: 2,
  y: 2,
  Y: 1,
};
const NAMES = 'aAbBh';

/** Most characters that an element is filled up to: for shorter formats GoogleSQL leaves out what is longer. */
const MAX_WIDTH = 60;

/** An element of a format as C's strftime has it: `%-5d`. */
interface FlaggedElement {
  /** `-`, `_`, `^`, `#`, or any number of `0`; empty for none. */
  readonly flag: string;
  /** What the element is filled up to; 0 for nothing. */
  readonly width: number;
  readonly letter: string;
}

/**
 * The text of an element with a flag or a width: `%-d` has no zeros and blanks before the number, `%_d` blanks, `%0e` zeros, `%^a` is in
 * capitals, `%#p` in the other case, and `%5d` has five digits. null for elements that C's libraries read in many ways.
 */
export function flaggedElement({ flag, width, letter }: FlaggedElement, time: ShownTime): string | null {
  const text = TIME_ELEMENTS[letter]?.(time);
  if (text === undefined || 'zQ'.includes(letter) || width > MAX_WIDTH) return null;
  const digits = DIGITS[letter];
  const isCase = flag === '^' || flag === '#';
  const zeros = flag.startsWith('0');
  if (digits === undefined) return inCase(flag, letter, text).padStart(width, zeros ? '0' : ' ');
  if (isCase && width === 0) return text;
  const number = text.replace(/^[0 ]+(?=\d)/, '');
  const isBlank = flag === '_' || flag === '-' || (!zeros && 'ekl'.includes(letter));
  return number.padStart(Math.max(width, flag === '-' ? 0 : digits), isBlank ? ' ' : '0');
}

function inCase(flag: string, letter: string, text: string): string {
  if (flag === '^') return NAMES.includes(letter) || letter === 'c' ? text.toUpperCase() : text;
  if (flag !== '#') return text;
  if (NAMES.includes(letter)) return text.toUpperCase();
  return letter === 'p' || letter === 'Z' ? text.toLowerCase() : text;
}
