import { element, svgElement } from '../page/elements.js';
import { seriesSeverity } from '../severity/severity.js';
import { formatValue } from './axes.js';

/** @import { Categories } from './series.js' */

const ROW_HEIGHT = 20;
const LABEL_SHARE = 0.3;
const CHARACTER_WIDTH = 6.6;
const MAX_LABEL_CHARACTERS = 40;
const VALUE_WIDTH = 72;

/**
 * Draws a bar for each category, one below the other in the order of the rows. The table below it holds the same numbers.
 *
 * @param {HTMLElement} host
 * @param {Categories} data
 */
export function showCategories(host, { name, values }) {
  const width = Math.max(240, host.clientWidth - 16);
  const labels = values.map(({ category }) =>
    category.length > MAX_LABEL_CHARACTERS ? `${category.slice(0, MAX_LABEL_CHARACTERS)}…` : category,
  );
  const longest = Math.max(...labels.map(({ length }) => length)) * CHARACTER_WIDTH + 16;
  const left = Math.min(longest, 280, Math.max(96, width * LABEL_SHARE));
  const room = width - left - VALUE_WIDTH;
  const maximum = Math.max(...values.map(({ value }) => value ?? 0), Number.MIN_VALUE);
  const total = values.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const bars = values.flatMap(({ category, value }, index) => {
    const y = index * ROW_HEIGHT;
    const severity = severityOfCategory(category);
    return [
      svgElement('text', { x: left - 8, y: y + 14, 'text-anchor': 'end' }, labels[index]),
      svgElement('rect', {
        class: severity === null ? 'bar-shape' : `bar-shape part-${severity}`,
        x: left,
        y: y + 3,
        width: value === null ? 0 : Math.max(1, (value / maximum) * room),
        height: ROW_HEIGHT - 6,
      }),
      svgElement(
        'text',
        { x: left + ((value ?? 0) / maximum) * room + 6, y: y + 14 },
        value === null ? '–' : formatValue(value),
      ),
    ];
  });
  const height = values.length * ROW_HEIGHT + 4;
  host.replaceChildren(
    element(
      'p',
      { class: 'legend' },
      element('span', { class: 'key' }, name),
      ` total ${formatValue(total)}`,
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
      ...bars,
    ),
  );
}

/** What a category says of severity where it is a level or a status code, and nothing else. @param {string} category */
function severityOfCategory(category) {
  return /^(?:[1-5]\d\d|[1-5]xx|fatal|panic|critical|error|warning|warn|info|debug|failed)$/i.test(category)
    ? seriesSeverity(category)
    : null;
}
