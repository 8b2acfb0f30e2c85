import { element } from '../page/elements.js';
import { chosenColumns } from './columns-choice.js';
import { growingColumn } from './growing-column.js';
import { sortRows } from './sort-rows.js';
import { heading } from './table-heading.js';
import { rowLine } from './table-row.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Source } from '../editor/vocabulary.js' */
/** @import { ColumnsChoice } from './columns-choice.js' */
/** @import { ValueActs } from './value-tools.js' */
/** @import { Severities } from '../severity/severity.js' */
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
  const growing = growingColumn(columns, rows, choice);
  const isGraded = grades.some((grade) => grade !== null);
  const body = element(
    'tbody',
    {},
    ...shown.flatMap((row, index) =>
      rowLine(row, { index, isGraded, severity: grades[index] ?? null, columns, growing }, result),
    ),
  );
  body.addEventListener('keydown', moveAmongRows);
  const head = element(
    'tr',
    {},
    element(
      'th',
      { scope: 'col', class: 'fold' },
      element('span', { class: 'hidden' }, isGraded ? 'Details and severity' : 'Details'),
    ),
    ...columns.map((column) =>
      heading(column, { order, isGrowing: column.name === growing }, result, (next) => {
        showTable(host, result, next);
        focusHeading(host, column.name);
      }),
    ),
  );
  const table = element('table', { class: tableClass(columns, choice) }, element('thead', {}, head), body);
  // A table that is made anew is read on where it was.
  const scrolled = host.querySelector('.scroll')?.scrollLeft ?? 0;
  host.replaceChildren(
    element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Rows' }, table),
  );
  host.querySelector('.scroll')?.scrollTo({ left: scrolled });
  host.querySelector('tr[aria-current]')?.scrollIntoView({ block: 'center' });
}

/** @param {readonly ColumnSchema[]} columns @param {ColumnsChoice} choice */
function tableClass(columns, { wrap }) {
  const classes = [wrap && 'wrap', columns.length > 2 && 'wide'].filter((one) => one !== false);
  return classes.length === 0 ? null : classes.join(' ');
}

/** Has the arrow keys go from the button of a row to that of the next one. @param {KeyboardEvent} event */
function moveAmongRows(event) {
  const { key, target, currentTarget } = event;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  if (!(target instanceof HTMLElement && target.matches('button.fold'))) return;
  if (!(currentTarget instanceof HTMLElement)) return;
  const buttons = [...currentTarget.querySelectorAll('tr.line button.fold')];
  const next = buttons[buttons.indexOf(target) + (key === 'ArrowDown' ? 1 : -1)];
  if (next instanceof HTMLElement) next.focus();
  event.preventDefault();
}

/** @param {HTMLElement} host @param {string} name */
function focusHeading(host, name) {
  for (const button of host.querySelectorAll('th button')) {
    if (button instanceof HTMLElement && button.dataset.column === name) button.focus();
  }
}
