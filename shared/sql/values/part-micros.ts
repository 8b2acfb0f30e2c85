import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
} from '../../time/units.ts';

/** Microseconds in the parts of fixed length. */
export const PART_MICROS: Readonly<Record<string, bigint>> = {
  MICROSECOND: 1n,
  MILLISECOND: MICROS_PER_MS,
  SECOND: MICROS_PER_SECOND,
  MINUTE: MICROS_PER_MINUTE,
  HOUR: MICROS_PER_HOUR,
  DAY: MICROS_PER_DAY,
};
