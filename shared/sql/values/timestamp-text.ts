import { fractionDigits, isoSeconds } from '../../time/iso-timestamp.ts';

/** Microseconds since 1970-01-01 00:00:00 on the same clock as GoogleSQL writes them: `2026-01-02 03:04:05.000006`. */
export function datetimeText(micros: bigint): string {
  return `${isoSeconds(micros).replace('T', ' ')}.${fractionDigits(micros)}`;
}

/** An instant in microseconds since the epoch as GoogleSQL writes it: `2026-01-02 03:04:05.000006+00:00`. */
export function timestampText(micros: bigint): string {
  return `${datetimeText(micros)}+00:00`;
}
