import { isNumber, isTimestamp } from './columns.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from './columns.js' */
/** @typedef {'ascending' | 'descending'} Direction */

/**
 * The rows in the order of a column; equal ones stay as they are, NULL stands last either way.
 *
 * @param {readonly Row[]} rows
 * @param {ColumnSchema} column
 * @param {Direction} direction
 * @returns {readonly Row[]}
 */
export function sortRows(rows, column, direction) {
  const sign = direction === 'ascending' ? 1 : -1;
  const compare = isNumber(column) || isTimestamp(column) ? compareNumbers : compareTexts;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column.name], other[column.name]];
    if (a === null || a === undefined || b === null || b === undefined)
      return Number(a === null || a === undefined) - Number(b === null || b === undefined);
    return sign * compare(a, b);
  });
}

/** Numbers may come as strings of digits, too long for a double. @param {unknown} a @param {unknown} b */
function compareNumbers(a, b) {
  if (isBigInteger(a) || isBigInteger(b)) {
    const difference = toBigInt(a) - toBigInt(b);
    return difference < 0n ? -1 : Number(difference > 0n);
  }
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? compareTexts(a, b) : difference;
}

/** @param {unknown} value */
function isBigInteger(value) {
  return typeof value === 'string' && /^-?\d{16,}$/.test(value);
}

/** @param {unknown} value */
function toBigInt(value) {
  const number = Number(value);
  return isBigInteger(value)
    ? BigInt(/** @type {string} */ (value))
    : BigInt(Number.isFinite(number) ? Math.trunc(number) : 0);
}

/** @param {unknown} a @param {unknown} b */
function compareTexts(a, b) {
  const [one, other] = [a, b].map((value) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  );
  return (one ?? '') < (other ?? '') ? -1 : Number((one ?? '') > (other ?? ''));
}
