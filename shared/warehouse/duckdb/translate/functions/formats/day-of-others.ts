import { civilTime, epochDay, isDate, weekdayOf } from './civil-time.ts';
import type { OtherElement, ParsedFields } from './parsed-time.ts';

/** A date; `refused` for what GoogleSQL's documentation has and its own implementation has not; null for none. */
type FoundDate = { readonly year: number; readonly month: number; readonly day: number } | 'refused' | null;

/**
 * The date that all elements of a format name together. Of a day of the year and a week the later one counts, a day of
 * the week only with a week, and the elements of ISO 8601 only without others of the calendar.
 */
export function dateOfFields(fields: ParsedFields, year: number): FoundDate {
  const { others, hasCalendar, month, day } = fields;
  const last = (...letters: readonly string[]) =>
    others.findLastIndex(({ letter }) => letters.includes(letter));
  const isIso = !hasCalendar && last('G') >= 0;
  const [week, dayOfYear] = isIso ? [last('V'), last('J')] : [last('U', 'W'), last('j')];
  const hasWeekday = last('a') >= 0;
  const dayWins = dayOfYear >= 0 && (dayOfYear > week || !hasWeekday);
  const element = others[dayWins ? dayOfYear : week];
  if (isIso)
    return !dayWins && week >= 0 ? 'refused' : isoDate(others[last('G')]?.value ?? 0, element?.value);
  if (element === undefined) return { year, month, day };
  if (!dayWins && hasWeekday) return 'refused';
  const found = dayWins ? dayInYear(year, element.value) : dayInWeek(year, element);
  return found === null ? null : merged(fields, year, found, element.position);
}

/** Elements that stand after the one that the day is of keep what they set. */
function merged(
  { last, month, day }: ParsedFields,
  year: number,
  found: number,
  position: number,
): FoundDate {
  const civil = ofEpochDay(found);
  const date = {
    year: last.year < position ? civil.year : year,
    month: last.month < position ? civil.month : month,
    day: last.day < position ? civil.day : day,
  };
  return isDate(date.year, date.month, date.day) ? date : null;
}

const ofEpochDay = (day: number) => civilTime(BigInt(day) * 86_400_000_000n);

function dayInYear(year: number, day: number): number | null {
  const found = epochDay(year, 1, day);
  return ofEpochDay(found).year === year ? found : null;
}

/** The first day of a week; weeks are counted from the year's first Sunday or Monday on, the days before are week 0. */
function dayInWeek(year: number, { letter, value }: OtherElement): number | null {
  const weekStart = letter === 'U' ? 0 : 1;
  const newYear = epochDay(year, 1, 1);
  const first = newYear + ((weekStart - weekdayOf(newYear) + 7) % 7);
  const start = first + (value - 1) * 7;
  const isInYear = start < epochDay(year + 1, 1, 1) && start + 7 > newYear;
  return isInYear ? start : null;
}

/** A day of an ISO year; its first Monday where none is given. */
function isoDate(year: number, day = 1): FoundDate {
  const monday = mondayOf(year);
  return monday + day - 1 < mondayOf(year + 1) ? ofEpochDay(monday + day - 1) : null;
}

/** The Monday of the week that has 4 January. */
function mondayOf(year: number): number {
  const fourth = epochDay(year, 1, 4);
  return fourth - ((weekdayOf(fourth) + 6) % 7);
}
