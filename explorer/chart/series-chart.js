import { element, svgElement } from '../page/elements.js';
import { formatMs } from '../time/format-time.js';
import { formatValue, timeAxis, valueAxis } from './axes.js';
import { niceMaximum } from './buckets.js';
import { totalOf } from './series.js';
import { seriesClasses } from './series-classes.js';
import { barGroups, line, sample } from './series-shapes.js';

/** @import { Zone } from '../time/format-time.js' */
/** @import { Series } from './series.js' */

const HEIGHT = 200;
const FRAME = { left: 58, top: 10, right: 12, bottom: 22 };
const LEAST_CHARACTERS = 5;
/** Of a year and the sign after it, which the axis and the rows say. */
const YEAR_CHARACTERS = 5;
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '12 4', '4 2'];

/** How values over time are drawn. @typedef {'lines' | 'bars' | 'stacked'} ChartKind */

/** What can be chosen, and how it is called. @type {readonly (readonly [ChartKind, string])[]} */
export const CHART_KINDS = [
  ['lines', 'Lines'],
  ['bars', 'Bars'],
  ['stacked', 'Stacked bars'],
];

/** What shows a result best unless somebody chose: counts that go with each other add up. @param {Series} data @returns {ChartKind} */
export function bestKind({ series }) {
  return series.length === 1 ? 'bars' : 'lines';
}

/**
 * Draws values over time. The table below it holds the same numbers.
 *
 * @param {HTMLElement} host
 * @param {Series} data
 * @param {{ readonly zone: Zone, readonly kind: ChartKind, readonly chooser: HTMLElement }} look
 */
export function showSeries(host, { timesMs, series }, { zone, kind, chooser }) {
  const width = Math.max(240, host.clientWidth - 16);
  const frame = {
    left: FRAME.left,
    top: FRAME.top,
    width: width - FRAME.left - FRAME.right,
    height: HEIGHT - FRAME.top - FRAME.bottom,
  };
  const step = smallestStep(timesMs);
  const startMs = (timesMs[0] ?? 0) - step / 2;
  const endMs = (timesMs.at(-1) ?? 0) + step / 2;
  const drawn = series.flatMap(({ values }) => values.map((value) => value ?? 0));
  const heights =
    kind === 'stacked' ? timesMs.map((_, at) => totalOf(series.map(({ values }) => values[at] ?? 0))) : drawn;
  const maximum = niceMaximum(Math.max(0, ...heights));
  const x = (/** @type {number} */ ms) => frame.left + ((ms - startMs) / (endMs - startMs)) * frame.width;
  const y = (/** @type {number} */ value) => frame.top + frame.height * (1 - Math.max(0, value) / maximum);
  const classes = seriesClasses(series.map(({ name }) => name));
  const room = (step / (endMs - startMs)) * frame.width;
  const shapes =
    kind === 'lines'
      ? series.map(({ values }, index) =>
          line(
            timesMs.map(x),
            values.map((value) => (value === null ? null : y(value))),
            classes[index] ?? '',
            DASHES[index] ?? '',
            room,
          ),
        )
      : barGroups({ timesMs, series }, classes, { x, y, room, isStacked: kind === 'stacked' });
  const cursor = svgElement('line', {
    class: 'cursor',
    y1: frame.top,
    y2: frame.top + frame.height,
    x1: -1,
    x2: -1,
  });
  const drawing = svgElement(
    'svg',
    {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      width,
      height: HEIGHT,
      role: 'img',
      'aria-label': `${series.map(({ name }) => name).join(', ')} over time; the table below holds the values`,
    },
    valueAxis(maximum, frame, drawn.every(Number.isInteger)),
    ...shapes,
    cursor,
    timeAxis(startMs, endMs, frame, zone),
  );
  const time = element('span', { class: 'readout' });
  const totals = series.map(({ values }) => formatValue(totalOf(values)));
  const readings = totals.map((total) => {
    const reading = element('span', { class: 'readout', title: 'total' }, total);
    // Single values are no wider, so that nothing moves below the pointer.
    reading.style.minWidth = `${Math.max(LEAST_CHARACTERS, total.length)}ch`;
    return reading;
  });
  const legend = element(
    'p',
    { class: 'legend' },
    ...series.map(({ name }, index) =>
      element(
        'span',
        { class: 'key' },
        sample(kind !== 'lines', classes[index] ?? '', DASHES[index] ?? ''),
        name,
        ' ',
        readings[index],
      ),
    ),
    element('span', { class: 'legend-end' }, time, chooser),
  );
  host.replaceChildren(legend, drawing);

  drawing.addEventListener('pointerleave', () => {
    cursor.setAttribute('x1', '-1');
    cursor.setAttribute('x2', '-1');
    time.textContent = '';
    for (const [index, reading] of readings.entries()) reading.replaceChildren(totals[index] ?? '');
  });
  drawing.addEventListener('pointermove', (event) => {
    const at = event.clientX - drawing.getBoundingClientRect().left;
    const nearest = timesMs.reduce(
      (best, ms, index) => (Math.abs(x(ms) - at) < Math.abs(x(timesMs[best] ?? 0) - at) ? index : best),
      0,
    );
    const ms = timesMs[nearest] ?? 0;
    cursor.setAttribute('x1', String(x(ms)));
    cursor.setAttribute('x2', String(x(ms)));
    time.textContent = formatMs(ms, zone, 19).slice(YEAR_CHARACTERS);
    series.forEach(({ values }, index) => {
      const value = values[nearest] ?? null;
      readings[index]?.replaceChildren(value === null ? '–' : formatValue(value));
    });
  });
}

/** @param {readonly number[]} timesMs In order. */
function smallestStep(timesMs) {
  const steps = timesMs.slice(1).map((ms, index) => ms - (timesMs[index] ?? ms));
  return Math.max(1, Math.min(...steps));
}
