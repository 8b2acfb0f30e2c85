import { copyOnClick } from '../page/copy.js';
import { element } from '../page/elements.js';
import { chosenColumns } from './columns-choice.js';
import { recordTree } from './value-tree.js';

/** @import { Row } from './columns.js' */
/** @import { TableResult } from './table.js' */

/** The cell below a row with all that it holds, as a tree or as JSON, and what can be done with it. @param {Row} row @param {TableResult} result */
export function detailCell(row, { columns, choice, zone, acts, entryActs }) {
  const names = columns.map(({ name }) => name);
  const ordered = Object.fromEntries(names.map((name) => [name, row[name]]));
  const json = JSON.stringify(ordered, null, 2);
  const copy = element('button', { type: 'button', class: 'quiet' }, 'Copy as JSON');
  copyOnClick(copy, () => json);
  const body = element('div', {});
  const switcher = element('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false' }, 'JSON');
  const show = (/** @type {boolean} */ isJson) => {
    switcher.setAttribute('aria-pressed', String(isJson));
    body.replaceChildren(
      isJson
        ? element('pre', { class: 'json', tabindex: '0' }, json)
        : recordTree(ordered, { columns, zone, acts }),
    );
  };
  switcher.addEventListener('click', () => show(switcher.getAttribute('aria-pressed') !== 'true'));
  show(false);
  const buttons = (entryActs?.(row) ?? []).map(({ label, act }) =>
    element('button', { type: 'button', class: 'quiet', onclick: act }, label),
  );
  return element(
    'td',
    { colspan: chosenColumns(columns, choice).length + 1 },
    element(
      'div',
      { class: 'detail' },
      element(
        'div',
        { class: 'detail-acts' },
        ...buttons,
        element('span', { class: 'stretch' }),
        switcher,
        copy,
      ),
      body,
    ),
  );
}
