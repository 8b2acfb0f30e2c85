import { MAX_OFFSET_MINUTES } from '../../../../../sql/values/zone-offset.ts';
import { type CastElement, readCastFormat } from './cast-elements.ts';
import { civilTime, epochDay, isDate, MONTHS } from './civil-time.ts';
import { answered, failed, type JavaScriptAnswer } from './javascript-answer.ts';
import { TextCursor } from './text-cursor.ts';
import type { TimeKind } from './time-elements.ts';

const PARSED: ReadonlySet<string> = new Set(
  'literal space YYYY YYY YY Y RRRR RR Y,YYY MM MON MONTH DD HH HH12 HH24 MI SS SSSSS FF1 FF2 FF3 FF4 FF5 FF6 FF7 FF8 FF9 A.M. P.M. TZH TZM'.split(
    ' ',
  ),
);

/** Elements before which another number has all its digits. */
const TEXTS: ReadonlySet<string> = new Set(['literal', 'space', 'MON', 'MONTH', 'A.M.', 'P.M.', 'TZH']);

const MISSING: Readonly<Record<TimeKind, readonly string[]>> = {
  DATE: ['hour', 'minute', 'second', 'meridian', 'zone'],
  TIME: ['year', 'month', 'day', 'zone'],
  DATETIME: ['zone'],
  TIMESTAMP: [],
};

interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  hour12: number;
  minute: number;
  second: number;
  micros: number;
  isAfternoon: boolean;
  sign: 1 | -1;
  zoneHour: number | null;
  zoneMinute: number | null;
}

/** CAST(text AS a date or time FORMAT format), as parseTime() answers it; `now` gives the year and month that are missing. */
export function parseCast(format: string, text: string, kind: TimeKind, now: bigint): JavaScriptAnswer {
  const elements = readCastFormat(format);
  if (typeof elements === 'string') return failed(elements);
  const wrong = wrongFormat(elements, kind);
  if (wrong !== null) return failed(wrong);
  const { year, month } = civilTime(now);
  const fields: Fields = {
    ...{ year, month, day: 1, hour: 0, hour12: 0, minute: 0, second: 0, micros: 0 },
    ...{ isAfternoon: false, sign: 1, zoneHour: null, zoneMinute: null },
  };
  const cursor = new TextCursor(text);
  skipAll(cursor);
  let done = 0;
  for (; done < elements.length && !cursor.isAtEnd; done++) {
    const element = elements[done];
    if (element === undefined) break;
    readElement(element, beforeDigits(elements, done), cursor, fields);
    if (cursor.hasFailed)
      return failed(`Failed to parse input timestamp string with format element '${element.name}'`);
  }
  skipAll(cursor);
  const rest = elements.slice(done).filter((element) => element.name !== 'literal' || element.text !== '');
  if (!cursor.isAtEnd || rest.length > 0) return failed('The timestamp string does not match the format');
  return instantOf(fields);
}

