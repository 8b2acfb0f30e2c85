import { isoMicros } from './format-time.js';

/**
 * A window of time: the last so many seconds, from one instant up to but not including another, or all there is.
 *
 * @typedef {{ readonly kind: 'last', readonly seconds: number }
 *   | { readonly kind: 'between', readonly startMs: number, readonly endMs: number }
 *   | { readonly kind: 'all' }} TimeWindow
 */

/** @type {readonly (readonly [string, string])[]} What `last=` says, and how a person reads it. */
export const PRESETS = [
  ['5m', 'Last 5 minutes'],
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['6h', 'Last 6 hours'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];

/** @type {TimeWindow} */
export const DEFAULT_WINDOW = { kind: 'last', seconds: 3600 };

const UNIT_SECONDS = /** @type {const} */ ({ s: 1, m: 60, h: 3600, d: 86_400 });
/** No log is older than the epoch, and no TIMESTAMP later than the year 9999. */
const FIRST_MS = 0;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** `15m` as seconds; null for what is no such text. @param {string} text */
export function parseSpan(text) {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const unitSeconds = Object.entries(UNIT_SECONDS).find(([name]) => name === unit)?.[1];
  return unitSeconds === undefined ? null : Number(count) * unitSeconds;
}

/** Seconds in the greatest unit that says it whole; 24 hours stay hours. @param {number} seconds */
export function formatSpan(seconds) {
  if (seconds % 86_400 === 0 && seconds > 86_400) return `${seconds / 86_400}d`;
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** The window in an address; null where there is none or a malformed one. @param {URLSearchParams} values @returns {TimeWindow | null} */
export function parseWindow(values) {
  const last = values.get('last');
  if (last === 'all') return { kind: 'all' };
  if (last !== null) {
    const seconds = parseSpan(last);
    return seconds === null ? null : { kind: 'last', seconds };
  }
  return between(Date.parse(values.get('from') ?? ''), Date.parse(values.get('to') ?? ''));
}

/** The window between two instants; null where they are none or not in order. @param {number} startMs @param {number} endMs @returns {TimeWindow | null} */
export function between(startMs, endMs) {
  const isWindow = startMs >= FIRST_MS && startMs < endMs && endMs <= LAST_MS;
  return isWindow ? { kind: 'between', startMs, endMs } : null;
}

/** @param {TimeWindow} window @returns {readonly (readonly [string, string])[]} */
export function formatWindow(window) {
  switch (window.kind) {
    case 'last':
      return [['last', formatSpan(window.seconds)]];
    case 'between':
      return [
        ['from', new Date(window.startMs).toISOString()],
        ['to', new Date(window.endMs).toISOString()],
      ];
    case 'all':
      return [['last', 'all']];
    default:
      return unreachable(window);
  }
}

/**
 * The window's ends on the time line; null for none. `nowMs` is the service's present.
 *
 * @param {TimeWindow} window
 * @param {number} nowMs
 * @returns {{ readonly startMs: number, readonly endMs: number } | null}
 */
export function windowRange(window, nowMs) {
  switch (window.kind) {
    case 'last':
      return { startMs: nowMs - window.seconds * 1000, endMs: nowMs };
    case 'between':
      return { startMs: window.startMs, endMs: window.endMs };
    case 'all':
      return null;
    default:
      return unreachable(window);
  }
}

/**
 * The endpoint's bounds for a window. Theirs leave out the start and hold the end, so both lie one microsecond
 * earlier; a window up to the present has no end, for entries that come in while it is read.
 *
 * @param {TimeWindow} window
 * @param {number} nowMs
 * @returns {Record<string, string>}
 */
export function windowBounds(window, nowMs) {
  const range = windowRange(window, nowMs);
  if (range === null) return {};
  const start = isoMicros(BigInt(Math.floor(range.startMs)) * 1000n - 1n);
  if (window.kind === 'last') return { iso_timestamp_start: start };
  return {
    iso_timestamp_start: start,
    iso_timestamp_end: isoMicros(BigInt(Math.ceil(range.endMs)) * 1000n - 1n),
  };
}

/** A window three times as wide with the same middle, where that does not reach into the future. @param {TimeWindow} window @param {number} nowMs @returns {TimeWindow} */
export function widened(window, nowMs) {
  if (window.kind === 'all') return window;
  if (window.kind === 'last') return { kind: 'last', seconds: wholeDays(window.seconds * 3) };
  const widthMs = window.endMs - window.startMs;
  const endMs = Math.max(window.endMs, Math.min(window.endMs + widthMs, Math.floor(nowMs / 1000) * 1000));
  return between(Math.max(FIRST_MS, endMs - 3 * widthMs), endMs) ?? { kind: 'all' };
}

/** Days, of which an address can say a hundred years, where it is more than one. @param {number} seconds */
function wholeDays(seconds) {
  return seconds < DAY ? seconds : Math.min(Math.ceil(seconds / DAY), MOST_DAYS) * DAY;
}

const DAY = 86_400;
const MOST_DAYS = 36_500;

/** @type {readonly (readonly [string, TimeWindow])[]} */
const WIDER = [
  ['Last 24 hours', { kind: 'last', seconds: 86_400 }],
  ['Last 7 days', { kind: 'last', seconds: 604_800 }],
  ['All time', { kind: 'all' }],
];

/** Windows in which there may be more, with what they are called. @param {TimeWindow} window */
export function widerWindows(window) {
  if (window.kind === 'all') return [];
  return WIDER.filter(
    ([, one]) => one.kind !== 'last' || window.kind === 'between' || one.seconds > window.seconds,
  );
}

/** @param {never} window @returns {never} */
function unreachable(window) {
  throw new TypeError(`window ${JSON.stringify(window)}`);
}
