import { SQLDialect } from '@codemirror/lang-sql';
import { SQL_KEYWORDS, SQL_TYPES } from './sql-keywords.js';

/** @import { FunctionEntry } from './vocabulary.js' */

/** Names that are functions or types too, and in logs nearly always columns. */
const COLUMNS = new Set(['timestamp']);

/** GoogleSQL for the editor, with the functions that the service has. @param {readonly FunctionEntry[]} functions */
export function googleSql(functions) {
  return SQLDialect.define({
    keywords: without(SQL_KEYWORDS),
    types: without(SQL_TYPES),
    builtin: without(functions.map(({ name }) => name.toLowerCase())),
    backslashEscapes: true,
    doubleQuotedStrings: true,
    hashComments: true,
    treatBitsAsBytes: true,
    identifierQuotes: '`',
    operatorChars: '*+-%<>!=&|/~^',
    specialVar: '@',
  });
}

/** @param {readonly string[]} words */
function without(words) {
  return words.filter((word) => !COLUMNS.has(word)).join(' ');
}
