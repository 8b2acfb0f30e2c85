import { element, svgElement } from '../page/elements.js';
import { seriesSeverity } from '../severity/severity.js';
import { formatMs } from '../time/format-time.js';
import { formatValue, timeAxis, valueAxis } from './axes.js';
import { niceMaximum } from './buckets.js';

/** @import { Zone } from '../time/format-time.js' */
/** @import { Series } from './series.js' */

const HEIGHT = 200;
const FRAME = { left: 58, top: 10, right: 12, bottom: 22 };
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '12 4', '4 2'];

/**
 * Draws values over time: bars for one series, lines for several. The table below it holds the same numbers.
 *
 * @param {HTMLElement} host
 * @param {Series} data
 * @param {Zone} zone
 */
export function showSeries(host, { timesMs, series }, zone) {
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
  const maximum = niceMaximum(Math.max(0, ...drawn));
  const x = (/** @type {number} */ ms) => frame.left + ((ms - startMs) / (endMs - startMs)) * frame.width;
  const y = (/** @type {number} */ value) => frame.top + frame.height * (1 - Math.max(0, value) / maximum);
  const [only] = series;
  const classes = seriesClasses(series.map(({ name }) => name));
  const shapes =
    series.length === 1 && only !== undefined
      ? timesMs.map((ms, index) =>
          bar(x(ms), y(only.values[index] ?? 0), (step / (endMs - startMs)) * frame.width, frame),
        )
      : series.map(({ values }, index) =>
          line(
            timesMs.map(x),
            values.map((value) => (value === null ? null : y(value))),
            classes[index] ?? '',
            DASHES[index] ?? '',
            (step / (endMs - startMs)) * frame.width,
          ),
        );
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
  const readings = series.map(() => element('span', { class: 'readout' }));
  const legend = element(
    'p',
    { class: 'legend' },
    ...series.map(({ name }, index) =>
      element(
        'span',
        { class: 'key' },
        sample(series.length === 1, classes[index] ?? '', DASHES[index] ?? ''),
        name,
        ' ',
        readings[index],
      ),
    ),
    time,
  );
  host.replaceChildren(legend, drawing);

  drawing.addEventListener('pointermove', (event) => {
    const at = event.clientX - drawing.getBoundingClientRect().left;
    const nearest = timesMs.reduce(
      (best, ms, index) => (Math.abs(x(ms) - at) < Math.abs(x(timesMs[best] ?? 0) - at) ? index : best),
      0,
    );
    const ms = timesMs[nearest] ?? 0;
    cursor.setAttribute('x1', String(x(ms)));
    cursor.setAttribute('x2', String(x(ms)));
    time.textContent = formatMs(ms, zone, 19);
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

/** @param {number} center @param {number} top @param {number} room @param {import('./axes.js').Frame} frame */
function bar(center, top, room, frame) {
  const width = Math.max(1, room > 4 ? room - 1 : room);
  return svgElement('rect', {
    class: 'bar-shape',
    x: center - width / 2,
    y: top,
    width,
    height: Math.max(0, frame.top + frame.height - top),
  });
}

/**
 * The class of each series: that of a severity where the name says one that no other series has, else one of the colours that
 * stand for no severity.
 *
 * @param {readonly string[]} names
 */
function seriesClasses(names) {
  const severities = names.map(seriesSeverity);
  let plain = 0;
  return severities.map((severity, index) => {
    const isOwn = severity !== null && severities.indexOf(severity) === index;
    return isOwn ? `series severity-${severity}` : `series series-${++plain}`;
  });
}

/** A line that breaks where buckets are missing: nothing was there, which is not the mean of its neighbours. @param {readonly number[]} xs @param {readonly (number | null)[]} ys @param {string} kind Its class. @param {string} dashes @param {number} room */
function line(xs, ys, kind, dashes, room) {
  let path = '';
  let before = Number.NEGATIVE_INFINITY;
  xs.forEach((x, at) => {
    const y = ys[at] ?? null;
    if (y === null) return;
    path += `${x - before > room * 1.5 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    before = x;
  });
  const dots = xs.flatMap((x, at) => {
    const y = ys[at] ?? null;
    return y === null ? [] : [svgElement('circle', { cx: x, cy: y, r: 1.6 })];
  });
  return svgElement(
    'g',
    { class: kind },
    svgElement('path', { d: path, 'stroke-dasharray': dashes }),
    ...dots,
  );
}

/** @param {boolean} isBar @param {string} kind @param {string} dashes */
function sample(isBar, kind, dashes) {
  const mark = isBar
    ? svgElement('rect', { class: 'bar-shape', x: 6, y: 2, width: 10, height: 8 })
    : svgElement('path', { d: 'M0 6H22', 'stroke-dasharray': dashes });
  return svgElement('svg', { class: kind, width: 22, height: 12, 'aria-hidden': 'true' }, mark);
}