function instantOf(fields: Fields): JavaScriptAnswer {
  const { year, month, day, minute, second, micros, hour12, zoneHour, zoneMinute } = fields;
  if (!isDate(year, month, day)) return failed('Invalid result from year, month, day values after parsing');
  const hour = hour12 === 0 ? fields.hour : (hour12 % 12) + (fields.isAfternoon ? 12 : 0);
  const seconds = epochDay(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  if (zoneHour === null && zoneMinute === null) return answered(`local|${seconds}|${micros}`);
  const offset = (zoneHour ?? 0) * 60 + (zoneMinute ?? 0);
  if (offset > MAX_OFFSET_MINUTES) return failed('Invalid time zone');
  return answered(`utc|${seconds - fields.sign * offset * 60}|${micros}`);
}

/** What is wrong with a format for a type; null for nothing. */
function wrongFormat(elements: readonly CastElement[], kind: TimeKind): string | null {
  const own = elements.filter(({ category }) => category !== 'literal');
  const names = own.map(({ name }) => name);
  const unparsed = own.find(({ name }) => !PARSED.has(name));
  if (unparsed !== undefined) return `Format element '${unparsed.name}' is not supported for parsing`;
  const same = names.map((name) => (name.startsWith('FF') ? 'FF' : name));
  const twice = same.find((name, index) => same.indexOf(name) < index);
  if (twice !== undefined) return `Format element '${twice}' appears more than once in the format string`;
  const foreign = own.find(({ category }) => MISSING[kind].includes(category));
  if (foreign !== undefined) return `Format element '${foreign.name}' is not allowed for output type ${kind}`;
  const count = (category: string) => own.filter((element) => element.category === category).length;
  if (['meridian', 'year', 'month', 'day', 'hour', 'minute'].some((category) => count(category) > 1))
    return 'More than one format element of one category';
  const has = (name: string) => names.includes(name);
  if ((has('HH') || has('HH12')) !== count('meridian') > 0)
    return 'HH and HH12 are used with A.M. or P.M., and HH24 is not';
  if (has('SSSSS') && (count('hour') > 0 || count('minute') > 0 || has('SS')))
    return "Format element 'SSSSS' cannot stand with other elements of the clock";
  return null;
}

/** Whether digits follow at once, so that a number must have all its own. */
function beforeDigits(elements: readonly CastElement[], index: number): boolean {
  const next = elements[index + 1];
  if (next === undefined) return false;
  if (next.name === 'literal' && next.text === '') return beforeDigits(elements, index + 1);
  if (next.name === 'literal') return /^\d/.test(next.text);
  return !TEXTS.has(next.name);
}

function readElement(
  { name, text }: CastElement,
  isExact: boolean,
  cursor: TextCursor,
  fields: Fields,
): void {
  const number = (width: number, least: number, most: number, exact = width): number => {
    const start = cursor.at;
    const value = cursor.integer(width, least, most);
    if (value === null || (isExact && cursor.at - start !== exact)) cursor.fail();
    return value ?? 0;
  };
  switch (name) {
    case 'literal':
      cursor.expect(text);
      return;
    case 'space':
      if (skipAll(cursor) === 0) cursor.fail();
      return;
    case 'YYYY':
    case 'RRRR':
      fields.year = number(isExact ? 4 : 5, 0, 10_000, 4);
      return;
    case 'YYY':
    case 'YY':
    case 'Y': {
      const size = 10 ** name.length;
      fields.year += number(name.length, 0, size - 1) - (fields.year % size);
      return;
    }
    case 'RR':
      fields.year = nearYear(fields.year, number(2, 0, 99));
      return;
    case 'Y,YYY':
      fields.year = yearWithComma(cursor);
      return;
    case 'MM':
      fields.month = number(2, 1, 12);
      return;
    case 'MON':
    case 'MONTH':
      fields.month =
        (cursor.word(MONTHS.map((month) => (name === 'MON' ? month.slice(0, 3) : month))) ?? 0) + 1;
      return;
    case 'DD':
      fields.day = number(2, 1, 31);
      return;
    case 'HH':
    case 'HH12':
      fields.hour12 = number(2, 1, 12);
      return;
    case 'A.M.':
    case 'P.M.':
      fields.isAfternoon = cursor.word(['A.M.', 'P.M.']) === 1;
      return;
    case 'HH24':
      fields.hour = number(2, 0, 23);
      return;
    case 'MI':
      fields.minute = number(2, 0, 59);
      return;
    case 'SS':
      fields.second = number(2, 0, 59);
      return;
    case 'SSSSS': {
      const seconds = number(5, 0, 86_399);
      fields.hour = Math.trunc(seconds / 3600);
      fields.minute = Math.trunc(seconds / 60) % 60;
      fields.second = seconds % 60;
      return;
    }
    case 'TZH':
      if (!'+- '.includes(cursor.next)) return void cursor.fail();
      fields.sign = cursor.next === '-' ? -1 : 1;
      cursor.at++;
      fields.zoneHour = number(2, 0, 14);
      return;
    case 'TZM':
      fields.zoneMinute = number(2, 0, 59);
      return;
    default: {
      const [start, width] = [cursor.at, Number(name.slice(2))];
      fields.micros = cursor.fraction(width) ?? 0;
      if (isExact && cursor.at - start !== width) cursor.fail();
    }
  }
}

/** The year with these last digits that is within fifty years. */
function nearYear(current: number, digits: number): number {
  const century = Math.trunc(current / 100);
  const isLate = current % 100 >= 50;
  if (digits < 50 && isLate) return (century + 1) * 100 + digits;
  return (digits >= 50 && !isLate ? century - 1 : century) * 100 + digits;
}

function yearWithComma(cursor: TextCursor): number {
  const thousands = cursor.integer(2, 0, 10) ?? 0;
  cursor.expect(',');
  const start = cursor.at;
  const rest = cursor.integer(3, 0, 999) ?? 0;
  if (cursor.at - start !== 3) cursor.fail();
  return thousands * 1000 + rest;
}

/** Skips white space of Unicode; how many characters it was. */
function skipAll(cursor: TextCursor): number {
  const start = cursor.at;
  while (!cursor.isAtEnd && /^[\p{White_Space}]$/u.test(cursor.next)) cursor.at++;
  return cursor.at - start;
}
