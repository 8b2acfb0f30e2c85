import { element } from '../page/elements.js';
import { SEVERITY_TEXTS } from '../severity/severity.js';
import { isNested } from './columns.js';
import { detailCell } from './row-details.js';
import { cell } from './table-cell.js';
import { isAskable, valueTools } from './value-tools.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Severity } from '../severity/severity.js' */
/** @import { Row } from './columns.js' */
/** @import { TableResult } from './table.js' */
/** @import { ValueActs } from './value-tools.js' */

/** The line of a row, and the row below it that unfolds. @param {Row} row @param {{ index: number, isGraded: boolean, severity: Severity | null, columns: readonly ColumnSchema[], growing: string | null }} place @param {TableResult} result @returns {readonly HTMLElement[]} */
export function rowLine(row, { index, isGraded, severity, columns, growing }, result) {
  const { zone, severities, choice } = result;
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
    if (details.childElementCount === 0) details.append(detailCell(row, result));
    details.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  };
  button.addEventListener('click', toggle);
  const line = element(
    'tr',
    {
      class: severity === null ? 'line' : `line severity-${severity}`,
      'aria-current': result.marked !== null && row.id === result.marked && 'true',
    },
    element('td', { class: 'fold' }, button, isGraded && severityTag(severity)),
    ...columns.map((column) => {
      const made = cell(row[column.name], column, zone, severities, choice.widths[column.name]);
      made.classList.toggle('grow', column.name === growing);
      return made;
    }),
  );
  // The whole line is a target for the mouse; who selects text in it does not want it to move.
  line.addEventListener('click', ({ target }) => {
    if (target !== button && document.getSelection()?.isCollapsed !== false) toggle();
  });
  if (result.acts !== null) showToolsAtPointer(line, row, columns, result.acts);
  return [line, details];
}

/**
 * Has the cell below the mouse show what can be done with its value. The keyboard and fingers find the same in the details.
 *
 * @param {HTMLTableRowElement} line
 * @param {Row} row
 * @param {readonly ColumnSchema[]} columns
 * @param {ValueActs} acts
 */
function showToolsAtPointer(line, row, columns, acts) {
  line.addEventListener('pointerover', ({ target, pointerType }) => {
    const cellBelow = target instanceof Element ? target.closest('td') : null;
    if (pointerType !== 'mouse' || cellBelow === null || cellBelow.querySelector('.value-tools') !== null)
      return;
    for (const old of line.querySelectorAll('.value-tools')) old.remove();
    const column = columns[cellBelow.cellIndex - 1];
    if (column === undefined || !isAskable(row[column.name]) || isNested(column)) return;
    const placed = { path: [column.name], value: row[column.name], type: column.type };
    cellBelow.append(valueTools(placed, acts, false));
  });
  line.addEventListener('pointerleave', () => {
    for (const old of line.querySelectorAll('.value-tools')) old.remove();
  });
}

/** What a row’s severity is called; one that says nothing of it says so, among rows that do. @param {Severity | null} severity */
function severityTag(severity) {
  if (severity === null) {
    const mark = element('span', { 'aria-hidden': 'true' }, '–');
    return element(
      'span',
      { class: 'tag none', title: 'No severity' },
      mark,
      element('span', { class: 'hidden' }, 'No severity'),
    );
  }
  const { short, name } = SEVERITY_TEXTS[severity];
  return element('abbr', { class: 'tag', title: name }, short);
}
