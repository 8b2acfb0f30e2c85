import { svgElement } from '../page/elements.js';
import { formatValue } from './axes.js';
import { clipLabel, severityOfCategory } from './category-labels.js';

/** @import { Categories } from './series.js' */

const ROW_HEIGHT = 20;
const LABEL_SHARE = 0.3;
const CHARACTER_WIDTH = 6.6;
const MAX_LABEL_CHARACTERS = 40;
const VALUE_WIDTH = 72;
const SHARE_WIDTH = 120;

/**
 * A bar for each category, one below the other in the order of the rows: as long as its value, or as its share of the total, which
 * stands beside it then.
 *
 * @param {Categories['values']} values
 * @param {number} width
 * @param {{ readonly isShare: boolean, readonly total: number }} kind
 */
export function categoryBars(values, width, { isShare, total }) {
  const labels = values.map(({ category }) => clipLabel(category, MAX_LABEL_CHARACTERS));
  const longest = Math.max(...labels.map(({ length }) => length)) * CHARACTER_WIDTH + 16;
  const left = Math.min(longest, 280, Math.max(96, width * LABEL_SHARE));
  const room = width - left - (isShare ? SHARE_WIDTH : VALUE_WIDTH);
  const maximum = isShare ? total : Math.max(...values.map(({ value }) => value ?? 0), Number.MIN_VALUE);
  const shapes = values.flatMap(({ category, value }, index) => {
    const y = index * ROW_HEIGHT;
    const severity = severityOfCategory(category);
    const length = ((value ?? 0) / maximum) * room;
    return [
      svgElement(
        'text',
        { x: left - 8, y: y + 14, 'text-anchor': 'end' },
        svgElement('title', {}, category),
        labels[index],
      ),
      svgElement('rect', {
        class: severity === null ? 'bar-shape' : `bar-shape part-${severity}`,
        x: left,
        y: y + 3,
        width: value === null ? 0 : Math.max(1, length),
        height: ROW_HEIGHT - 6,
      }),
      svgElement(
        'text',
        { x: left + length + 6, y: y + 14 },
        isShare ? shareText(value, total) : valueText(value),
      ),
    ];
  });
  return { shapes, height: values.length * ROW_HEIGHT + 4 };
}

/** @param {number | null} value */
function valueText(value) {
  return value === null ? '–' : formatValue(value);
}

/** @param {number | null} value @param {number} total */
function shareText(value, total) {
  if (value === null) return '–';
  const percent = (value / total) * 100;
  return `${percent.toLocaleString('en-US', { maximumFractionDigits: percent < 10 ? 1 : 0 })}% (${formatValue(value)})`;
}
