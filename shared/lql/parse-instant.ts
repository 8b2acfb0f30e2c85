import { parseDate, parseTime } from '../sql/values/civil-time.ts';
import {
  floorTo,
  isTimestamp,
  MICROS_PER_DAY,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
} from '../time/units.ts';
import type { Instant } from './tree.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATETIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)(?:Z|([+-])(\d{2}):(\d{2}))?$/;
const UNIX = /^(?:\d{10}|\d{13}|\d{16})$/;

/** Reads a date, a date with a time, or Unix seconds, milliseconds or microseconds; null for any other text. */
export function parseInstant(text: string): Instant | null {
  if (DATE.test(text)) {
    const days = parseDate(text);
    return days === null ? null : { kind: 'date', text, micros: days * MICROS_PER_DAY };
  }
  if (UNIX.test(text)) return { kind: 'unix', text, micros: unixMicros(text) };
  const [, date, time, sign, hours = '0', minutes = '0'] = DATETIME.exec(text) ?? [];
  const days = date === undefined ? null : parseDate(date);
  const ofDay = time === undefined ? null : parseTime(time);
  if (days === null || ofDay === null || Number(hours) > 23 || Number(minutes) > 59) return null;
  const offset = BigInt(Number(hours) * 60 + Number(minutes)) * MICROS_PER_MINUTE;
  const micros = days * MICROS_PER_DAY + ofDay + (sign === '-' ? offset : -offset);
  if (!isTimestamp(micros)) return null;
  return { kind: sign === undefined && !text.endsWith('Z') ? 'datetime' : 'zoned', text, micros };
}

/** Microseconds count in whole milliseconds. */
function unixMicros(digits: string): bigint {
  if (digits.length === 10) return BigInt(digits) * MICROS_PER_SECOND;
  if (digits.length === 13) return BigInt(digits) * MICROS_PER_MS;
  return floorTo(BigInt(digits), MICROS_PER_MS);
}
