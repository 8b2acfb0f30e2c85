import { MICROS_PER_DAY } from '../../sql/values/civil-time.ts';

/** How far back the windows reach, each wider than the one before, in microseconds; behind the last lies everything. */
export const WINDOW_MICROS: readonly bigint[] = [
  MICROS_PER_DAY / 24n,
  MICROS_PER_DAY,
  7n * MICROS_PER_DAY,
  30n * MICROS_PER_DAY,
  365n * MICROS_PER_DAY,
];

/** The position behind the last window: everything. */
export const EVERYTHING = WINDOW_MICROS.length;

/**
 * The window to read behind one that read `readBytes` and was not enough, by what each would read (`estimates`, the
 * last for everything). A window is worth its try when it reads twice as much as the one before and at most half of
 * everything: so all tries together read at most as much as everything does.
 */
export function nextWindow(tried: number, readBytes: number, estimates: readonly number[]): number {
  const everything = estimates[EVERYTHING] ?? 0;
  for (let window = tried + 1; window < EVERYTHING; window++) {
    const bytes = estimates[window] ?? 0;
    if (2 * bytes > everything) return EVERYTHING;
    if (bytes >= 2 * readBytes) return window;
  }
  return EVERYTHING;
}
