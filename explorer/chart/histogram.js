import { element, svgElement } from '../page/elements.js';
import { formatMs, formatSeconds } from '../time/format-time.js';
import { formatValue, timeAxis, valueAxis } from './axes.js';
import { niceMaximum } from './buckets.js';

/** @import { Zone } from '../time/format-time.js' */

/**
 * @typedef {object} HistogramData
 * @property {string} source
 * @property {string} about Which of the source's entries are drawn.
 * @property {readonly { readonly startMs: number, readonly entries: number }[]} buckets Those that have entries.
 * @property {number} widthMs Of one bucket.
 * @property {number} startMs
 * @property {number} endMs
 * @property {Zone} zone
 */

const HEIGHT = 96;
const FRAME = { left: 46, top: 8, right: 8, bottom: 20 };
/** A press that moved less than this is a click. */
const MIN_DRAG_PIXELS = 4;

/**
 * Draws how many entries there are over time. Dragging, or the arrow keys and Enter, choose a part of it.
 *
 * @param {HTMLElement} host
 * @param {HistogramData} data
 * @param {(startMs: number, endMs: number) => void} zoom
 */
export function showHistogram(host, data, zoom) {
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
  const byIndex = new Map(
    buckets.map((bucket) => [Math.round((bucket.startMs - startMs) / widthMs), bucket.entries]),
  );

  const bars = [...byIndex].map(([index, entries]) => {
    const height = Math.max(1, (entries / maximum) * frame.height);
    const barWidth = Math.max(1, frame.width / count - (frame.width / count > 4 ? 1 : 0));
    return svgElement('rect', {
      class: 'bar-shape',
      x: xOf(index),
      y: frame.top + frame.height - height,
      width: barWidth,
      height,
    });
  });
  const chosen = svgElement('rect', { class: 'chosen', y: frame.top, height: frame.height, width: 0, x: 0 });
  const drawing = svgElement(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, 'aria-hidden': 'true' },
    valueAxis(maximum, frame, true),
    ...bars,
    chosen,
    timeAxis(startMs, endMs, frame, zone),
  );
  const total = buckets.reduce((sum, { entries }) => sum + entries, 0);
  const rest = `${formatValue(total)} ${total === 1 ? 'entry' : 'entries'}, ${formatSeconds(widthMs / 1000)} a bar`;
  const readout = element('span', { class: 'readout', role: 'status' }, rest);
  const field = element(
    'div',
    {
      class: 'drawing',
      tabindex: '0',
      role: 'group',
      'aria-label': 'Choose a part of the time: arrow keys move, Shift widens, Enter zooms in',
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
    readout,
    ' ',
    element('span', { class: 'note' }, 'Drag to zoom in'),
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
      return;
    }
    let entries = 0;
    for (let index = from; index <= to; index++) entries += byIndex.get(index) ?? 0;
    const span = [startMs + from * widthMs, startMs + (to + 1) * widthMs].map((ms) => formatMs(ms, zone, 19));
    readout.textContent = `${span[0]} – ${span[1]?.slice(span[0]?.slice(0, 10) === span[1].slice(0, 10) ? 11 : 0)}: ${formatValue(entries)}`;
  };
  const finish = () => {
    if (range === null) return;
    const [from, to] = [Math.min(...range), Math.max(...range)];
    zoom(startMs + from * widthMs, startMs + (to + 1) * widthMs);
  };
  followPointer(
    field,
    drawing,
    (x) => Math.min(count - 1, Math.max(0, Math.floor(((x - frame.left) / frame.width) * count))),
    show,
    finish,
  );
  followKeys(field, count, () => range, show, finish);
}

/**
 * @param {HTMLElement} field
 * @param {SVGSVGElement} drawing
 * @param {(x: number) => number} indexAt
 * @param {(range: [number, number] | null) => void} show
 * @param {() => void} finish
 */
function followPointer(field, drawing, indexAt, show, finish) {
  /** @type {number | null} */
  let pressedAt = null;
  const x = (/** @type {PointerEvent} */ event) => event.clientX - drawing.getBoundingClientRect().left;
  field.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pressedAt = x(event);
    field.setPointerCapture(event.pointerId);
    show([indexAt(pressedAt), indexAt(pressedAt)]);
  });
  field.addEventListener('pointermove', (event) => {
    const at = x(event);
    show([indexAt(pressedAt ?? at), indexAt(at)]);
  });
  field.addEventListener('pointerup', (event) => {
    const isDrag = pressedAt !== null && Math.abs(x(event) - pressedAt) >= MIN_DRAG_PIXELS;
    pressedAt = null;
    if (isDrag) finish();
  });
  field.addEventListener('pointercancel', () => {
    pressedAt = null;
    show(null);
  });
  field.addEventListener('pointerleave', () => pressedAt === null && show(null));
}

/**
 * @param {HTMLElement} field
 * @param {number} count
 * @param {() => [number, number] | null} current
 * @param {(range: [number, number] | null) => void} show
 * @param {() => void} finish
 */
function followKeys(field, count, current, show, finish) {
  field.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const range = current();
    if (step !== undefined) {
      const [anchor, end] = range ?? [step > 0 ? -1 : count, step > 0 ? -1 : count];
      const next = Math.min(count - 1, Math.max(0, end + step));
      show(event.shiftKey && range !== null ? [anchor, next] : [next, next]);
    } else if (event.key === 'Enter' && range !== null) finish();
    else if (event.key === 'Escape' && range !== null) show(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  field.addEventListener('blur', () => show(null));
}
