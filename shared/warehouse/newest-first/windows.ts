import { MICROS_PER_DAY, MICROS_PER_HOUR } from '../../time/units.ts';

/** How far back the windows reach, each wider than the one before, in microseconds; after the last lies everything. */
export const WINDOW_MICROS: readonly bigint[] = [
  MICROS_PER_HOUR,
  MICROS_PER_DAY,
  7n * MICROS_PER_DAY,
  30n * MICROS_PER_DAY,
  365n * MICROS_PER_DAY,
];

/** The position after the last window: everything. */
export const EVERYTHING = WINDOW_MICROS.length;

/**
 * The window to read after one that read `readBytes` and was not enough, by what each would read (`estimates`, the
 * last for everything): the widest that reads no more than twice as much, or else the next, but everything as soon as
 * that is less than twice as much. What one window reads is thus more than double within two steps, and all the tries
 * before everything read less than twice what everything does.
 */
export function nextWindow(tried: number, readBytes: number, estimates: readonly number[]): number {
  const bytesOf = (window: number) => estimates[window] ?? 0;
  let next = tried + 1;
  while (next < EVERYTHING && bytesOf(next + 1) <= 2 * readBytes) next++;
  return next < EVERYTHING && 2 * bytesOf(next) <= bytesOf(EVERYTHING) ? next : EVERYTHING;
}
