import { MAX_OFFSET_MINUTES } from '../../../../../sql/values/zone-offset.ts';
import { MONTHS, WEEKDAYS } from './civil-time.ts';
import type { ParsedFields } from './parsed-time.ts';
import { isSpace, type TextCursor } from './text-cursor.ts';

/** Where an element stands: its number in the format, and whether another element follows at once. */
interface Place {
  readonly position: number;
  readonly isBeforeElement: boolean;
}

/** Reads an element's text into the fields; what cannot be read fails the cursor. */
type Reader = (cursor: TextCursor, fields: ParsedFields, place: Place) => void;

const names = (full: readonly string[]): string[] => [...full, ...full.map((name) => name.slice(0, 3))];
const MONTH_NAMES = names(MONTHS);
const WEEKDAY_NAMES = names(WEEKDAYS);

/** Notes which of year, month and day an element sets. */
function calendar(
  fields: ParsedFields,
  position: number,
  ...parts: readonly ('year' | 'month' | 'day')[]
): void {
  fields.hasCalendar = true;
  for (const part of parts) fields.last[part] = position;
}

/** A year of its own number of digits, five only where no element follows. */
const fullYear: Reader = (cursor, fields, { position, isBeforeElement }) => {
  const year = isBeforeElement ? cursor.integer(4, 0, 9999) : cursor.integer(5, 0, 10_000);
  if (year !== null) fields.year = year;
  fields.century = null;
  fields.hasOwnCentury = false;
  calendar(fields, position, 'year');
};

/** A year of four digits. */
const fourDigits: Reader = (cursor, fields, { position }) => {
  const start = cursor.at;
  const year = cursor.integer(4, 0, 9999);
  if (year === null || cursor.at - start !== 4) return void cursor.fail();
  fields.year = year;
  fields.century = null;
  calendar(fields, position, 'year');
};

/** Years below 69 are of this century; a %C before them says which one they are of. */
const shortYear: Reader = (cursor, fields, { position }) => {
  const year = cursor.integer(2, 0, 99);
  if (year !== null) {
    fields.year = 1900 + year;
    if (!fields.hasOwnCentury) fields.century = year < 69 ? 20 : 19;
  }
  calendar(fields, position, 'year');
};

const century: Reader = (cursor, fields, { position, isBeforeElement }) => {
  const value = isBeforeElement ? cursor.integer(2, 0, 99) : cursor.integer(3, 0, 100);
  if (value !== null) {
    if (fields.century === null) fields.year = 1900;
    fields.century = value;
  }
  fields.hasOwnCentury = true;
  calendar(fields, position, 'year');
};

const monthName: Reader = (cursor, fields, { position }) => {
  const found = cursor.word(MONTH_NAMES);
  if (found !== null) fields.month = (found % 12) + 1;
  calendar(fields, position, 'month');
};

const weekdayName: Reader = (cursor, fields, { position }) => {
  const found = cursor.word(WEEKDAY_NAMES);
  if (found !== null) fields.others.push({ letter: 'a', value: found % 7, position });
};

/** An element that names a day in another way. */
const other =
  (letter: string, isCalendar: boolean, read: (cursor: TextCursor) => number | null): Reader =>
  (cursor, fields, { position }) => {
    const value = read(cursor);
    if (value !== null) fields.others.push({ letter, value, position });
    if (isCalendar) fields.hasCalendar = true;
  };

const twelveHours: Reader = (cursor, fields) => {
  cursor.skipSpaces();
  const hour = cursor.integer(2, 1, 12);
  if (hour === null) return;
  fields.hour = hour % 12;
  fields.isTwelveHour = true;
};

const meridian: Reader = (cursor, fields) => {
  const found = cursor.word(['am', 'pm']);
  if (found !== null) fields.isAfternoon = found === 1;
};

