import { PROPOSED_KEYWORDS } from './sql-keywords.js';
import { blankQuoted, fieldsAt, readScope } from './sql-scope.js';
import { typeLabel } from './vocabulary.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { FunctionEntry, Proposal, Proposals, Vocabulary } from './vocabulary.js' */

const PATH_BEFORE_CURSOR = /(?:[A-Za-z_][A-Za-z0-9_]*\.)*(?:[A-Za-z_][A-Za-z0-9_]*)?$/;
const NUMBER_BEFORE_CURSOR = /(?:^|[^A-Za-z0-9_])\d[A-Za-z0-9_.]*$/;
const TABLE_PLACE = /\b(?:from|join)\s+$/i;

/**
 * What GoogleSQL has to offer at a place in a text; null for nothing. Without `isExplicit`, only where a word was begun.
 *
 * @param {string} text
 * @param {number} position
 * @param {boolean} isExplicit
 * @param {Vocabulary} vocabulary
 * @returns {Proposals | null}
 */
export function completeSql(text, position, isExplicit, vocabulary) {
  const plain = blankQuoted(text);
  const isQuoted = position > 0 && plain[position - 1] === ' ' && text[position - 1] !== ' ';
  if (isQuoted || text[position - 1] === '@') return null;
  const before = plain.slice(0, position);
  if (NUMBER_BEFORE_CURSOR.test(before)) return null;
  const [path = ''] = PATH_BEFORE_CURSOR.exec(before) ?? [];
  const parts = path.split('.');
  const typed = parts.at(-1) ?? '';
  const from = position - typed.length;
  if (path === '' && !isExplicit) return null;
  const scope = readScope(plain, vocabulary.sources);

  if (parts.length > 1) {
    const fields = fieldsAt(parts.slice(0, -1), scope);
    if (fields.length > 0) return { from, options: fields.map((field) => columnProposal(field, 2)) };
    const namespace = parts.slice(0, -1).join('.').toUpperCase();
    const start = position - path.length;
    const options = vocabulary.functions
      .filter(({ name }) => name.startsWith(`${namespace}.`))
      .map(functionProposal);
    return options.length > 0 ? { from: start, options } : null;
  }
  if (TABLE_PLACE.test(before.slice(0, from))) {
    const tables = [...vocabulary.sources.map(({ name }) => name), ...scope.ctes];
    return { from, options: tables.map((label) => ({ label, type: 'class', boost: 3 })) };
  }
  const reachable = scope.sources.length > 0 ? scope.sources : vocabulary.sources;
  return {
    from,
    options: [
      ...unique([...reachable.flatMap(({ columns }) => columns), ...[...scope.aliases.values()].flat()]),
      ...[...scope.aliases.keys()].map((label) => variableProposal(label)),
      ...vocabulary.functions.map(functionProposal),
      ...PROPOSED_KEYWORDS.map((label) => keywordProposal(label, typed)),
    ],
  };
}

/** @param {readonly ColumnSchema[]} columns @returns {readonly Proposal[]} */
function unique(columns) {
  const byName = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  return [...byName.values()].map((column) => columnProposal(column, 2));
}

/** @param {ColumnSchema} column @param {number} boost @returns {Proposal} */
function columnProposal(column, boost) {
  return { label: column.name, type: 'property', detail: typeLabel(column), boost };
}

/** @param {string} label @returns {Proposal} */
function variableProposal(label) {
  return { label, type: 'variable', boost: 1 };
}

/** @param {FunctionEntry} entry @returns {Proposal} */
function functionProposal({ name, kind, description, signatures }) {
  return {
    label: name,
    type: 'function',
    detail: kind === 'scalar' ? '()' : kind,
    info: [description, ...signatures].join('\n'),
    apply: `${name}(`,
  };
}

/** Whoever writes in lower case goes on in lower case. @param {string} word @param {string} typed @returns {Proposal} */
function keywordProposal(word, typed) {
  const isLower = typed !== '' && typed === typed.toLowerCase();
  return { label: isLower ? word.toLowerCase() : word, type: 'keyword' };
}
