import { copyOnClick } from '../page/copy.js';
import { element } from '../page/elements.js';

/** @import { ValueFilter } from '../page/edit-query.js' */

/** What can be done with a value. @typedef {{ readonly filter: (filter: ValueFilter) => void }} ValueActs */
/** A value of a row, and where it is in it. @typedef {{ readonly path: readonly string[], readonly value: unknown, readonly type: string }} PlacedValue */

const MAX_LABEL_CHARACTERS = 60;

/** Whether queries can be made to ask for a value. @param {unknown} value */
export function isAskable(value) {
  return value === undefined || value === null || typeof value !== 'object';
}

/**
 * The buttons beside a value: ask for it, leave it out, and copy its path.
 *
 * @param {PlacedValue} placed
 * @param {ValueActs} acts
 * @param {boolean} hasPath Whether the path can be copied.
 */
export function valueTools({ path, value, type }, acts, hasPath) {
  const name = path.join('.');
  const text = String(value ?? 'null');
  const label = text.length > MAX_LABEL_CHARACTERS ? `${text.slice(0, MAX_LABEL_CHARACTERS)}…` : text;
  const filter = (/** @type {boolean} */ negated) => (/** @type {Event} */ event) => {
    event.stopPropagation();
    acts.filter({ of: 'result', path, value: value ?? null, negated, type });
  };
  return element(
    'span',
    { class: 'value-tools' },
    tool('+', `Only ${name} = ${label}`, filter(false)),
    tool('−', `Without ${name} = ${label}`, filter(true)),
    hasPath && pathButton(name),
  );
}

/** @param {string} name */
function pathButton(name) {
  const button = element('button', { type: 'button', title: `Copy the path ${name}` }, 'path');
  button.setAttribute('aria-label', `Copy the path ${name}`);
  copyOnClick(button, () => name);
  return button;
}

/** @param {string} sign @param {string} label @param {(event: Event) => void} act */
function tool(sign, label, act) {
  return element('button', { type: 'button', title: label, 'aria-label': label, onclick: act }, sign);
}
