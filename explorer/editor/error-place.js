/** @import { ErrorDetail } from '../../client/client.d.ts' */
/** @import { Language } from '../state/location.js' */

/** What an error is about begins at its place: in SQL a word or a sign, in LQL the rest of the clause. */
const PARTS = /** @type {const} */ ({
  sql: /^(?:`[^`]*`?|"[^"]*"?|'[^']*'?|[\p{L}\p{N}_]+|\S)/u,
  lql: /^\S+/u,
});

/**
 * Which part of a text an error is about, by its line and column. Null for an error without a place, or with one after the end of the text.
 *
 * @param {string} text
 * @param {readonly ErrorDetail[]} details
 * @param {Language} language
 * @returns {{ readonly from: number, readonly to: number } | null}
 */
export function errorPlace(text, details, language) {
  const detail = details.find(({ line }) => line !== undefined);
  if (detail?.line === undefined) return null;
  const lines = text.split('\n');
  const content = lines[detail.line - 1];
  if (content === undefined) return null;
  const lineStart = lines.slice(0, detail.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  // Columns count characters, where JavaScript counts UTF-16 code units.
  const offset = [...content].slice(0, (detail.column ?? 1) - 1).join('').length;
  const from = lineStart + offset;
  const [word = ''] = PARTS[language].exec(content.slice(offset)) ?? [];
  if (word !== '') return { from, to: from + word.length };
  // The end of a line, where something is missing: the character in front of it stands for it.
  return from > 0 ? { from: from - 1, to: from } : null;
}
