import { element } from '../page/elements.js';
import { isNested, isNumber, isTimestamp } from './columns.js';
import { leaf, previewText } from './value-tree.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Severities } from '../severity/severity.js' */
/** @import { Zone } from '../time/format-time.js' */

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A value on its row's line, cut to a width in pixels where one was chosen. @param {unknown} value @param {ColumnSchema} column @param {Zone} zone @param {Severities | null} severities @param {number | undefined} width */
export function cell(value, column, zone, severities, width) {
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
    { class: isNumber(column) ? 'number' : isTimestamp(column) ? 'moment' : null },
    severity === null ? text : element('span', { class: `grade severity-${severity}` }, text),
  );
}
