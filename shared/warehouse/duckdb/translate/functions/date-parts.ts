/** Months in the parts that are made of them. */
export const PART_MONTHS: Readonly<Record<string, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/** Days by which a week that begins on a weekday is off the week that begins on Monday. */
export function weekShift(weekday: string | null): number {
  const index = WEEKDAYS.indexOf(weekday ?? 'SUNDAY');
  return (8 - index) % 7;
}

const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

/** 0 for Sunday to 6 for Saturday. */
export function weekdayIndex(weekday: string | null): number {
  return WEEKDAYS.indexOf(weekday ?? 'SUNDAY');
}
