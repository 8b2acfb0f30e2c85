import { MICROS_PER_DAY } from '../../sql/values/civil-time.ts';

/** The spans that time is cut into, in UTC, with their lengths in microseconds. */
export const GRAINS = { hour: MICROS_PER_DAY / 24n, day: MICROS_PER_DAY } as const;

export type Grain = keyof typeof GRAINS;

/** The number of the grain that an instant lies in; grain 0 begins with the epoch. */
export function grainOf(micros: bigint, lengthMicros: bigint): number {
  const quotient = micros / lengthMicros;
  return Number(micros % lengthMicros < 0n ? quotient - 1n : quotient);
}

/** The first grain that begins at an instant or later. */
export function grainFrom(micros: bigint, lengthMicros: bigint): number {
  return grainOf(micros - 1n, lengthMicros) + 1;
}
