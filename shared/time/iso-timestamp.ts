import { floorTo, isTimestamp, MICROS_PER_MS, MICROS_PER_SECOND } from './units.ts';

/** What `parseIsoTimestamp` accepts, in words that can end a sentence. */
export const ISO_TIMESTAMP_ACCEPTED =
  'a date or time in ISO 8601, such as 2026-01-31, 2026-01-31T12:30:00Z or 2026-01-31T12:30:00.123456+02:00 (without a zone it is UTC)';

/** Microseconds since the epoch, or what is wrong with the text. */
export type ParsedTimestamp = { readonly micros: bigint } | { readonly problem: string };

/** Longer text is no timestamp; nine digits of a fraction and a zone need 35. */
const MAX_LENGTH = 64;

/** The calendar repeats after so long. */
const MS_PER_400_YEARS = 146_097 * 86_400_000;

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
  // Date.UTC takes the years before 100 for those of the 20th century.
  const ms = Date.UTC(y + 400, m - 1, d) - MS_PER_400_YEARS;
  if (d < 1 || (d > 28 && new Date(ms).getUTCDate() !== d))
    return { problem: `there is no day ${day} in ${year}-${month}` };
  const ofDay = time === undefined ? { micros: 0n } : parseTimeOfDay(time);
  if ('problem' in ofDay) return ofDay;
  const micros = BigInt(ms) * MICROS_PER_MS + ofDay.micros;
  return isTimestamp(micros) ? { micros } : { problem: 'its year in UTC is not in 0001 to 9999' };
}

/** The inverse: ISO 8601 in UTC with no fraction or six digits of it. Throws a RangeError outside years 1 to 9999. */
export function formatMicros(micros: bigint): string {
  if (!isTimestamp(micros)) throw new RangeError('only the years 0001 to 9999 can be written');
  const digits = fractionDigits(micros);
  return `${isoSeconds(micros)}${digits === '000000' ? '' : `.${digits}`}Z`;
}

/** An instant of the years 0 to 9999 up to its second, in UTC: `2026-01-02T03:04:05`. */
export function isoSeconds(micros: bigint): string {
  return new Date(Number(floorTo(micros, MICROS_PER_MS) / MICROS_PER_MS)).toISOString().slice(0, 19);
}

/** The six digits that follow an instant's second. */
export function fractionDigits(micros: bigint): string {
  const rest = Number(micros % MICROS_PER_SECOND);
  return String(rest < 0 ? rest + 1_000_000 : rest).padStart(6, '0');
}

/** Milliseconds since the epoch in ISO 8601; null for none. */
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
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
