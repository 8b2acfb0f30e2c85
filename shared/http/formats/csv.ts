import type { Column } from '../../sql/types/sql-type.ts';
import { memberTexts } from './member-texts.ts';

/**
 * What spreadsheets take for the beginning of a formula
 * (https://owasp.org/www-community/attacks/CSV_Injection); an apostrophe in front makes text of it.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Numbers that are too long for JSON's come as strings; a minus makes no formula of them. */
const NUMBERS = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);
const NEEDS_QUOTES = /[",\r\n]/;
const LINE_END = '\r\n';

/**
 * Rows as CSV (RFC 4180) with a header of the columns' names: strings as they are, nested values as JSON text, NULL as
 * nothing. A text that a spreadsheet would run as a formula begins with an apostrophe.
 */
export function encodeCsv(columns: readonly Column[], rows: readonly string[]): string {
  const isNumber = columns.map(({ type }) => NUMBERS.has(type.kind));
  const lines = [columns.map(({ name }) => textCell(name)).join(',')];
  for (const row of rows) {
    lines.push(
      memberTexts(row)
        .map((text, at) => valueCell(text, isNumber[at] ?? false))
        .join(','),
    );
  }
  return lines.join(LINE_END) + LINE_END;
}

function valueCell(json: string, isNumber: boolean): string {
  if (json === 'null') return '';
  if (!json.startsWith('"')) return quoted(json);
  const text = JSON.parse(json) as string;
  return isNumber ? quoted(text) : textCell(text);
}

function textCell(text: string): string {
  return quoted(FORMULA.test(text) ? `'${text}` : text);
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
