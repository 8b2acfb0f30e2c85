import { isNested, isNumber, isTimestamp } from './columns.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from './columns.js' */
/** @import { ColumnsChoice } from './columns-choice.js' */

const MEASURED_ROWS = 50;
const LONG_CHARACTERS = 40;

/**
 * The column that takes the room that others leave: the text that is longest, unless somebody chose its width. Null where all
 * texts are short, which share the room.
 *
 * @param {readonly ColumnSchema[]} columns
 * @param {readonly Row[]} rows
 * @param {ColumnsChoice} choice
 */
export function growingColumn(columns, rows, { widths }) {
  const lengths = columns.map((column) => {
    const isText = !isNumber(column) && !isNested(column) && !isTimestamp(column) && column.name !== 'id';
    if (!isText || widths[column.name] !== undefined) return 0;
    return Math.max(0, ...rows.slice(0, MEASURED_ROWS).map((row) => String(row[column.name] ?? '').length));
  });
  const longest = Math.max(0, ...lengths);
  return longest < LONG_CHARACTERS ? null : (columns[lengths.indexOf(longest)]?.name ?? null);
}
