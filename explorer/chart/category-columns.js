import { svgElement } from '../page/elements.js';
import { formatValue, valueAxis } from './axes.js';
import { niceMaximum } from './buckets.js';
import { clipLabel, severityOfCategory } from './category-labels.js';

/** @import { Categories } from './series.js' */

const HEIGHT = 160;
const TOP = 16;
const LEFT = 58;
const RIGHT = 8;
const CHARACTER_WIDTH = 6.6;
const WIDEST_COLUMN = 56;
const TURNED_CHARACTERS = 16;
/** Turned names that are closer than this have smaller letters. */
const LINE_HEIGHT = 12;

/**
 * A column for each category, side by side in the order of the rows. Names that are too long to stand side by side are turned.
 *
 * @param {Categories['values']} values
 * @param {number} width
 */
export function categoryColumns(values, width) {
  const numbers = values.map(({ value }) => value ?? 0);
  const maximum = niceMaximum(Math.max(...numbers));
  const frame = { left: LEFT, top: TOP, width: width - LEFT - RIGHT, height: HEIGHT - TOP };
  const step = frame.width / values.length;
  const columnWidth = Math.min(WIDEST_COLUMN, Math.max(1, step * 0.75));
  const longest = Math.max(...values.map(({ category }) => category.length));
  const isTurned = longest * CHARACTER_WIDTH + 6 > step;
  const texts = numbers.map(formatValue);
  const hasValues = Math.max(...texts.map(({ length }) => length)) * CHARACTER_WIDTH <= step;
  const shapes = values.flatMap(({ category, value }, index) => {
    const middle = frame.left + (index + 0.5) * step;
    const height = value === null ? 0 : Math.max(1, (value / maximum) * frame.height);
    const severity = severityOfCategory(category);
    return [
      svgElement(
        'rect',
        {
          class: severity === null ? 'bar-shape' : `bar-shape part-${severity}`,
          x: middle - columnWidth / 2,
          y: HEIGHT - height,
          width: columnWidth,
          height,
        },
        svgElement('title', {}, `${category}: ${value === null ? '–' : formatValue(value)}`),
      ),
      hasValues &&
        svgElement(
          'text',
          { x: middle, y: HEIGHT - height - 4, 'text-anchor': 'middle' },
          value === null ? '–' : texts[index],
        ),
      svgElement(
        'text',
        isTurned
          ? {
              class: step < LINE_HEIGHT ? 'tight' : null,
              'text-anchor': 'end',
              transform: `translate(${middle + (step < LINE_HEIGHT ? 3 : 4)} ${HEIGHT + 8}) rotate(-90)`,
            }
          : { x: middle, y: HEIGHT + 16, 'text-anchor': 'middle' },
        svgElement('title', {}, category),
        isTurned ? clipLabel(category, TURNED_CHARACTERS) : category,
      ),
    ];
  });
  const line = svgElement('line', { class: 'axis', x1: LEFT, x2: width - RIGHT, y1: HEIGHT, y2: HEIGHT });
  const labelHeight = isTurned ? Math.min(longest, TURNED_CHARACTERS) * CHARACTER_WIDTH + 16 : 24;
  return {
    shapes: [valueAxis(maximum, frame, numbers.every(Number.isInteger)), ...shapes, line],
    height: HEIGHT + labelHeight,
  };
}
