import { civilTime } from './civil-time.ts';
import { flaggedElement } from './flagged-element.ts';
import { answered, type JavaScriptAnswer, refused } from './javascript-answer.ts';
import { type ShownTime, TIME_ELEMENTS, type TimeKind } from './time-elements.ts';

/** `%E4Y`, `%E3S`, `%E*S`, `%Od`, `%-d`, `%5d`, `%-5d`, `%d`; a `%` at the end stands for itself. */
const ELEMENT = /%([-_^#\d]\d*[a-zA-Z%]|E4Y|E(?:\d+|\*)[Sf]|E[a-zA-Z]|O[a-zA-Z]|[\s\S])/gu;

/** An element with a flag, a width, or both. */
const FLAGGED = /^(?=[^a-zA-Z%])(?<flag>[-_^#]|0*)(?<width>\d*)(?<letter>[a-zA-Z%])$/;

/** Letters that mean the same after `%E` and `%O` as after `%`. */
const SAME_AFTER_E = 'cCxXyY';
const SAME_AFTER_O = 'deHImMSuUVwWy';

/** What a type has not got stays in the text as it is written. */
const MISSING: Readonly<Record<TimeKind, RegExp>> = {
  DATE: /^(?:[HIklMPpRrSsTXZzc]|E[zcXT]|E[\d*]S|O[HIMSz])$/,
  DATETIME: /^(?:[Zz]|Ez|O[z])$/,
  TIME: /^(?:[AaBbhCcDdeFGgJjmQsUuVWwxYyZz]|E[zcCxyY]|E4Y|O[demuUVwWyz])$/,
  TIMESTAMP: /^$/,
};

/** Most digits of a fraction of a second. */
const MAX_DIGITS = 18;

/**
 * FORMAT_TIMESTAMP and its siblings. `shown` and `instant` are microseconds since 1970-01-01 00:00:00, on the zone's
 * clocks and in UTC. Where a zone's clocks were off by seconds as well, those do not count.
 */
export function formatTime(format: string, kind: TimeKind, shown: bigint, instant: bigint): JavaScriptAnswer {
  const offsetMinutes = Math.trunc(Number(shown - instant) / 60_000_000);
  const local = instant + BigInt(offsetMinutes) * 60_000_000n;
  const civil = civilTime(local);
  const epochSeconds = (instant - (((instant % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n;
  const time: ShownTime = { kind, civil, epochSeconds, offsetMinutes };
  let unknown: string | null = null;
  const text = format.replace(ELEMENT, (written, element: string) => {
    const made = MISSING[kind].test(element) ? written : shownElement(element, time);
    if (made === null) unknown ??= written;
    return made ?? '';
  });
  return unknown === null ? answered(text) : refused(`the format element ${unknown} of FORMAT_${kind}`);
}

/** The text of an element; null for one that GoogleSQL's documentation does not have and that C's libraries read in many ways. */
function shownElement(element: string, time: ShownTime): string | null {
  const fraction = /^E(\d+|\*)([Sf])$/.exec(element);
  if (fraction !== null) return fractionText(fraction[1] ?? '', fraction[2] ?? '', time);
  const [first = '', second = ''] = element;
  const { flag = '', width = '', letter = '' } = FLAGGED.exec(element)?.groups ?? {};
  if (letter !== '') {
    const isMissing = MISSING[time.kind].test(letter);
    if (isMissing) return /^\d/.test(element) ? `%${element}` : null;
    return flaggedElement({ flag, width: Number(width), letter }, time);
  }
  const own = TIME_ELEMENTS[element];
  if (own !== undefined) return own(time);
  if (element === 'ET') return 'T';
  const isSame = first === 'E' ? SAME_AFTER_E : first === 'O' ? SAME_AFTER_O : '';
  if (second !== '' && isSame.includes(second)) return TIME_ELEMENTS[second]?.(time) ?? null;
  return /^[fiKLNoqv]$/.test(element) ? `%${element}` : null;
}

function fractionText(digits: string, letter: string, { civil }: ShownTime): string {
  const all = String(civil.micros).padStart(6, '0');
  const count = Math.min(Number(digits), MAX_DIGITS);
  const kept = digits === '*' ? all.replace(/0+$/, '') : all.padEnd(count, '0').slice(0, count);
  if (letter === 'f') return digits === '*' && kept === '' ? '0' : kept;
  const second = String(civil.second).padStart(2, '0');
  return kept === '' ? second : `${second}.${kept}`;
}
