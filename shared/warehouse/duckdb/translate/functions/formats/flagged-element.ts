import { type ShownTime, TIME_ELEMENTS } from './time-elements.ts';

/** Elements that are numbers, with the width that they are filled up to. */
const WIDTHS: Readonly<Record<string, number>> = {
  C: 2,
  d: 2,
  e: 2,
  g: 2,
  G: 4,
  H: 2,
  I: 2,
  j: 3,
  k: 2,
  l: 2,
  m: 2,
  M: 2,
  s: 1,
  S: 2,
  u: 1,
  U: 2,
  V: 2,
  w: 1,
  W: 2,
  y: 2,
  Y: 4,
};
const NAMES = 'aAbBh';

/**
 * The text of an element with a flag of C's strftime: `%-d` has no zeros and blanks before the number, `%_d` blanks, `%0e` zeros, `%^a` is
 * in capitals, `%#p` in the other case. null for elements that C's libraries read in many ways.
 */
export function flaggedElement(flag: string, letter: string, time: ShownTime): string | null {
  const text = TIME_ELEMENTS[letter]?.(time);
  if (text === undefined || 'zQ'.includes(letter)) return null;
  const width = WIDTHS[letter];
  switch (flag) {
    case '^':
      return NAMES.includes(letter) || letter === 'c' ? text.toUpperCase() : text;
    case '#':
      if (NAMES.includes(letter)) return text.toUpperCase();
      return letter === 'p' || letter === 'Z' ? text.toLowerCase() : text;
    default: {
      if (width === undefined) return text;
      if ('CGY'.includes(letter) && time.civil.year < 1000) return null;
      const number = text.replace(/^[0 ]+(?=\d)/, '');
      return flag === '-' ? number : number.padStart(width, flag === '0' ? '0' : ' ');
    }
  }
}
