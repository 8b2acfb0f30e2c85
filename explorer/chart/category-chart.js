import { element, svgElement } from '../page/elements.js';
import { formatValue } from './axes.js';
import { categoryBars } from './category-bars.js';
import { categoryColumns } from './category-columns.js';
import { totalOf } from './series.js';

/** @import { Categories } from './series.js' */

/** How values of categories are drawn. @typedef {'bars' | 'columns' | 'shares'} CategoryKind */

/** What can be chosen, and how it is called. @type {readonly (readonly [CategoryKind, string])[]} */
export const CATEGORY_KINDS = [
  ['bars', 'Bars'],
  ['columns', 'Columns'],
  ['shares', 'Shares of the total'],
];

/**
 * Draws a number for each category. The table below it holds the same numbers.
 *
 * @param {HTMLElement} host
 * @param {Categories} data
 * @param {{ readonly kind: CategoryKind, readonly chooser: HTMLElement }} look
 */
export function showCategories(host, { name, values }, { kind, chooser }) {
  const width = Math.max(240, host.clientWidth - 16);
  const total = totalOf(values.map(({ value }) => value));
  const { shapes, height } =
    kind === 'columns'
      ? categoryColumns(values, width)
      : categoryBars(values, width, { isShare: kind === 'shares' && total > 0, total });
  host.replaceChildren(
    element(
      'p',
      { class: 'legend' },
      element(
        'span',
        { class: 'key' },
        `${name} total `,
        element('span', { class: 'readout' }, formatValue(total)),
      ),
      element('span', { class: 'legend-end' }, chooser),
    ),
    svgElement(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        role: 'img',
        'aria-label': `${name} of ${values.length} categories; the table below holds the values`,
      },
      ...shapes,
    ),
  );
}
