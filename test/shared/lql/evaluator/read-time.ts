import { daysInMonth, HOUR_MICROS, MINUTE_MICROS, midnight, SECOND_MICROS } from './civil-time.ts';
import { type Instant, LqlFault, type Order, type TimeTest, type Unit } from './model.ts';

const UNIT_NAMES: Readonly<Record<Unit, readonly string[]>> = {
  second: ['second', 'seconds', 's'],
  minute: ['minute', 'minutes', 'm'],
  hour: ['hour', 'hours', 'h'],
  day: ['day', 'days', 'd'],
  week: ['week', 'weeks', 'w'],
  month: ['month', 'months', 'mm'],
  year: ['year', 'years', 'y'],
};

/** The ways to write a unit. */
export function unitNames(unit: Unit): readonly string[] {
  return UNIT_NAMES[unit];
}

/** Reads what stands behind `t` or `timestamp`, its colon included. */
export function readTimeTest(text: string): TimeTest {
  const order = (/^:(?:>=|<=|>|<)?/.exec(text)?.[0] ?? ':') as Order;
  const rest = text.slice(order.length);
  if (rest === 'now') return { kind: 'point', order, point: 'now' };
  const point = readInstant(rest);
  if (point !== null) return { kind: 'point', order, point };
  if (order !== ':') throw notATime(rest);
  if (rest === 'today' || rest === 'yesterday') return { kind: rest };
  const [, period, count, name] = /^(this|last)@([0-9]*)([a-z]+)$/.exec(rest) ?? [];
  if (period !== undefined) return readPeriod(rest, period, count ?? '', name ?? '');
  const bounds = rest.includes('{') ? unfoldBraces(rest) : rest.split('..');
  const [from, to] = bounds.map(readInstant);
  if (bounds.length !== 2 || !from || !to || from.zoned !== to.zoned) throw notATime(rest);
  return { kind: 'between', from, to };
}

function readPeriod(text: string, period: string, count: string, name: string): TimeTest {
  const unit = (Object.keys(UNIT_NAMES) as Unit[]).find((one) => UNIT_NAMES[one].includes(name));
  if (unit === undefined || count.length > 4) throw notATime(text);
  if (period === 'last') return { kind: 'last', count: count === '' ? 1 : Number(count), unit };
  if (count !== '') throw notATime(text);
  return { kind: 'this', unit };
}

/** Both ends of a date or datetime in braces; the text between the braces' numbers stays. */
function unfoldBraces(text: string): string[] {
  const number = (digits: number) => `(?:\\d{${digits}}|\\{\\d{${digits}}\\.\\.\\d{${digits}}\\})`;
  const fraction = '(?:\\d{1,6}|\\{\\d{1,6}\\.\\.\\d{1,6}\\})';
  const shape = new RegExp(
    `^${number(4)}-${number(2)}-${number(2)}` +
      `(?:T${number(2)}:${number(2)}:${number(2)}(?:\\.${fraction})?(?:Z|[+-]${number(2)}:${number(2)})?)?$`,
  );
  if (!shape.test(text)) throw notATime(text);
  return ['$1', '$2'].map((side) => text.replaceAll(/\{(\d+)\.\.(\d+)\}/g, side));
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)?)?$/;

function readInstant(text: string): Instant | null {
  if (/^(?:\d{10}|\d{13}|\d{16})$/.test(text)) {
    const scale = { 10: SECOND_MICROS, 13: 1000n, 16: 1n }[text.length as 10 | 13 | 16];
    const micros = BigInt(text) * scale;
    return { micros: micros - (micros % 1000n), isDate: false, zoned: true };
  }
  const match = DATE.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const exists = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!exists) throw notATime(text);
  const start = midnight(year, month, day);
  if (match[4] === undefined) return { micros: start, isDate: true, zoned: false };
  if (hour > 23 || minute > 59 || second > 59) throw notATime(text);
  const ofDay = BigInt(hour) * HOUR_MICROS + BigInt(minute) * MINUTE_MICROS + BigInt(second) * SECOND_MICROS;
  const fraction = BigInt((match[7] ?? '').padEnd(6, '0'));
  const offset = readOffset(match[8] ?? 'Z');
  const micros = start + ofDay + fraction - offset;
  // A zone may shift a time out of the calendar.
  if (micros < midnight(1, 1, 1) || micros >= midnight(10_000, 1, 1)) throw notATime(text);
  return { micros, isDate: false, zoned: match[8] !== undefined };
}

function readOffset(zone: string): bigint {
  if (zone === 'Z') return 0n;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  if (hours > 23 || minutes > 59) throw notATime(zone);
  const length = BigInt(hours) * HOUR_MICROS + BigInt(minutes) * MINUTE_MICROS;
  return zone.startsWith('-') ? -length : length;
}

function notATime(text: string): LqlFault {
  return new LqlFault('syntax', `'${text}' is not a timestamp, range or period`);
}
