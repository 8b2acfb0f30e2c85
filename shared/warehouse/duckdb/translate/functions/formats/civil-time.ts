/** What calendar and clock show at an instant, in the proleptic Gregorian calendar. */
export interface CivilTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly micros: number;
  /** 0 for Sunday. */
  readonly weekday: number;
  /** 1 to 366. */
  readonly dayOfYear: number;
}

const MICROS_PER_SECOND = 1_000_000n;
const SECONDS_PER_DAY = 86_400;

/** The calendar and the clock so many microseconds after 1970-01-01 00:00:00. */
export function civilTime(micros: bigint): CivilTime {
  const fraction = ((micros % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND;
  const seconds = Number((micros - fraction) / MICROS_PER_SECOND);
  const date = new Date(seconds * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return {
    year,
    month,
    day,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    micros: Number(fraction),
    weekday: date.getUTCDay(),
    dayOfYear: Math.floor(seconds / SECONDS_PER_DAY) - epochDay(year, 1, 1) + 1,
  };
}

/** Days from 1970-01-01 to a date; months and days beyond their ends count on. */
export function epochDay(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / 1000 / SECONDS_PER_DAY;
}

/** Whether the calendar has such a date. */
export function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The day of the week of the day so many days after 1970-01-01; 0 for Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The year of ISO 8601 that a time is in, and the number of its week there. */
export function isoWeek({ year, weekday, dayOfYear }: CivilTime): {
  readonly year: number;
  readonly week: number;
} {
  const thursday = dayOfYear - ((weekday + 6) % 7) + 3;
  if (thursday < 1) return isoWeekOf(year - 1, thursday + daysIn(year - 1));
  if (thursday > daysIn(year)) return isoWeekOf(year + 1, thursday - daysIn(year));
  return isoWeekOf(year, thursday);
}

const isoWeekOf = (year: number, thursday: number) => ({ year, week: Math.ceil(thursday / 7) });

const daysIn = (year: number): number => epochDay(year + 1, 1, 1) - epochDay(year, 1, 1);

/** The names of the days from Sunday on, and of the months. */
export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
