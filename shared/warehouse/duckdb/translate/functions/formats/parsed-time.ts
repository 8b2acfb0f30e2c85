/** What the elements of a format have read so far; parse-time.ts makes an instant of it. */
export interface ParsedFields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  micros: number;
  isTwelveHour: boolean;
  isAfternoon: boolean;
  /** Set by %C, and by %y where no %C stands before it. */
  century: number | null;
  hasOwnCentury: boolean;
  epochSeconds: number | null;
  offsetMinutes: number | null;
  zone: string | null;
  /** The place in the format of the element that set the year, the month, the day; -1 for none. */
  readonly last: { year: number; month: number; day: number };
  hasCalendar: boolean;
  /** Elements that name a day in another way than by month and day. */
  readonly others: OtherElement[];
}

/** A day of the year, a week, a day of the week, or a year of ISO 8601. */
export interface OtherElement {
  readonly letter: string;
  readonly value: number;
  readonly position: number;
}

/** What a format without elements stands for: 1970-01-01 00:00:00. */
export function noFields(): ParsedFields {
  return {
    year: 1970,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    micros: 0,
    isTwelveHour: false,
    isAfternoon: false,
    century: null,
    hasOwnCentury: false,
    epochSeconds: null,
    offsetMinutes: null,
    zone: null,
    last: { year: -1, month: -1, day: -1 },
    hasCalendar: false,
    others: [],
  };
}
