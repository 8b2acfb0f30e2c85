import { floorTo, isTimestamp, MICROS_PER_DAY, MICROS_PER_SECOND } from '../../time/units.ts';
import { isZoneName } from './zone-names.ts';
import { offsetMinutes } from './zone-offset.ts';

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const TIME = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,6}))?$/;

/** Days since the epoch of a date in GoogleSQL's canonical form, `YYYY-[M]M-[D]D`; null for anything else. */
export function parseDate(text: string): bigint | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return BigInt(Math.round(date.getTime() / 86_400_000));
}

/** What a clock shows. A second 60 counts as the first of the next minute, which may be on the next day. */
interface Clock {
  readonly micros: bigint;
  readonly isLeapSecond: boolean;
}

const MIDNIGHT: Clock = { micros: 0n, isLeapSecond: false };

function readClock(text: string): Clock | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (hour > 23 || minute > 59 || second > 60) return null;
  const fraction = BigInt((match[4] ?? '').padEnd(6, '0'));
  const micros = BigInt(hour * 3600 + minute * 60 + second) * MICROS_PER_SECOND + fraction;
  return { micros, isLeapSecond: second === 60 };
}

/** TIME and DATETIME drop the fraction of a second 60; TIMESTAMP keeps it. */
function wholeLeapSecond({ micros, isLeapSecond }: Clock): bigint {
  return isLeapSecond ? micros - (micros % MICROS_PER_SECOND) : micros;
}

/** Microseconds since midnight of `[H]H:[M]M:[S]S[.F]` with up to six digits of fraction; null for anything else. */
export function parseTime(text: string): bigint | null {
  const clock = readClock(text);
  return clock === null || clock.isLeapSecond ? null : clock.micros;
}

/** The same for a TIME, which may have a second 60: 23:59:60 is midnight. */
export function parseTimeValue(text: string): bigint | null {
  const clock = readClock(text);
  return clock === null ? null : wholeLeapSecond(clock) % MICROS_PER_DAY;
}

/** Microseconds since 1970-01-01 00:00:00 on the same clock of `date[( |T)time]`; null for anything else. */
export function parseDatetime(text: string): bigint | null {
  const local = readLocal(text);
  return local === null ? null : inRange(local.days * MICROS_PER_DAY + wholeLeapSecond(local.clock));
}

function readLocal(text: string): { readonly days: bigint; readonly clock: Clock } | null {
  const split = /^(\S+?)(?:[ Tt](.+))?$/.exec(text);
  const days = parseDate(split?.[1] ?? '');
  const clock = split?.[2] === undefined ? MIDNIGHT : readClock(split[2]);
  return days === null || clock === null ? null : { days, clock };
}

/**
 * Microseconds since the epoch of a timestamp in GoogleSQL's canonical form: a datetime, then `Z`, an offset
 * `(+|-)H[H][[:]M[M]]`, or a space and the name of a time zone; or a date, then a space or `T`, and an offset. UTC where no zone stands.
 * Null for anything else.
 */
export function parseTimestamp(text: string): bigint | null {
  const split =
    /^(\d{4}-\d{1,2}-\d{1,2})(?:[ Tt](\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d{1,6})?))?([ Tt]?)(\S*)$/.exec(text);
  const [, date = '', clock, separator = '', zone = ''] = split ?? [];
  const shown = readLocal(clock === undefined ? date : `${date} ${clock}`);
  if (shown === null) return null;
  const local = shown.days * MICROS_PER_DAY + shown.clock.micros;
  if (zone === '') return separator === '' ? inRange(local) : null;
  // An offset follows a time at once, and a date after a separator.
  const offset = (separator === '') === (clock !== undefined) ? parseOffset(zone) : null;
  if (offset !== null) return inRange(local - offset);
  if (clock === undefined) return null;
  if (separator === '') return /^z$/i.test(zone) ? inRange(local) : null;
  const zoned = separator === ' ' ? fromZone(local, zone) : null;
  return zoned === null ? null : inRange(zoned);
}

function inRange(micros: bigint): bigint | null {
  return isTimestamp(micros) ? micros : null;
}

function parseOffset(zone: string): bigint | null {
  const minutes = /^[+-]/.test(zone) ? offsetMinutes(zone) : null;
  return minutes === null ? null : BigInt(minutes * 60) * MICROS_PER_SECOND;
}

/** The instant at which clocks of a time zone such as `Asia/Tokyo` or `UTC+9` show `local`; null for an unknown zone. */
function fromZone(local: bigint, zone: string): bigint | null {
  if (zone === 'UTC') return local;
  const minutes = zone.startsWith('UTC') ? offsetMinutes(zone) : null;
  if (minutes !== null) return local - BigInt(minutes * 60) * MICROS_PER_SECOND;
  if (!isZoneName(zone)) return null;
  try {
    const offsetAt = zoneOffset(zone);
    const before = offsetAt(local - MICROS_PER_DAY);
    const candidate = local - before;
    return offsetAt(candidate) === before ? candidate : resolveTransition(local, before, offsetAt);
  } catch {
    // A zone that Node's own list of zones lacks.
    return null;
  }
}

/** A skipped local time counts with the offset before the change, a repeated one is the first of the two. */
function resolveTransition(local: bigint, before: bigint, offsetAt: (micros: bigint) => bigint): bigint {
  const after = offsetAt(local - before);
  return offsetAt(local - after) === after ? local - after : local - before;
}

/** A time zone's offset from UTC in microseconds at an instant. Throws a RangeError for an unknown zone. */
function zoneOffset(zone: string): (micros: bigint) => bigint {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (micros) => {
    const seconds = floorTo(micros, MICROS_PER_SECOND) / MICROS_PER_SECOND;
    const parts = Object.fromEntries(
      format.formatToParts(Number(seconds) * 1000).map((part) => [part.type, part.value]),
    );
    const shown = new Date(0);
    shown.setUTCFullYear(Number(parts.year), Number(parts.month) - 1, Number(parts.day));
    shown.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
    return (BigInt(shown.getTime() / 1000) - seconds) * MICROS_PER_SECOND;
  };
}
