import { svgElement } from '../page/elements.js';

/** @import { Series } from './series.js' */

/** Bars of each time: one upon the other, or side by side. @param {Pick<Series, 'timesMs' | 'series'>} data @param {readonly string[]} classes @param {{ readonly x: (ms: number) => number, readonly y: (value: number) => number, readonly room: number, readonly isStacked: boolean }} scale */
export function barGroups({ timesMs, series }, classes, { x, y, room, isStacked }) {
  const whole = Math.max(1, room > 4 ? room - 1 : room);
  const width = isStacked ? whole : Math.max(0.5, whole / series.length);
  const sums = timesMs.map(() => 0);
  return series.map(({ values }, index) => {
    const bars = timesMs.flatMap((ms, at) => {
      const value = values[at] ?? null;
      if (value === null || value <= 0) return [];
      const base = isStacked ? (sums[at] ?? 0) : 0;
      if (isStacked) sums[at] = base + value;
      const [top, bottom] = [y(base + value), y(base)];
      const left = x(ms) - whole / 2 + (isStacked ? 0 : index * width);
      return [
        svgElement('rect', {
          class: 'series-bar',
          x: left,
          y: top,
          width,
          height: Math.max(0, bottom - top),
        }),
      ];
    });
    return svgElement('g', { class: classes[index] ?? '' }, ...bars);
  });
}

/** A line that breaks where buckets are missing: nothing was there, which is not the mean of its neighbours. @param {readonly number[]} xs @param {readonly (number | null)[]} ys @param {string} kind Its class. @param {string} dashes @param {number} room */
export function line(xs, ys, kind, dashes, room) {
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

/** What stands for a series in the legend. @param {boolean} isBar @param {string} kind @param {string} dashes */
export function sample(isBar, kind, dashes) {
  const mark = isBar
    ? svgElement('rect', { class: 'series-bar', x: 6, y: 2, width: 10, height: 8 })
    : svgElement('path', { d: 'M0 6H22', 'stroke-dasharray': dashes });
  return svgElement('svg', { class: kind, width: 22, height: 12, 'aria-hidden': 'true' }, mark);
}
