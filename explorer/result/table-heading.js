import { element } from '../page/elements.js';
import { isNumber } from './columns.js';
import { resizedColumn } from './columns-choice.js';
import { resizeHandle, setWidth } from './resize-column.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Order, TableResult } from './table.js' */

/** The heading of a column, which sorts by it and has a handle for its width. @param {ColumnSchema} column @param {{ readonly order: Order, readonly isGrowing: boolean }} look @param {TableResult} result @param {(order: Order) => void} sort */
export function heading(column, { order, isGrowing }, { choice, choose }, sort) {
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
  const classes = [isNumber(column) && 'number', isGrowing && 'grow', column.name === 'id' && 'id']
    .filter(Boolean)
    .join(' ');
  const cell = element(
    'th',
    { scope: 'col', 'aria-sort': direction ?? 'none', class: classes === '' ? null : classes },
    button,
  );
  const width = choice.widths[column.name];
  if (width !== undefined) setWidth(cell, width);
  cell.append(
    resizeHandle(cell, column.name, (next) => {
      choose(resizedColumn(choice, column.name, next));
      focusHandle(column.name);
    }),
  );
  return cell;
}

/** @param {string} name */
function focusHandle(name) {
  for (const handle of document.querySelectorAll('.resize')) {
    if (handle instanceof HTMLElement && handle.ariaLabel === `Width of ${name}`) handle.focus();
  }
}
