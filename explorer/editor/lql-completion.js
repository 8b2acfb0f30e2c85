import { findColumn, flattenPaths, typeLabel } from './vocabulary.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Proposal, Proposals, Source } from './vocabulary.js' */

const AGGREGATES = ['count', 'countd', 'avg', 'sum', 'max', 'p50', 'p95', 'p99'];
const UNITS = ['second', 'minute', 'hour', 'day'];
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const PERIODS = [
  'today',
  'yesterday',
  'now',
  'last@15minutes',
  'last@1hour',
  'last@24hours',
  'last@7days',
  'this@hour',
  'this@day',
  'this@week',
];

/** @type {readonly Proposal[]} */
const CLAUSES = [
  { label: 'f:', type: 'keyword', detail: 'from a source' },
  { label: 's:', type: 'keyword', detail: 'select a field' },
  { label: 't:', type: 'keyword', detail: 'time' },
  { label: 'c:', type: 'keyword', detail: 'chart' },
];

/**
 * What LQL has to offer at a place in a text; null for nothing. Without `isExplicit`, only where a clause was begun.
 *
 * @param {string} text
 * @param {number} position
 * @param {boolean} isExplicit
 * @param {readonly Source[]} sources
 * @returns {Proposals | null}
 */
export function completeLql(text, position, isExplicit, sources) {
  const clause = clauseBefore(text.slice(0, position));
  if (clause === null || (clause === '' && !isExplicit)) return null;
  const [, head = '', rest = ''] = /^-?([\w.]+):(.*)$/s.exec(clause) ?? [];
  const columns = columnsOf(text, sources);
  switch (head) {
    case '':
      return at(position, clause.replace(/^-/, ''), [...CLAUSES, ...paths(columns, ':')]);
    case 'f':
    case 'from':
      return at(
        position,
        rest,
        sources.map(({ name }) => ({ label: name, type: 'class' })),
      );
    case 's':
    case 'select':
      return at(position, rest, [{ label: '*', type: 'keyword' }, ...paths(columns, '')]);
    case 'c':
    case 'chart':
      return completeChart(position, rest, columns);
    case 't':
    case 'timestamp':
      return at(
        position,
        rest.replace(/^[<>]=?/, ''),
        PERIODS.map((label) => ({ label, type: 'constant' })),
      );
    default:
      return completeValue(position, head, rest, columns);
  }
}

/** @param {number} position @param {string} rest @param {readonly ColumnSchema[]} columns */
function completeChart(position, rest, columns) {
  const [, name, argument = ''] = /^(\w+)\((.*)$/.exec(rest) ?? [];
  if (name === 'group_by') {
    return at(
      position,
      argument,
      UNITS.map((unit) => ({ label: `t::${unit}`, type: 'constant', apply: `t::${unit})` })),
    );
  }
  if (name !== undefined) {
    const numbers = paths(columns, ')').filter(({ detail }) => /^(INTEGER|FLOAT)/.test(detail ?? ''));
    return at(position, argument, [
      ...(name.startsWith('count')
        ? [/** @type {Proposal} */ ({ label: '*', type: 'keyword', apply: '*)' })]
        : []),
      ...numbers,
    ]);
  }
  return at(position, rest, [
    ...AGGREGATES.map(
      (label) =>
        /** @type {Proposal} */ ({
          label,
          type: 'function',
          apply: label === 'count' ? 'count(*)' : `${label}(`,
        }),
    ),
    { label: 'group_by', type: 'function', apply: 'group_by(t::' },
  ]);
}

/** @param {number} position @param {string} head @param {string} rest @param {readonly ColumnSchema[]} columns */
function completeValue(position, head, rest, columns) {
  const path = head.replace(/^m\./, 'metadata.');
  const column = flattenPaths(columns).find((one) => one.path === path)?.column;
  /** @type {Proposal[]} */
  const options = [];
  if (path === 'metadata.level')
    options.push(...LEVELS.map((label) => /** @type {Proposal} */ ({ label, type: 'constant' })));
  if (column?.type === 'BOOLEAN')
    options.push({ label: 'true', type: 'constant' }, { label: 'false', type: 'constant' });
  options.push({ label: 'NULL', type: 'constant' });
  return at(position, rest.replace(/^.*\.\./, ''), options);
}

/** @param {number} position @param {string} typed @param {readonly Proposal[]} options @returns {Proposals} */
function at(position, typed, options) {
  return { from: position - typed.length, options };
}

/** Paths as LQL writes them, `m.` for `metadata.`; records lead on, other fields end in `behind`. @param {readonly ColumnSchema[]} columns @param {string} behind @returns {readonly Proposal[]} */
function paths(columns, behind) {
  return flattenPaths(columns)
    .filter(({ column, path }) => column.fields === undefined && /^[\w.]+$/.test(path))
    .map(({ path, column }) => {
      const label = path.replace(/^metadata\./, 'm.');
      return { label, type: 'property', detail: typeLabel(column), apply: label + behind };
    });
}

/** The columns of the source that the text names with `f:`, else of all. @param {string} text @param {readonly Source[]} sources @returns {readonly ColumnSchema[]} */
function columnsOf(text, sources) {
  const [, name] = /(?:^|\s)(?:f|from):(\w+)/.exec(text) ?? [];
  const named = sources.find((source) => source.name === name);
  return named?.columns ?? merge(sources.map(({ columns }) => columns));
}

/** Lists of columns as one, records of one name merged. @param {readonly (readonly ColumnSchema[])[]} lists @returns {readonly ColumnSchema[]} */
function merge(lists) {
  /** @type {ColumnSchema[]} */
  const merged = [];
  for (const column of lists.flat()) {
    const known = findColumn(merged, column.name);
    if (known === undefined) merged.push(column);
    else if (known.fields !== undefined && column.fields !== undefined) {
      merged[merged.indexOf(known)] = { ...known, fields: merge([known.fields, column.fields]) };
    }
  }
  return merged;
}

/** The clause that the text ends in; null inside quotes. @param {string} before */
function clauseBefore(before) {
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < before.length; index++) {
    const character = before[index] ?? '';
    if (character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(character)) start = index + 1;
  }
  return isQuoted ? null : before.slice(start);
}
