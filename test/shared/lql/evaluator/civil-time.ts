import type { Unit } from './model.ts';

export const SECOND_MICROS = 1_000_000n;
export const MINUTE_MICROS = 60n * SECOND_MICROS;
export const HOUR_MICROS = 60n * MINUTE_MICROS;
export const DAY_MICROS = 24n * HOUR_MICROS;

/** The greatest multiple of a length that is not above. */
export function floorTo(micros: bigint, length: bigint): bigint {
  const rest = micros % length;
  return micros - (rest < 0n ? rest + length : rest);
}

/** Midnight of a civil day; a month or a day beyond its range runs over. */
export function midnight(year: number, month: number, day: number): bigint {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return BigInt(date.getTime()) * 1000n;
}

/** Year, month and day of an instant in UTC. */
export function civilDay(micros: bigint): readonly [number, number, number] {
  const date = new Date(Number(floorTo(micros, DAY_MICROS) / 1000n));
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

export function daysInMonth(year: number, month: number): number {
  return civilDay(midnight(year, month + 1, 0))[2];
}

/** Midnight of the same day some months before, or of the last day of that month if it is shorter. */
export function monthsBefore(dayMicros: bigint, months: number): bigint {
  const [year, month, day] = civilDay(dayMicros);
  const index = year * 12 + (month - 1) - months;
  const [thenYear, thenMonth] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1];
  return midnight(thenYear, thenMonth, Math.min(day, daysInMonth(thenYear, thenMonth)));
}

/** When the current unit began. */
export function startOf(unit: Unit, micros: bigint): bigint {
  const day = floorTo(micros, DAY_MICROS);
  const [year, month] = civilDay(day);
  switch (unit) {
    case 'second':
      return floorTo(micros, SECOND_MICROS);
    case 'minute':
      return floorTo(micros, MINUTE_MICROS);
    case 'hour':
      return floorTo(micros, HOUR_MICROS);
    case 'day':
      return day;
    case 'week': {
      // 1970-01-05 was a Monday.
      const monday = 4n * DAY_MICROS;
      return monday + floorTo(day - monday, 7n * DAY_MICROS);
    }
    case 'month':
      return midnight(year, month, 1);
    case 'year':
      return midnight(year, 1, 1);
    default: {
      const unreachable: never = unit;
      throw new TypeError(`unit ${unreachable}`);
    }
  }
}

/** Where `last@<count><unit>` begins. */
export function startOfLast(count: number, unit: Unit, nowSecond: bigint): bigint {
  const day = floorTo(nowSecond, DAY_MICROS);
  const n = BigInt(count);
  switch (unit) {
    case 'second':
      return nowSecond - n * SECOND_MICROS;
    case 'minute':
      return floorTo(nowSecond, MINUTE_MICROS) - n * MINUTE_MICROS;
    case 'hour':
      return floorTo(nowSecond, HOUR_MICROS) - n * HOUR_MICROS;
    case 'day':
      return day - n * DAY_MICROS;
    case 'week':
      return day - 7n * n * DAY_MICROS;
    case 'month':
      return monthsBefore(day, count);
    case 'year':
      return monthsBefore(day, 12 * count);
    default: {
      const unreachable: never = unit;
      throw new TypeError(`unit ${unreachable}`);
    }
  }
}
