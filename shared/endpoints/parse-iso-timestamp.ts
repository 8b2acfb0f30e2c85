/** What `parseIsoTimestamp` accepts, in words that can end a sentence. */
export const ISO_TIMESTAMP_ACCEPTED =
  'a date or time in ISO 8601, such as 2026-01-31, 2026-01-31T12:30:00Z or 2026-01-31T12:30:00.123456+02:00 (without a zone it is UTC)';

/** Microseconds since the epoch, or what is wrong with the text. */
export type ParsedTimestamp = { readonly micros: bigint } | { readonly problem: string };

const MICROS_PER_SECOND = 1_000_000n;
const SECONDS_PER_DAY = 86_400;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z: the range of a GoogleSQL TIMESTAMP. */
const MIN_MICROS = -62_135_596_800_000_000n;
const MAX_MICROS = 253_402_300_799_999_999n;
/** Longer text is no timestamp; nine digits of a fraction and a zone need 35. */
const MAX_LENGTH = 64;

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](.+))?$/;
/** A `+` that was not escaped in a URL arrives as a space, hence the space among the signs. */
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[Zz]|([+\- ])(\d{2})(?::?(\d{2}))?)?$/;

/**
 * Reads an ISO 8601 date, or a date and a time with or without a zone, exactly to the microsecond; further
 * digits of a second are cut off. Only days of the (proleptic Gregorian) calendar from year 1 to 9999 in UTC.
 */
export function parseIsoTimestamp(text: string): ParsedTimestamp {
  const [, year, month, day, time] = (text.length <= MAX_LENGTH && DATE.exec(text)) || [];
  if (year === undefined || month === undefined || day === undefined) {
    return { problem: 'it does not start with a date written YYYY-MM-DD' };
  }
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (m < 1 || m > 12) return { problem: `there is no month ${month}` };
  if (d < 1 || d > daysInMonth(y, m)) return { problem: `there is no day ${day} in ${year}-${month}` };
  const ofDay = time === undefined ? { micros: 0n } : parseTimeOfDay(time);
  if ('problem' in ofDay) return ofDay;
  const micros = BigInt(daysSinceEpoch(y, m, d) * SECONDS_PER_DAY) * MICROS_PER_SECOND + ofDay.micros;
  if (micros < MIN_MICROS || micros > MAX_MICROS)
    return { problem: 'its year in UTC is not in 0001 to 9999' };
  return { micros };
}

/** The inverse: ISO 8601 in UTC with no fraction or six digits of it. Throws a RangeError outside years 1 to 9999. */
export function formatMicros(micros: bigint): string {
  if (micros < MIN_MICROS || micros > MAX_MICROS) {
    throw new RangeError('only the years 0001 to 9999 can be written');
  }
  const fraction = modulo(micros, MICROS_PER_SECOND);
  const seconds = Number((micros - fraction) / MICROS_PER_SECOND);
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const ofDay = seconds - days * SECONDS_PER_DAY;
  const { year, month, day } = dateOfDays(days);
  const time = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60, ofDay % 60].map((n) => digits(n, 2));
  const tail = fraction === 0n ? '' : `.${digits(Number(fraction), 6)}`;
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}T${time.join(':')}${tail}Z`;
}

/** The time of day in microseconds, less the zone's offset. */
function parseTimeOfDay(text: string): ParsedTimestamp {
  const match = TIME.exec(text);
  if (match === null) {
    return {
      problem:
        'after the date it needs a time written hh:mm, hh:mm:ss or hh:mm:ss.ffffff and a zone, if any, written Z or +hh:mm',
    };
  }
  const [, hour = '', minute = '', second = '00', fraction = '', sign, zoneHour = '00', zoneMinute = '00'] =
    match;
  if (Number(hour) > 23) return { problem: `there is no hour ${hour}` };
  if (Number(minute) > 59) return { problem: `there is no minute ${minute}` };
  if (Number(second) > 59) return { problem: `there is no second ${second}` };
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) {
    return { problem: `there is no zone ${zoneHour}:${zoneMinute} hours off UTC` };
  }
  const offsetSeconds = (Number(zoneHour) * 3600 + Number(zoneMinute) * 60) * (sign === '-' ? -1 : 1);
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offsetSeconds;
  return { micros: BigInt(seconds) * MICROS_PER_SECOND + BigInt(fraction.slice(0, 6).padEnd(6, '0')) };
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days from 1970-01-01: whole 400-year eras of years that start in March (H. Hinnant, days_from_civil). */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `daysSinceEpoch` (H. Hinnant, civil_from_days). */
function dateOfDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** The remainder that is never negative, so that instants before 1970 keep their fraction's sign. */
function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
