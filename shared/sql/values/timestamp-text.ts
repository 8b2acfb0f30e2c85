import { MICROS_PER_SECOND } from './civil-time.ts';

/** An instant in microseconds since the epoch as GoogleSQL writes it: `2026-01-02 03:04:05.000006+00:00`. */
export function timestampText(micros: bigint): string {
  const remainder = micros % MICROS_PER_SECOND;
  const fraction = remainder < 0n ? remainder + MICROS_PER_SECOND : remainder;
  const seconds = (micros - fraction) / MICROS_PER_SECOND;
  const text = new Date(Number(seconds) * 1000).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}.${String(fraction).padStart(6, '0')}+00:00`;
}
