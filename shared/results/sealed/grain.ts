import { floorTo } from '../../time/units.ts';

/** The number of the grain that an instant lies in; grain 0 begins with the epoch. */
export function grainOf(micros: bigint, lengthMicros: bigint): number {
  return Number(floorTo(micros, lengthMicros) / lengthMicros);
}

/** The first grain that begins at an instant or later. */
export function grainFrom(micros: bigint, lengthMicros: bigint): number {
  return grainOf(micros - 1n, lengthMicros) + 1;
}
