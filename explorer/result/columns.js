/** @import { ColumnSchema } from '../../client/client.d.ts' */

/** A row of a result, as it came over the wire. @typedef {Readonly<Record<string, unknown>>} Row */

const NUMBERS = new Set(['INTEGER', 'FLOAT', 'NUMERIC', 'BIGNUMERIC']);

/** The columns as the service described them; without that, as the rows show them. @param {readonly ColumnSchema[] | null} described @param {readonly Row[]} rows @returns {readonly ColumnSchema[]} */
export function columnsOf(described, rows) {
  const [first] = rows;
  if (described !== null && (first === undefined || described.every(({ name }) => name in first)))
    return described;
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].map((name) => ({ name, type: guessType(rows, name), mode: 'NULLABLE' }));
}

/** @param {readonly Row[]} rows @param {string} name */
function guessType(rows, name) {
  const value = rows.map((row) => row[name]).find((one) => one !== null && one !== undefined);
  if (typeof value === 'number') return 'FLOAT';
  return typeof value === 'object' ? 'JSON' : 'STRING';
}

/** @param {ColumnSchema} column */
export function isNumber({ type, mode }) {
  return mode !== 'REPEATED' && NUMBERS.has(type);
}

/** @param {ColumnSchema} column */
export function isNested({ type, mode }) {
  return mode === 'REPEATED' || type === 'RECORD' || type === 'JSON';
}

/** Whether the column's values are instants, which come as microseconds. @param {ColumnSchema} column */
export function isTimestamp({ type, mode }) {
  return mode !== 'REPEATED' && type === 'TIMESTAMP';
}
