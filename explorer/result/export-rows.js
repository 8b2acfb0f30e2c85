import { csvHead, csvLines } from './csv.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from './columns.js' */

/** The forms that rows are exported in. @typedef {'csv' | 'ndjson' | 'json'} ExportFormat */

/** @type {Readonly<Record<ExportFormat, string>>} */
export const MEDIA_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

/**
 * A file of rows in pieces: what stands before the rows, each page of them, and what stands after them. Instants are as the service
 * sent them in JSON, ISO 8601 in CSV.
 *
 * @param {ExportFormat} format
 * @param {readonly ColumnSchema[]} columns
 * @returns {{ readonly start: string, readonly page: (rows: readonly Row[]) => string, readonly end: string }}
 */
export function exportPieces(format, columns) {
  if (format === 'csv') return { start: csvHead(columns), page: (rows) => csvLines(columns, rows), end: '' };
  if (format === 'ndjson') {
    return { start: '', page: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''), end: '' };
  }
  let isFirst = true;
  const line = (/** @type {Row} */ row) => {
    const separator = isFirst ? '' : ',';
    isFirst = false;
    return `${separator}\n  ${JSON.stringify(row)}`;
  };
  return { start: '[', page: (rows) => rows.map(line).join(''), end: '\n]\n' };
}
