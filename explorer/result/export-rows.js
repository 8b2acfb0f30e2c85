import { toCsv } from './csv.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from './columns.js' */

/** The forms that rows are exported in. @typedef {'csv' | 'ndjson' | 'json'} ExportFormat */

/** @type {Readonly<Record<ExportFormat, string>>} */
export const MEDIA_TYPES = {
  csv: 'text/csv;charset=utf-8',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

/** Rows as the text of a file: as tables read it, a row a line in JSON, or one JSON array. Instants are as the service sent them in JSON, ISO 8601 in CSV. @param {ExportFormat} format @param {readonly ColumnSchema[]} columns @param {readonly Row[]} rows */
export function exportRows(format, columns, rows) {
  if (format === 'csv') return toCsv(columns, rows);
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return `[${rows.map((row) => `\n  ${JSON.stringify(row)}`).join(',')}\n]\n`;
}
