import { element } from '../page/elements.js';
import { formatMicros, isoMicros, toMicros } from '../time/format-time.js';
import { valueTools } from './value-tools.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { ValueActs } from './value-tools.js' */
/** @import { Zone } from '../time/format-time.js' */

/** Below the first two levels, values with more leaves than this are closed at first. */
const MAX_OPEN_LEAVES = 16;
const MAX_PREVIEW_CHARACTERS = 160;
const YEAR_CHARACTERS = '2026-'.length;

/** A value on one line, cut short. @param {unknown} value */
export function previewText(value) {
  const unwrapped = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const text = JSON.stringify(unwrapped, (_key, one) => (one === null ? undefined : one)) ?? 'null';
  const plain = text.replace(/"([A-Za-z_]\w*)":/g, '$1: ').replaceAll(',', ', ');
  return plain.length > MAX_PREVIEW_CHARACTERS ? `${plain.slice(0, MAX_PREVIEW_CHARACTERS)}…` : plain;
}

/**
 * A value as it is read: text as text, instants in the chosen zone, NULL as such.
 *
 * @param {unknown} value
 * @param {ColumnSchema | undefined} column
 * @param {Zone} zone
 * @returns {Node | string}
 */
export function leaf(value, column, zone) {
  if (value === null || value === undefined) return element('span', { class: 'null' }, 'null');
  const micros = column?.type === 'TIMESTAMP' ? toMicros(value) : null;
  if (micros !== null) {
    const text = formatMicros(micros, zone);
    return element(
      'time',
      { datetime: isoMicros(micros), title: `${isoMicros(micros)} · ${micros} µs` },
      // Narrow screens leave the year out.
      element('span', { class: 'year' }, text.slice(0, YEAR_CHARACTERS)),
      text.slice(YEAR_CHARACTERS),
    );
  }
  if (column?.type === 'DATETIME') return String(value).replace('T', ' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * How a tree is drawn, the same on all of its levels.
 *
 * @typedef {object} TreeLook
 * @property {Zone} zone
 * @property {ValueActs | null} acts
 * @property {string} type Of the row's column that the tree is in.
 */

/**
 * A row as a list of names and values, the nested ones folded out where they are small.
 *
 * @param {Readonly<Record<string, unknown>>} row
 * @param {{ readonly columns: readonly ColumnSchema[], readonly zone: Zone, readonly acts: ValueActs | null }} look
 * @returns {HTMLElement}
 */
export function recordTree(row, { columns, zone, acts }) {
  const items = Object.entries(row).map(([name, value]) => {
    const column = columns.find((one) => one.name === name);
    return entry(name, [name], value, column, { zone, acts, type: column?.type ?? 'STRING' });
  });
  return element('ul', { class: 'tree' }, ...items);
}

/** @param {Readonly<Record<string, unknown>>} record @param {readonly string[]} path @param {readonly ColumnSchema[]} columns @param {TreeLook} look @returns {HTMLElement} */
function tree(record, path, columns, look) {
  const items = Object.entries(record).map(([name, value]) => {
    const column = columns.find((one) => one.name === name);
    return entry(name, [...path, name], value, column, look);
  });
  return element('ul', { class: 'tree' }, ...items);
}

/** @param {string} name @param {readonly string[]} path Names of fields; places in lists are none. @param {unknown} value @param {ColumnSchema | undefined} column @param {TreeLook} look @returns {HTMLElement} */
function entry(name, path, value, column, look) {
  const label = element('span', { class: 'name' }, name);
  const { zone, acts, type } = look;
  if (typeof value !== 'object' || value === null) {
    const text = element('span', { class: 'value' }, leaf(value, column, zone));
    return element(
      'li',
      {},
      label,
      ' ',
      text,
      acts !== null && valueTools({ path, value, type }, acts, true),
    );
  }
  const fields = column?.fields ?? [];
  if (Array.isArray(value) && value.length === 0) {
    return element('li', {}, label, ' ', element('span', { class: 'null' }, '[ ]'));
  }
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)) {
    const texts = value.map((one) => (one === null ? 'null' : String(one)));
    return element('li', {}, label, ' ', element('span', { class: 'value' }, texts.join(', ')));
  }
  const open = path.length <= 2 || countLeaves(value) <= MAX_OPEN_LEAVES;
  const [only] = Array.isArray(value) && value.length === 1 ? value : [];
  const content = isRecord(only)
    ? () => tree(only, path, fields, look)
    : Array.isArray(value)
      ? () =>
          element(
            'ul',
            { class: 'tree' },
            ...value.map((one, index) => entry(String(index), path, one, elementColumn(column), look)),
          )
      : () => tree(/** @type {Record<string, unknown>} */ (value), path, fields, look);
  const summary = element(
    'summary',
    {},
    label,
    ' ',
    element('span', { class: 'preview' }, previewText(value)),
  );
  return element('li', {}, foldOut(summary, content, open));
}

/** Content is made when it is first looked at: a row may hold hundreds of fields. @param {HTMLElement} summary @param {() => Node} content @param {boolean} open */
function foldOut(summary, content, open) {
  const details = element('details', {}, summary);
  const fill = () => {
    if (details.childElementCount === 1) details.append(content());
  };
  details.addEventListener('toggle', fill);
  if (open) {
    fill();
    details.open = true;
  }
  return details;
}

/** @param {ColumnSchema | undefined} column @returns {ColumnSchema | undefined} */
function elementColumn(column) {
  return column === undefined ? undefined : { ...column, mode: 'NULLABLE' };
}

/** @param {unknown} value @returns {value is Readonly<Record<string, unknown>>} */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} value @returns {number} */
function countLeaves(value) {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((/** @type {number} */ sum, one) => sum + countLeaves(one), 0);
}
