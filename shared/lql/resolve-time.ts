import {
  floorTo,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  MIN_TIMESTAMP_MICROS,
} from '../time/units.ts';
import type { Unit } from './keywords.ts';
import type { Comparison, Instant, TimeCondition } from './tree.ts';

/** One end of an interval, in microseconds since the epoch. */
export interface TimeBound {
  readonly operator: Comparison;
  readonly micros: bigint;
  /**
   * What stands for the bound in the key of a cached answer. It is the bound itself but where that is the present: the
   * key then has the minute, or the second where the interval begins a number of seconds ago.
   */
  readonly keyMicros: bigint;
}

/** 1970-01-01 was a Thursday, three days after a Monday. */
const DAYS_FROM_MONDAY_TO_EPOCH = 3n;
const MONTHS_PER_YEAR = 12;

/**
 * What a condition asks of the timestamp, all bounds together. `nowMicros` is the present of the whole request;
 * everything is in UTC. The unit of `this` is not second.
 */
export function resolveTime(condition: TimeCondition, nowMicros: bigint): readonly TimeBound[] {
  const now = floorTo(nowMicros, MICROS_PER_SECOND);
  switch (condition.kind) {
    case 'time': {
      const { operator, point } = condition;
      if (point.kind === 'now') return [bound(operator, now)];
      const isDay = point.kind === 'date' && operator === '=';
      return isDay ? interval(point.micros, lastOf(point)) : [bound(operator, point.micros)];
    }
    case 'time_between':
      return interval(condition.from.micros, lastOf(condition.to));
    case 'day': {
      const today = floorTo(now, MICROS_PER_DAY);
      const start = condition.day === 'today' ? today : today - MICROS_PER_DAY;
      return interval(start, start + MICROS_PER_DAY - 1n);
    }
    case 'this':
      return upToNow(startOf(condition.unit, now), now, condition.unit);
    case 'last':
      return upToNow(startOfLast(condition.count, condition.unit, now), now, condition.unit);
    default: {
      const unreachable: never = condition;
      throw new TypeError(`condition ${JSON.stringify(unreachable)}`);
    }
  }
}

function bound(operator: Comparison, micros: bigint, keyMicros = micros): TimeBound {
  return { operator, micros, keyMicros };
}

/** Timestamps are whole microseconds, so that the last one of a day ends it. */
function interval(first: bigint, last: bigint): readonly TimeBound[] {
  return [bound('>=', first), bound('<=', last)];
}

function upToNow(start: bigint, now: bigint, unit: Unit): readonly TimeBound[] {
  const grain = unit === 'second' ? MICROS_PER_SECOND : MICROS_PER_MINUTE;
  return [bound('>=', start), bound('<=', now, floorTo(now, grain))];
}

/** The last microsecond that an instant stands for: a date is the whole day. */
function lastOf({ kind, micros }: Instant): bigint {
  return kind === 'date' ? micros + MICROS_PER_DAY - 1n : micros;
}

/** The start of the second, minute, hour, day, week (Monday), month or year that `micros` lies in. */
function startOf(unit: Unit, micros: bigint): bigint {
  switch (unit) {
    case 'second':
      return floorTo(micros, MICROS_PER_SECOND);
    case 'minute':
      return floorTo(micros, MICROS_PER_MINUTE);
    case 'hour':
      return floorTo(micros, MICROS_PER_HOUR);
    case 'day':
      return floorTo(micros, MICROS_PER_DAY);
    case 'week': {
      const shift = DAYS_FROM_MONDAY_TO_EPOCH * MICROS_PER_DAY;
      return floorTo(micros + shift, 7n * MICROS_PER_DAY) - shift;
    }
    case 'month':
    case 'year': {
      const { year, month } = civilDate(micros);
      return microsOfDate(year, unit === 'month' ? month : 0, 1);
    }
    default: {
      const unreachable: never = unit;
      throw new TypeError(`unit ${unreachable}`);
    }
  }
}

/** Where the last `count` units begin: back from the full unit, but for days and all that is longer from the full day. */
function startOfLast(count: number, unit: Unit, now: bigint): bigint {
  const units = BigInt(count);
  const today = floorTo(now, MICROS_PER_DAY);
  switch (unit) {
    case 'second':
      return now - units * MICROS_PER_SECOND;
    case 'minute':
      return floorTo(now, MICROS_PER_MINUTE) - units * MICROS_PER_MINUTE;
    case 'hour':
      return floorTo(now, MICROS_PER_HOUR) - units * MICROS_PER_HOUR;
    case 'day':
      return today - units * MICROS_PER_DAY;
    case 'week':
      return today - 7n * units * MICROS_PER_DAY;
    case 'month':
      return monthsBefore(today, count);
    case 'year':
      return monthsBefore(today, count * MONTHS_PER_YEAR);
    default: {
      const unreachable: never = unit;
      throw new TypeError(`unit ${unreachable}`);
    }
  }
}

/** The same day so many months before, or that month's last where it has no such day; never before the year 1. */
function monthsBefore(day: bigint, count: number): bigint {
  const date = civilDate(day);
  const months = date.year * MONTHS_PER_YEAR + date.month - count;
  const [year, month] = [Math.floor(months / MONTHS_PER_YEAR), months % MONTHS_PER_YEAR];
  if (year < 1) return MIN_TIMESTAMP_MICROS;
  const lastDay = civilDate(microsOfDate(year, month + 1, 1) - 1n).day;
  return microsOfDate(year, month, Math.min(date.day, lastDay));
}

/** Months count from 0; a twelfth is the first of the next year. */
function microsOfDate(year: number, month: number, day: number): bigint {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return BigInt(date.getTime()) * MICROS_PER_MS;
}

function civilDate(micros: bigint): { readonly year: number; readonly month: number; readonly day: number } {
  const date = new Date(Number(floorTo(micros, MICROS_PER_DAY) / MICROS_PER_MS));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}
