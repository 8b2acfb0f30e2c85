import { floorTo, MICROS_PER_DAY, MICROS_PER_HOUR } from '../../time/units.ts';

/** The spans that time is cut into, in UTC, with their lengths in microseconds. */
export const GRAINS = { hour: MICROS_PER_HOUR, day: MICROS_PER_DAY } as const;

export type Grain = keyof typeof GRAINS;

/** The number of the grain that an instant lies in; grain 0 begins with the epoch. */
export function grainOf(micros: bigint, lengthMicros: bigint): number {
  return Number(floorTo(micros, lengthMicros) / lengthMicros);
}

/** The first grain that begins at an instant or later. */
export function grainFrom(micros: bigint, lengthMicros: bigint): number {
  return grainOf(micros - 1n, lengthMicros) + 1;
}