/** A number of a field of the clock. */
const clock =
  (field: 'hour' | 'minute' | 'second', most: number, isPadded = false): Reader =>
  (cursor, fields) => {
    const value = isPadded ? cursor.shortNumber(2, 0, most) : cursor.integer(2, 0, most);
    if (value !== null) fields[field] = value;
  };

const hour24 =
  (isPadded: boolean): Reader =>
  (cursor, fields, place) => {
    clock('hour', 23, isPadded)(cursor, fields, place);
    fields.isTwelveHour = false;
  };

/** Some elements one after the other, with the texts between them. */
const sequence =
  (...parts: readonly (Reader | string)[]): Reader =>
  (cursor, fields, place) => {
    for (const part of parts) {
      if (typeof part !== 'string') part(cursor, fields, place);
      else if (part === ' ') cursor.skipSpaces();
      else cursor.expect(part);
    }
  };

const number =
  (field: 'month' | 'day', most: number, isPadded = false): Reader =>
  (cursor, fields, { position }) => {
    const value = isPadded ? cursor.shortNumber(2, 1, most) : cursor.integer(2, 1, most);
    if (value !== null) fields[field] = value;
    calendar(fields, position, field);
  };

/** The parts of %c, %D, %F, %R and %T, which take blanks before their numbers. */
const [hour, minute, second] = [hour24(true), clock('minute', 59, true), clock('second', 61, true)];
const [month, day] = [number('month', 12, true), number('day', 31, true)];

const yearOf =
  (width: number, most: number): Reader =>
  (cursor, fields, { position }) => {
    const value = cursor.shortNumber(width, 0, most);
    if (value !== null) fields.year = width === 4 ? value : value + (value < 69 ? 2000 : 1900);
    calendar(fields, position, 'year');
  };

/** An element with O, beside which the elements of ISO 8601 still count. */
const besideIso =
  (reader: Reader): Reader =>
  (cursor, fields, context) => {
    const { hasCalendar } = fields;
    reader(cursor, fields, context);
    fields.hasCalendar = hasCalendar;
  };

const TIME = sequence(hour, ':', minute, ':', second);
const SHORT_DATE = sequence(month, '/', day, '/', yearOf(2, 99));

const quarter: Reader = (cursor, fields, { position }) => {
  const value = cursor.integer(1, 1, 4);
  if (value !== null) Object.assign(fields, { month: value * 3 - 2, day: 1 });
  calendar(fields, position, 'month', 'day');
};

/** `+HH` or `+HHMM`, with a mark between them where the element has one. */
const offset =
  (mark: string): Reader =>
  (cursor, fields) => {
    if (cursor.hasFailed) return;
    if (mark !== '' && cursor.next === 'Z') {
      cursor.at++;
      fields.offsetMinutes = 0;
      return;
    }
    const rest = cursor.text.slice(cursor.at, cursor.at + 6);
    const hours = /^[+-](?:[01]\d|2[0-3])/.exec(rest)?.[0];
    if (hours === undefined) return void cursor.fail();
    const after = rest.slice(3);
    const minutes = /^[0-5]\d/.exec(mark !== '' && after.startsWith(mark) ? after.slice(1) : after)?.[0];
    const length = minutes === undefined ? 3 : rest.indexOf(minutes, 3) + 2;
    const total = Number(hours.slice(1)) * 60 + Number(minutes ?? 0);
    if (total > MAX_OFFSET_MINUTES) return void cursor.fail();
    fields.offsetMinutes = hours.startsWith('-') ? -total : total;
    cursor.at += length;
  };

const zone: Reader = (cursor, fields) => {
  if (cursor.hasFailed) return;
  const start = cursor.at;
  while (!cursor.isAtEnd && !isSpace(cursor.next)) cursor.at++;
  if (cursor.at === start) return void cursor.fail();
  fields.zone = cursor.text.slice(start, cursor.at);
  fields.offsetMinutes = null;
};

