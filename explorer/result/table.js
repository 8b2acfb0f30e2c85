import { copyOnClick } from '../page/copy.js';
import { element } from '../page/elements.js';
import { SEVERITY_TEXTS } from '../severity/severity.js';
import { isNested, isNumber } from './columns.js';
import { chosenColumns, resizedColumn } from './columns-choice.js';
import { resizeHandle } from './resize-column.js';
import { sortRows } from './sort-rows.js';
import { isAskable, valueTools } from './value-tools.js';
import { leaf, previewText, recordTree } from './value-tree.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Source } from '../editor/vocabulary.js' */
/** @import { ColumnsChoice } from './columns-choice.js' */
/** @import { ValueActs } from './value-tools.js' */
/** @import { Severities, Severity } from '../severity/severity.js' */
/** @import { Zone } from '../time/format-time.js' */
/** @import { Row } from './columns.js' */
/** @import { Direction } from './sort-rows.js' */

/**
 * What a table shows.
 *
 * @typedef {object} TableResult
 * @property {readonly ColumnSchema[]} columns
 * @property {readonly Row[]} rows
 * @property {Zone} zone
 * @property {Source | null} source The source that the rows are of, where it is known.
 * @property {Severities | null} severities
 * @property {string | null} marked The id of the row that is marked.
 * @property {ColumnsChoice} choice How its columns are shown.
 * @property {(choice: ColumnsChoice) => void} choose
 * @property {((entry: Row) => readonly EntryAct[]) | null} entryActs What can be done with a row that is an entry.
 * @property {ValueActs | null} acts What can be done with values; null where queries cannot be changed.
 */

/** Something to do with an entry. @typedef {{ readonly label: string, readonly act: () => void }} EntryAct */

/** What a table remembers while it is drawn anew: its order. @typedef {{ name: string, direction: Direction } | null} Order */

/**
 * Rows as a table: one line a row, which unfolds into all that the row holds; columns sort by their headings.
 *
 * @param {HTMLElement} host
 * @param {TableResult} result
 * @param {Order} [order]
 */
export function showTable(host, result, order = null) {
  const { columns: all, rows, severities, source, choice } = result;
  const columns = chosenColumns(all, choice);
  const sorted = columns.find(({ name }) => name === order?.name);
  const shown = sorted === undefined || order === null ? rows : sortRows(rows, sorted, order.direction);
  const grades = shown.map((row) => severities?.ofRow(row, all, source) ?? null);
  const isGraded = grades.some((grade) => grade !== null);
  const body = element(
    'tbody',
    {},
    ...shown.flatMap((row, index) =>
      rowLine(row, { index, isGraded, severity: grades[index] ?? null, columns }, result),
    ),
  );
  const head = element(
    'tr',
    {},
    element(
      'th',
      { scope: 'col', class: 'fold' },
      element('span', { class: 'hidden' }, isGraded ? 'Details and severity' : 'Details'),
    ),
    ...columns.map((column) =>
      heading(column, order, result, (next) => {
        showTable(host, result, next);
        focusHeading(host, column.name);
      }),
    ),
  );
  const table = element('table', { class: choice.wrap ? 'wrap' : null }, element('thead', {}, head), body);
  // A table that is made anew is read on where it was.
  const scrolled = host.querySelector('.scroll')?.scrollLeft ?? 0;
  host.replaceChildren(
    element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Rows' }, table),
  );
  host.querySelector('.scroll')?.scrollTo({ left: scrolled });
  host.querySelector('tr[aria-current]')?.scrollIntoView({ block: 'center' });
}

/** @param {HTMLElement} host @param {string} name */
function focusHeading(host, name) {
  for (const button of host.querySelectorAll('th button')) {
    if (button instanceof HTMLElement && button.dataset.column === name) button.focus();
  }
}

/** @param {ColumnSchema} column @param {Order} order @param {TableResult} result @param {(order: Order) => void} sort */
function heading(column, order, { choice, choose }, sort) {
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
  const cell = element(
    'th',
    { scope: 'col', 'aria-sort': direction ?? 'none', class: isNumber(column) && 'number' },
    button,
  );
  const width = choice.widths[column.name];
  if (width !== undefined) cell.style.width = `${width}px`;
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

/** @param {Row} row @param {{ index: number, isGraded: boolean, severity: Severity | null, columns: readonly ColumnSchema[] }} place @param {TableResult} result @returns {readonly HTMLElement[]} */
function rowLine(row, { index, isGraded, severity, columns }, result) {
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
    ...columns.map((column) => cell(row[column.name], column, zone, severities, choice.widths[column.name])),
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

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** @param {Severity | null} severity */
function severityTag(severity) {
  if (severity === null) return element('span', { class: 'tag' });
  const { short, name } = SEVERITY_TEXTS[severity];
  return element('abbr', { class: 'tag', title: name }, short);
}

/** @param {unknown} value @param {ColumnSchema} column @param {Zone} zone @param {Severities | null} severities @param {number | undefined} width */
function cell(value, column, zone, severities, width) {
  const made = plainCell(value, column, zone, severities);
  if (width !== undefined) made.style.maxWidth = `${width}px`;
  return made;
}

/** @param {unknown} value @param {ColumnSchema} column @param {Zone} zone @param {Severities | null} severities */
function plainCell(value, column, zone, severities) {
  const isFolded = isNested(column) && typeof value === 'object' && value !== null;
  if (isFolded) return element('td', { class: 'nested' }, previewText(value));
  if (column.name === 'id' && typeof value === 'string' && UUID.test(value)) {
    // An entry's id says nothing to a person; its beginning distinguishes entries, and the whole row has all of it.
    return element('td', { class: 'id', title: value }, `${value.slice(0, 8)}…`);
  }
  const severity = severities?.ofValue(value, column) ?? null;
  const text = leaf(value, column, zone);
  return element(
    'td',
    { class: isNumber(column) ? 'number' : null },
    severity === null ? text : element('span', { class: `grade severity-${severity}` }, text),
  );
}

/** @param {Row} row @param {TableResult} result */
function detailCell(row, { columns, choice, zone, acts, entryActs }) {
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
