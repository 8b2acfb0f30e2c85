/** @import { ErrorDetail } from '../../client/client.d.ts' */

/**
 * Which part of a text an error is about: the word at its line and column, or the one character that stands there.
 * Null for an error without a place, or with one behind the text.
 *
 * @param {string} text
 * @param {readonly ErrorDetail[]} details
 * @returns {{ readonly from: number, readonly to: number } | null}
 */
export function errorPlace(text, details) {
  const detail = details.find(({ line }) => line !== undefined);
  if (detail?.line === undefined) return null;
  const lines = text.split('\n');
  const content = lines[detail.line - 1];
  if (content === undefined) return null;
  const lineStart = lines.slice(0, detail.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  // Columns count characters, where JavaScript counts UTF-16 code units.
  const offset = [...content].slice(0, (detail.column ?? 1) - 1).join('').length;
  const from = lineStart + offset;
  const [word = ''] = /^(?:`[^`]*`?|"[^"]*"?|'[^']*'?|[\p{L}\p{N}_]+|\S)/u.exec(content.slice(offset)) ?? [];
  if (word !== '') return { from, to: from + word.length };
  // The end of a line, where something is missing: the character in front of it stands for it.
  return from > 0 ? { from: from - 1, to: from } : null;
}
