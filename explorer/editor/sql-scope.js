import { findColumn } from './vocabulary.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Source } from './vocabulary.js' */

/** What names in a query mean, as far as its unfinished text shows it. @typedef {object} Scope
 * @property {readonly Source[]} sources Those that the text names.
 * @property {ReadonlyMap<string, readonly ColumnSchema[]>} aliases Range variables with their columns, by lower-case name.
 * @property {readonly string[]} ctes The query's own WITH names.
 */

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const TABLE = new RegExp(`\\b(?:from|join)\\s+(${NAME})(?:\\s+(?:as\\s+)?(${NAME}))?`, 'gi');
const UNNEST = new RegExp(
  `\\bunnest\\s*\\(\\s*(${NAME}(?:\\s*\\.\\s*${NAME})*)\\s*\\)(?:\\s+(?:as\\s+)?(${NAME}))?`,
  'gi',
);
const CTE = new RegExp(`\\b(${NAME})\\s+as\\s*\\(`, 'gi');
/** What follows a table without being its alias. */
const NO_ALIAS = new Set(
  'as cross full group having inner join left limit natural on order outer qualify right union unnest using where window with'.split(
    ' ',
  ),
);

/**
 * Finds the tables and range variables of a query that is being written. It reads no grammar: what it misses is not
 * proposed, nothing more.
 *
 * @param {string} text Without strings and comments.
 * @param {readonly Source[]} known
 * @returns {Scope}
 */
export function readScope(text, known) {
  /** @type {Source[]} */
  const sources = [];
  /** @type {Map<string, readonly ColumnSchema[]>} */
  const aliases = new Map();
  for (const [, name = '', alias = ''] of text.matchAll(TABLE)) {
    const source = known.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (source === undefined) continue;
    if (!sources.includes(source)) sources.push(source);
    aliases.set(name.toLowerCase(), source.columns);
    if (alias !== '' && !NO_ALIAS.has(alias.toLowerCase())) aliases.set(alias.toLowerCase(), source.columns);
  }
  for (const [, path = '', alias = ''] of text.matchAll(UNNEST)) {
    const fields = fieldsAt(path.split(/\s*\.\s*/), { sources, aliases });
    if (fields.length > 0 && alias !== '' && !NO_ALIAS.has(alias.toLowerCase()))
      aliases.set(alias.toLowerCase(), fields);
  }
  const ctes = [...text.matchAll(CTE)].map(([, name = '']) => name);
  return { sources, aliases, ctes };
}

/** The fields of the record at a path; none where there is no such record. @param {readonly string[]} path @param {Pick<Scope, 'sources' | 'aliases'>} scope */
export function fieldsAt(path, { sources, aliases }) {
  const [first = '', ...rest] = path;
  const variable = aliases.get(first.toLowerCase());
  const column = [...aliases.values(), ...sources.map(({ columns }) => columns)]
    .map((columns) => findColumn(columns, first))
    .find((one) => one !== undefined);
  let fields = variable ?? column?.fields ?? [];
  for (const name of rest) fields = findColumn(fields, name)?.fields ?? [];
  return fields;
}

const QUOTED_OR_COMMENT =
  /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|--[^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** The text with strings and comments blanked out, every place where it was. @param {string} text */
export function blankQuoted(text) {
  return text.replace(QUOTED_OR_COMMENT, (part) => part.replace(/[^\n]/g, ' '));
}
