import { element, svgElement } from '../page/elements.js';
import { SEVERITY_TEXTS } from '../severity/severity.js';
import { formatValue } from './axes.js';

/** @import { Bucket, Part } from './histogram.js' */

/** From the bottom of a bar to its top: what matters most stands on the line, where its heights can be compared. @type {readonly Part[]} */
export const PARTS = ['fatal', 'error', 'warning', 'info', 'debug', 'none'];

/** What the parts of bars stand for, and how many entries each has: none where nothing says how serious entries are. @param {Bucket['parts']} whole */
export function legend(whole) {
  const present = PARTS.filter((part) => (whole[part] ?? 0) > 0);
  const isPlain = present.every((part) => part === 'none');
  const counts = new Map(present.map((part) => [part, element('b', {})]));
  const show = (/** @type {Bucket['parts']} */ parts) => {
    for (const [part, count] of counts) count.textContent = formatValue(parts[part] ?? 0);
  };
  show(whole);
  // A bar has no more than the whole, so nothing moves while bars are pointed at.
  for (const count of counts.values()) count.style.minWidth = `${count.textContent.length}ch`;
  const keys = present.map((part) =>
    element(
      'span',
      { class: 'key' },
      swatch(part),
      part === 'none' ? 'Other' : SEVERITY_TEXTS[part].name,
      ' ',
      counts.get(part),
    ),
  );
  return { legend: !isPlain && element('span', { class: 'severities' }, ...keys), show };
}

/** @param {Part} part */
function swatch(part) {
  return svgElement(
    'svg',
    { width: 10, height: 10, 'aria-hidden': 'true' },
    svgElement('rect', { class: `bar-shape part-${part}`, width: 10, height: 10 }),
  );
}
