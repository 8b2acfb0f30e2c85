import { element } from './elements.js';

/** @import { Shown } from './result-view.js' */

/** What to know about an answer: that there are more rows, or why there are none. @param {Shown} shown @returns {readonly HTMLElement[]} */
export function noticesOf({ facts, warnings, maxRows, rows, more }) {
  const cut = facts.truncated
    ? `There are more rows than the ${rows.length.toLocaleString('en-US')} shown: one answer holds ${maxRows.toLocaleString('en-US')} at most. Narrow the window or the query${more === null ? '.' : ', or load the next ones.'}`
    : '';
  const ignored =
    facts.ignoredParameters.length > 0
      ? `Nothing uses these parameters: ${facts.ignoredParameters.join(', ')}.`
      : '';
  const button =
    facts.truncated && more !== null && element('button', { type: 'button', onclick: more }, 'Next rows');
  return [
    ...(cut === '' ? [] : [element('p', { class: 'notice' }, cut, ' ', button)]),
    ...[ignored, facts.hint ?? '', ...warnings]
      .filter((text) => text !== '')
      .map((text) => element('p', { class: 'notice' }, text)),
  ];
}

/** What stands in place of rows where there are none. @param {Shown} shown */
export function emptyState({ ways }) {
  return element(
    'div',
    { class: 'empty' },
    element('p', {}, 'No rows. No entry of this window and project matches the query.'),
    ways.length > 0 &&
      element(
        'p',
        {},
        'Look further: ',
        ...ways.map(({ label, act }) => element('button', { type: 'button', onclick: act }, label)),
      ),
  );
}
