import { type CivilTime, isoWeek, MONTHS, WEEKDAYS } from './civil-time.ts';

/** The types that dates and times are formatted and parsed as. */
export const TIME_KINDS = ['DATE', 'DATETIME', 'TIME', 'TIMESTAMP'] as const;
/** A type of GoogleSQL that format elements are for. */
export type TimeKind = (typeof TIME_KINDS)[number];

/** A date or time to be shown. */
export interface ShownTime {
  readonly kind: TimeKind;
  readonly civil: CivilTime;
  /** Seconds since 1970-01-01 00:00:00 UTC, rounded down. */
  readonly epochSeconds: bigint;
  /** What the clocks are ahead of UTC. */
  readonly offsetMinutes: number;
}

const two = (value: number): string => String(value).padStart(2, '0');
const blank = (value: number): string => String(value).padStart(2, ' ');
const hour12 = ({ hour }: CivilTime): number => ((hour + 11) % 12) + 1;
const meridian = ({ hour }: CivilTime): string => (hour < 12 ? 'AM' : 'PM');
const minutes = (civil: CivilTime): string => `${two(civil.hour)}:${two(civil.minute)}`;
const clock = (civil: CivilTime): string => `${minutes(civil)}:${two(civil.second)}`;
const shortYear = (year: number): string => two(((year % 100) + 100) % 100);
const shortDate = ({ month, day, year }: CivilTime): string => `${two(month)}/${two(day)}/${shortYear(year)}`;
const weekday = (civil: CivilTime): string => WEEKDAYS[civil.weekday] ?? '';
const month = (civil: CivilTime): string => MONTHS[civil.month - 1] ?? '';
/** Weeks that have begun since the year's first day of a kind; `first` is 0 where that is Sunday. */
const weekFrom = ({ dayOfYear, weekday: day }: CivilTime, first: number): string =>
  two(Math.floor((dayOfYear + 6 - ((day - first + 7) % 7)) / 7));

function offset(minutesAhead: number, mark: string): string {
  const ahead = Math.abs(minutesAhead);
  return `${minutesAhead < 0 ? '-' : '+'}${two(Math.trunc(ahead / 60))}${mark}${two(ahead % 60)}`;
}

function zone(minutesAhead: number): string {
  if (minutesAhead === 0) return 'UTC';
  if (minutesAhead % 60 !== 0) return `UTC${offset(minutesAhead, '')}`;
  return `UTC${minutesAhead < 0 ? '-' : '+'}${Math.abs(minutesAhead / 60)}`;
}

/** What each element of a format shows. https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements */
export const TIME_ELEMENTS: Readonly<Record<string, (time: ShownTime) => string>> = {
  a: ({ civil }) => weekday(civil).slice(0, 3),
  A: ({ civil }) => weekday(civil),
  b: ({ civil }) => month(civil).slice(0, 3),
  B: ({ civil }) => month(civil),
  C: ({ civil }) => String(Math.floor(civil.year / 100)),
  c: ({ civil }) =>
    `${weekday(civil).slice(0, 3)} ${month(civil).slice(0, 3)} ${blank(civil.day)} ${clock(civil)} ${civil.year}`,
  d: ({ civil }) => two(civil.day),
  D: ({ civil }) => shortDate(civil),
  e: ({ civil }) => blank(civil.day),
  E4Y: ({ civil }) => String(civil.year).padStart(4, '0'),
  Ez: (time) => offset(time.offsetMinutes, ':'),
  F: ({ civil }) => `${civil.year}-${two(civil.month)}-${two(civil.day)}`,
  g: ({ civil }) => shortYear(isoWeek(civil).year),
  G: ({ civil }) => String(isoWeek(civil).year),
  h: ({ civil }) => month(civil).slice(0, 3),
  H: ({ civil }) => two(civil.hour),
  I: ({ civil }) => two(hour12(civil)),
  j: ({ civil }) => String(civil.dayOfYear).padStart(3, '0'),
  k: ({ civil }) => blank(civil.hour),
  l: ({ civil }) => blank(hour12(civil)),
  m: ({ civil }) => two(civil.month),
  M: ({ civil }) => two(civil.minute),
  n: () => '\n',
  p: ({ civil }) => meridian(civil),
  P: ({ civil }) => meridian(civil).toLowerCase(),
  Q: ({ civil }) => String(Math.ceil(civil.month / 3)),
  r: ({ civil }) => `${two(hour12(civil))}:${two(civil.minute)}:${two(civil.second)} ${meridian(civil)}`,
  R: ({ civil }) => minutes(civil),
  s: ({ epochSeconds }) => String(epochSeconds),
  S: ({ civil }) => two(civil.second),
  t: () => '\t',
  T: ({ civil }) => clock(civil),
  u: ({ civil }) => String(civil.weekday === 0 ? 7 : civil.weekday),
  U: ({ civil }) => weekFrom(civil, 0),
  V: ({ civil }) => two(isoWeek(civil).week),
  w: ({ civil }) => String(civil.weekday),
  W: ({ civil }) => weekFrom(civil, 1),
  x: ({ civil }) => shortDate(civil),
  X: ({ civil }) => clock(civil),
  y: ({ civil }) => shortYear(civil.year),
  Y: ({ civil }) => String(civil.year),
  z: (time) => offset(time.offsetMinutes, ''),
  Z: (time) => zone(time.offsetMinutes),
  '%': () => '%',
};
