import { copyOnClick } from '../page/copy.js';
import { element } from '../page/elements.js';
import { isNested, isNumber } from './columns.js';
import { sortRows } from './sort-rows.js';
import { leaf, previewText, recordTree } from './value-tree.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Zone } from '../time/format-time.js' */
/** @import { Row } from './columns.js' */
/** @import { Direction } from './sort-rows.js' */

/** What a table remembers while it is drawn anew: its order. @typedef {{ name: string, direction: Direction } | null} Order */

/**
 * Rows as a table: one line a row, which unfolds into all that the row holds; columns sort by their headings.
 *
 * @param {HTMLElement} host
 * @param {{ readonly columns: readonly ColumnSchema[], readonly rows: readonly Row[], readonly zone: Zone }} result
 * @param {Order} [order]
 */
export function showTable(host, result, order = null) {
  const { columns, rows, zone } = result;
  const sorted = columns.find(({ name }) => name === order?.name);
  const shown = sorted === undefined || order === null ? rows : sortRows(rows, sorted, order.direction);
  const body = element('tbody', {}, ...shown.flatMap((row, index) => rowLine(row, index, columns, zone)));
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col', class: 'fold' }, element('span', { class: 'hidden' }, 'Details')),
    ...columns.map((column) =>
      heading(column, order, (next) => {
        showTable(host, result, next);
        focusHeading(host, column.name);
      }),
    ),
  );
  const table = element('table', {}, element('thead', {}, head), body);
  host.replaceChildren(
    element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Rows' }, table),
  );
}

/** @param {HTMLElement} host @param {string} name */
function focusHeading(host, name) {
  for (const button of host.querySelectorAll('th button')) {
    if (button instanceof HTMLElement && button.dataset.column === name) button.focus();
  }
}

/** @param {ColumnSchema} column @param {Order} order @param {(order: Order) => void} sort */
function heading(column, order, sort) {
  const direction = order?.name === column.name ? order.direction : null;
  const next = direction === 'ascending' ? 'descending' : 'ascending';
  const mark = element(
    'span',
    { class: 'mark', 'aria-hidden': 'true' },
    { ascending: '▲', descending: '▼', none: '' }[direction ?? 'none'],
  );
  const button = element(
    'button',
    {
      type: 'button',
      'data-column': column.name,
      title: `Sort by ${column.name}`,
      onclick: () => sort({ name: column.name, direction: next }),
    },
    column.name,
    ' ',
    mark,
  );
  return element(
    'th',
    { scope: 'col', 'aria-sort': direction ?? 'none', class: isNumber(column) && 'number' },
    button,
  );
}

/** @param {Row} row @param {number} index @param {readonly ColumnSchema[]} columns @param {Zone} zone @returns {readonly HTMLElement[]} */
function rowLine(row, index, columns, zone) {
  const details = element('tr', { class: 'details', id: `row-${index}`, hidden: true });
  const button = element('button', {
    type: 'button',
    class: 'fold',
    'aria-expanded': 'false',
    'aria-controls': details.id,
    'aria-label': `All of row ${index + 1}`,
  });
  const toggle = () => {
    const isOpen = details.hidden;
    if (details.childElementCount === 0) details.append(detailCell(row, columns, zone));
    details.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  };
  button.addEventListener('click', toggle);
  const line = element(
    'tr',
    { class: 'line' },
    element('td', { class: 'fold' }, button),
    ...columns.map((column) => cell(row[column.name], column, zone)),
  );
  // The whole line is a target for the mouse; who selects text in it does not want it to move.
  line.addEventListener('click', ({ target }) => {
    if (target !== button && document.getSelection()?.isCollapsed !== false) toggle();
  });
  return [line, details];
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** @param {unknown} value @param {ColumnSchema} column @param {Zone} zone */
function cell(value, column, zone) {
  const isFolded = isNested(column) && typeof value === 'object' && value !== null;
  if (isFolded) return element('td', { class: 'nested' }, previewText(value));
  if (column.name === 'id' && typeof value === 'string' && UUID.test(value)) {
    // An entry's id says nothing to a person; its beginning distinguishes entries, and the whole row has all of it.
    return element('td', { title: value }, `${value.slice(0, 8)}…`);
  }
  return element('td', { class: isNumber(column) ? 'number' : null }, leaf(value, column, zone));
}

/** @param {Row} row @param {readonly ColumnSchema[]} columns @param {Zone} zone */
function detailCell(row, columns, zone) {
  const copy = element('button', { type: 'button', class: 'quiet' }, 'Copy as JSON');
  copyOnClick(copy, () => JSON.stringify(row, null, 2));
  const names = columns.map(({ name }) => name);
  const ordered = Object.fromEntries(names.map((name) => [name, row[name]]));
  return element(
    'td',
    { colspan: columns.length + 1 },
    element('div', { class: 'detail' }, copy, recordTree(ordered, columns, zone)),
  );
}