/** Seconds with so many digits after a point; Infinity for as many as there are. */
const seconds =
  (digits: number): Reader =>
  (cursor, fields) => {
    const value = cursor.integer(2, 0, 60);
    if (value !== null) fields.second = value;
    if (cursor.hasFailed || digits === 0 || cursor.next !== '.') return;
    cursor.at++;
    fields.micros = cursor.fraction(digits) ?? 0;
  };

const epoch: Reader = (cursor, fields, { position }) => {
  fields.epochSeconds = cursor.integer(12, -62_135_596_800, 253_402_300_799);
  calendar(fields, position, 'year', 'month', 'day');
};

const WEEKDAY = other('a', false, (cursor) => cursor.shortNumber(1, 1, 7));
const WEEKDAY_FROM_0 = other('a', false, (cursor) => cursor.shortNumber(1, 0, 6));
const ISO_WEEK = other('V', false, (cursor) => cursor.integer(2, 1, 53));

/** How the text of each element is read. */
export const PARSE_ELEMENTS: Readonly<Record<string, Reader>> = {
  Y: fullYear,
  EY: fullYear,
  E4Y: fourDigits,
  C: century,
  EC: century,
  y: shortYear,
  Ey: shortYear,
  m: number('month', 12),
  d: number('day', 31),
  e: number('day', 31, true),
  Om: besideIso(number('month', 12, true)),
  Od: besideIso(number('day', 31, true)),
  Oe: besideIso(number('day', 31, true)),
  Oy: besideIso(yearOf(2, 99)),
  Q: quarter,
  b: monthName,
  B: monthName,
  h: monthName,
  H: hour24(false),
  OH: hour24(true),
  k: clock('hour', 23, true),
  I: twelveHours,
  l: twelveHours,
  OI: twelveHours,
  M: clock('minute', 59),
  OM: minute,
  S: seconds(0),
  E0S: seconds(0),
  OS: second,
  'E*S': seconds(Infinity),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((digits) => [`E${digits}S`, seconds(digits)])),
  p: meridian,
  P: meridian,
  r: sequence(twelveHours, ':', clock('minute', 59), ':', clock('second', 60), ' ', meridian),
  R: sequence(hour, ':', minute),
  T: TIME,
  X: TIME,
  EX: TIME,
  D: SHORT_DATE,
  x: SHORT_DATE,
  Ex: SHORT_DATE,
  F: sequence(yearOf(4, 9999), '-', month, '-', day),
  c: sequence(weekdayName, ' ', monthName, ' ', day, ' ', TIME, ' ', yearOf(4, 9999)),
  Ec: sequence(weekdayName, ' ', monthName, ' ', day, ' ', TIME, ' ', yearOf(4, 9999)),
  a: weekdayName,
  A: weekdayName,
  u: WEEKDAY,
  Ou: WEEKDAY,
  w: WEEKDAY_FROM_0,
  Ow: WEEKDAY_FROM_0,
  j: other('j', true, (cursor) => cursor.shortNumber(3, 1, 366)),
  J: other('J', false, (cursor) => cursor.integer(3, 1, 371)),
  U: other('U', true, (cursor) => cursor.shortNumber(2, 0, 53)),
  W: other('W', true, (cursor) => cursor.shortNumber(2, 0, 53)),
  OU: other('U', true, (cursor) => cursor.integer(2, 0, 53)),
  OW: other('W', false, (cursor) => cursor.integer(2, 0, 53)),
  V: ISO_WEEK,
  OV: ISO_WEEK,
  g: other('G', false, (cursor) => {
    const year = cursor.integer(2, 0, 99);
    return year === null ? null : year + (year < 69 ? 2000 : 1900);
  }),
  G: other('G', false, (cursor) => cursor.integer(20, 0, 99_999)),
  s: epoch,
  z: offset(''),
  Ez: offset(':'),
  Z: zone,
  n: (cursor) => cursor.skipSpaces(),
  t: (cursor) => cursor.skipSpaces(),
  '%': (cursor) => cursor.expect('%'),
};
