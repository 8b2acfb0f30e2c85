import { svgElement } from '../page/elements.js';
import { formatMs } from '../time/format-time.js';
import { timeTicks } from './buckets.js';

/** @import { Zone } from '../time/format-time.js' */

/** The inner part of a drawing, in its own units. @typedef {{ readonly left: number, readonly top: number, readonly width: number, readonly height: number }} Frame */

const LABEL_WIDTH = 84;
const CHARACTER_WIDTH = 6.5;
/** How far a label may reach beyond the frame: the margin of drawings. */
const OVERHANG = 8;
const DAY_MS = 86_400_000;

/** The line below a drawing with the times on it. @param {number} startMs @param {number} endMs @param {Frame} frame @param {Zone} zone */
export function timeAxis(startMs, endMs, frame, zone) {
  const offsetMs = zone === 'utc' ? 0 : -new Date(startMs).getTimezoneOffset() * 60_000;
  const { ticks, widthMs } = timeTicks(
    startMs,
    endMs,
    Math.max(2, Math.floor(frame.width / LABEL_WIDTH)),
    offsetMs,
  );
  const bottom = frame.top + frame.height;
  let end = Number.NEGATIVE_INFINITY;
  const labels = ticks.flatMap((at, index) => {
    const x = frame.left + ((at - startMs) / (endMs - startMs)) * frame.width;
    const tick = svgElement('line', { class: 'tick', x1: x, x2: x, y1: bottom, y2: bottom + 4 });
    const hasDay = index === 0 || formatMs(at, zone, 10) !== formatMs(ticks[index - 1] ?? at, zone, 10);
    const text = label(at, widthMs, hasDay, zone);
    const middle = labelMiddle(text, x, frame);
    const half = (text.length * CHARACTER_WIDTH) / 2;
    if (middle - half < end + CHARACTER_WIDTH) return [tick];
    end = middle + half;
    return [tick, svgElement('text', { x: middle, y: bottom + 15, 'text-anchor': 'middle' }, text)];
  });
  const line = svgElement('line', {
    class: 'axis',
    x1: frame.left,
    x2: frame.left + frame.width,
    y1: bottom,
    y2: bottom,
  });
  return svgElement('g', { 'aria-hidden': 'true' }, line, ...labels);
}

/** Where the middle of a label is that stands at `x`: one at either end stays inside of the drawing. @param {string} text @param {number} x @param {Frame} frame */
function labelMiddle(text, x, frame) {
  const half = (text.length * CHARACTER_WIDTH) / 2 - OVERHANG;
  return Math.min(Math.max(x, frame.left + half), frame.left + frame.width - half);
}

/** @param {number} at @param {number} widthMs @param {boolean} hasDay @param {Zone} zone */
function label(at, widthMs, hasDay, zone) {
  if (widthMs >= DAY_MS) return formatMs(at, zone, 10);
  const time = formatMs(at, zone, widthMs < 60_000 ? 19 : 16);
  return hasDay ? time.slice(5) : time.slice(11);
}

/**
 * Lines behind a drawing with the values on them.
 *
 * @param {number} maximum
 * @param {Frame} frame
 * @param {boolean} isCount Whether there is nothing between whole numbers.
 */
export function valueAxis(maximum, frame, isCount) {
  const marks = [0.5, 1].flatMap((share) => {
    if (isCount && !Number.isInteger(maximum * share)) return [];
    const y = frame.top + frame.height * (1 - share);
    return [
      svgElement('line', { class: 'grid', x1: frame.left, x2: frame.left + frame.width, y1: y, y2: y }),
      svgElement('text', { x: frame.left - 6, y: y + 4, 'text-anchor': 'end' }, formatValue(maximum * share)),
    ];
  });
  return svgElement('g', { 'aria-hidden': 'true' }, ...marks);
}

/** A number for people, at most three digits after the point. @param {number} value */
export function formatValue(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 3 : 1 });
}
