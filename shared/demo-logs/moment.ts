import { floorTo, MICROS_PER_SECOND } from '../time/units.ts';

/** An instant: whole seconds since the epoch and microseconds (0 to 999,999) into that second. */
export interface Moment {
  readonly second: number;
  readonly micro: number;
}

/** From microseconds since the epoch, before 1970 too. */
export function momentOf(micros: bigint): Moment {
  const second = floorTo(micros, MICROS_PER_SECOND);
  return { second: Number(second / MICROS_PER_SECOND), micro: Number(micros - second) };
}

/** The moment some milliseconds (with a fraction, if need be) later. */
export function later(moment: Moment, ms: number): Moment {
  const micros = moment.micro + Math.round(ms * 1000);
  const seconds = Math.floor(micros / 1_000_000);
  return { second: moment.second + seconds, micro: micros - seconds * 1_000_000 };
}

/** Negative when the first comes first, for Array.sort. */
export function compareMoments(a: Moment, b: Moment): number {
  return a.second - b.second || a.micro - b.micro;
}

/** ISO 8601 in UTC with six decimals, as `2026-01-02T03:04:05.000006Z`. */
export function isoOf(moment: Moment): string {
  const seconds = new Date(moment.second * 1000).toISOString().slice(0, -5);
  return `${seconds}.${String(moment.micro).padStart(6, '0')}Z`;
}

/** As PostgreSQL's log prints a time (`%m`): `2026-01-02 03:04:05.006 UTC`. */
export function postgresTimeOf(moment: Moment): string {
  return `${isoOf(moment).slice(0, 23).replace('T', ' ')} UTC`;
}

/** As the `Date` header of HTTP (RFC 9110, 5.6.7). */
export function httpDateOf(moment: Moment): string {
  return new Date(moment.second * 1000).toUTCString();
}
