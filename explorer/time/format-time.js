/** @typedef {'utc' | 'local'} Zone */

/** ISO 8601 in UTC with six digits. @param {bigint} micros Since the epoch. */
export function isoMicros(micros) {
  const seconds = micros >= 0n ? micros / 1_000_000n : (micros - 999_999n) / 1_000_000n;
  const fraction = String(micros - seconds * 1_000_000n).padStart(6, '0');
  const date = new Date(Number(seconds) * 1000);
  return `${date.toISOString().slice(0, 19)}.${fraction}Z`;
}

/**
 * An instant as a wire value (a number, or a string of digits) in microseconds; null for what is none.
 *
 * @param {unknown} value
 */
export function toMicros(value) {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && /^-?\d{1,18}$/.test(value) ? BigInt(value) : null;
}

/** `2026-01-02 03:04:05.123` in a zone. @param {bigint} micros @param {Zone} zone */
export function formatMicros(micros, zone) {
  const ms = Number(micros >= 0n ? micros / 1000n : (micros - 999n) / 1000n);
  return formatMs(ms, zone, 23);
}

/**
 * An instant in a zone, cut to so many characters: 10 the day, 16 the minute, 19 the second, 23 the millisecond.
 *
 * @param {number} ms
 * @param {Zone} zone
 * @param {number} length
 */
export function formatMs(ms, zone, length) {
  const shown = zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(shown).toISOString().replace('T', ' ').slice(0, length);
}

/** An instant as people write it, to the millisecond where it has any. @param {number} ms @param {Zone} zone */
export function inputValue(ms, zone) {
  return formatMs(ms, zone, ms % 1000 === 0 ? 19 : 23);
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?))?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** What people write for an instant, as one: ISO 8601 in 24 hours, a day by itself its beginning, in the zone unless it says another; NaN for anything else. @param {string} text @param {Zone} zone */
export function parseInput(text, zone) {
  const [, day, time = '00:00', offset = ''] = WRITTEN.exec(text.trim()) ?? [];
  if (day === undefined) return Number.NaN;
  const suffix = offset !== '' ? offset.toUpperCase() : zone === 'utc' ? 'Z' : '';
  return Date.parse(`${day}T${time}${suffix}`);
}

/** A length of time for people: `34 ms`, `1.2 s`. @param {number} ms */
export function formatDuration(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Seconds in the two greatest units that matter: `45 s`, `12 min`, `3 h`. @param {number} seconds */
export function formatSeconds(seconds) {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
