import { isoMicros, toMicros } from '../time/format-time.js';
import { isNested, isNumber, isTimestamp } from './columns.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from './columns.js' */

/** What spreadsheets take for the beginning of a formula; an apostrophe in front makes text of it. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The first line of CSV (RFC 4180). @param {readonly ColumnSchema[]} columns */
export function csvHead(columns) {
  return `${columns.map(({ name }) => text(name)).join(',')}\r\n`;
}

/** Rows as lines of CSV: instants in ISO 8601, nested values as JSON, NULL as nothing. @param {readonly ColumnSchema[]} columns @param {readonly Row[]} rows */
export function csvLines(columns, rows) {
  return rows
    .map((row) => `${columns.map((column) => cell(row[column.name], column)).join(',')}\r\n`)
    .join('');
}

/** @param {unknown} value @param {ColumnSchema} column */
function cell(value, column) {
  if (value === null || value === undefined) return '';
  if (isTimestamp(column)) {
    const micros = toMicros(value);
    return micros === null ? text(String(value)) : isoMicros(micros);
  }
  if (typeof value === 'object' || isNested(column)) return quoted(JSON.stringify(value));
  return isNumber(column) && /^-?[\d.eE+-]+$/.test(String(value))
    ? quoted(String(value))
    : text(String(value));
}

/** @param {string} value */
function text(value) {
  return quoted(FORMULA.test(value) ? `'${value}` : value);
}

/** @param {string} value */
function quoted(value) {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
