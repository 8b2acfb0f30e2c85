import { element, svgElement } from '../page/elements.js';
import { formatMs, formatSeconds } from '../time/format-time.js';
import { formatValue, timeAxis, valueAxis } from './axes.js';
import { niceMaximum } from './buckets.js';
import { followKeys, followPointer } from './choose-range.js';
import { legend, PARTS } from './histogram-legend.js';

/** @import { Severity } from '../severity/severity.js' */
/** @import { Zone } from '../time/format-time.js' */

/** What a part of a bar stands for. @typedef {Severity | 'none'} Part */
/** A bar: how many entries it stands for, and of those each severity. @typedef {{ readonly startMs: number, readonly entries: number, readonly parts: Readonly<Partial<Record<Part, number>>> }} Bucket */

/**
 * @typedef {object} HistogramData
 * @property {string} source
 * @property {string} about Which of the source's entries are drawn.
 * @property {readonly Bucket[]} buckets Those that have entries.
 * @property {number} widthMs Of one bucket.
 * @property {number} startMs
 * @property {number} endMs
 * @property {Zone} zone
 */

const HEIGHT = 96;
const FRAME = { left: 46, top: 8, right: 8, bottom: 20 };

/**
 * Draws how many entries of which severity there are over time. A click or a tap takes one bar; dragging, or the arrow keys and
 * Enter, several.
 *
 * @param {HTMLElement} host
 * @param {HistogramData} data
 * @param {{ readonly zoom: (startMs: number, endMs: number) => void, readonly zoomOut: (() => void) | null }} acts
 */
export function showHistogram(host, data, { zoom, zoomOut }) {
  const { buckets, widthMs, zone } = data;
  const startMs = Math.floor(data.startMs / widthMs) * widthMs;
  const endMs = Math.max(startMs + widthMs, Math.ceil(data.endMs / widthMs) * widthMs);
  const count = Math.round((endMs - startMs) / widthMs);
  const width = Math.max(240, host.clientWidth - 16);
  const frame = {
    left: FRAME.left,
    top: FRAME.top,
    width: width - FRAME.left - FRAME.right,
    height: HEIGHT - FRAME.top - FRAME.bottom,
  };
  const maximum = niceMaximum(Math.max(0, ...buckets.map(({ entries }) => entries)));
  const xOf = (/** @type {number} */ index) => frame.left + (index / count) * frame.width;
  const byIndex = new Map(buckets.map((one) => [Math.round((one.startMs - startMs) / widthMs), one]));
  const barWidth = Math.max(1, frame.width / count - (frame.width / count > 4 ? 1 : 0));
  const bars = [...byIndex].flatMap(([index, bucket]) => stack(bucket, xOf(index), barWidth, maximum, frame));
  const chosen = svgElement('rect', { class: 'chosen', y: frame.top, height: frame.height, width: 0, x: 0 });
  const drawing = svgElement(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, 'aria-hidden': 'true' },
    valueAxis(maximum, frame, true),
    ...bars,
    chosen,
    timeAxis(startMs, endMs, frame, zone),
  );
  const whole = sum(buckets);
  const rest = `${formatValue(whole.entries)} ${whole.entries === 1 ? 'entry' : 'entries'}, ${formatSeconds(widthMs / 1000)} a bar`;
  const readout = element('span', { class: 'readout', role: 'status' }, rest);
  const keys = legend(whole.parts);
  const field = element(
    'div',
    {
      class: 'drawing',
      tabindex: '0',
      role: 'group',
      'aria-label':
        'Choose a part of the time: arrow keys move, Shift widens, Enter zooms in, minus zooms out',
    },
    drawing,
  );
  const caption = element(
    'p',
    { class: 'caption' },
    element('strong', {}, data.source),
    ' ',
    element('span', { class: 'about' }, data.about),
    ' ',
    keys.legend,
    ' ',
    readout,
    ' ',
    zoomOut !== null &&
      element('button', { type: 'button', class: 'quiet zoom-out', onclick: zoomOut }, 'Zoom out'),
  );
  host.replaceChildren(caption, field);

  /** @type {[number, number] | null} The first and the last chosen bar. */
  let range = null;
  const show = (/** @type {[number, number] | null} */ next) => {
    range = next;
    const [from, to] = next === null ? [0, -1] : [Math.min(...next), Math.max(...next)];
    chosen.setAttribute('x', String(xOf(from)));
    chosen.setAttribute('width', String(xOf(to + 1) - xOf(from)));
    if (next === null) {
      readout.textContent = rest;
      keys.show(whole.parts);
      return;
    }
    const inside = [...byIndex].filter(([index]) => index >= from && index <= to).map(([, one]) => one);
    const { entries, parts } = sum(inside);
    const ends = /** @type {const} */ ([startMs + from * widthMs, startMs + (to + 1) * widthMs]);
    readout.textContent = `${rangeText(ends, widthMs, zone)}: ${formatValue(entries)}`;
    keys.show(parts);
  };
  const finish = () => {
    if (range === null) return;
    const [from, to] = [Math.min(...range), Math.max(...range)];
    zoom(startMs + from * widthMs, startMs + (to + 1) * widthMs);
  };
  const indexAt = (/** @type {number} */ x) =>
    Math.min(count - 1, Math.max(0, Math.floor(((x - frame.left) / frame.width) * count)));
  followPointer(field, drawing, indexAt, show, finish);
  followKeys(field, count, { current: () => range, show, finish, zoomOut });
}

/** From one time to another, as short as it can be read: `01-31 04:45 – 05:00`. @param {readonly [number, number]} ends @param {number} widthMs @param {Zone} zone */
function rangeText(ends, widthMs, zone) {
  const [start, end] = /** @type {[string, string]} */ (
    ends.map((ms) => formatMs(ms, zone, widthMs < 60_000 ? 19 : 16).slice('2026-'.length))
  );
  const day = '01-31 '.length;
  return `${start} – ${start.slice(0, day) === end.slice(0, day) ? end.slice(day) : end}`;
}

/** A bar's parts, one upon the other. @param {Bucket} bucket @param {number} x @param {number} width @param {number} maximum @param {import('./axes.js').Frame} frame */
function stack({ entries, parts }, x, width, maximum, frame) {
  // Each part is seen, however few entries it stands for.
  const total = Math.max(1, (entries / maximum) * frame.height);
  const shown = PARTS.flatMap((part) => {
    const count = parts[part] ?? 0;
    return count === 0 ? [] : [{ part, height: Math.max(1, (count / entries) * total) }];
  });
  let y = frame.top + frame.height;
  return shown.map(({ part, height }) => {
    y -= height;
    return svgElement('rect', {
      class: `bar-shape part-${part}`,
      x,
      y: Math.max(frame.top, y),
      width,
      height,
    });
  });
}

/** @param {readonly Bucket[]} buckets @returns {Omit<Bucket, 'startMs'>} */
function sum(buckets) {
  /** @type {Partial<Record<Part, number>>} */
  const parts = {};
  let entries = 0;
  for (const bucket of buckets) {
    entries += bucket.entries;
    for (const part of PARTS) parts[part] = (parts[part] ?? 0) + (bucket.parts[part] ?? 0);
  }
  return { entries, parts };
}
