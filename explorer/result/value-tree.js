import { element } from '../page/elements.js';
import { formatMicros, isoMicros, toMicros } from '../time/format-time.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Zone } from '../time/format-time.js' */

/** Below the first two levels, values with more leaves than this are closed at first. */
const MAX_OPEN_LEAVES = 16;
const MAX_PREVIEW_CHARACTERS = 160;

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
    return element(
      'time',
      { datetime: isoMicros(micros), title: `${isoMicros(micros)} · ${micros} µs` },
      formatMicros(micros, zone),
    );
  }
  if (column?.type === 'DATETIME') return String(value).replace('T', ' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * A row or record as a list of names and values, the nested ones folded out where they are small.
 *
 * @param {Readonly<Record<string, unknown>>} record
 * @param {readonly ColumnSchema[]} columns
 * @param {Zone} zone
 * @returns {HTMLElement}
 */
export function recordTree(record, columns, zone) {
  return tree(record, columns, zone, 0);
}

/** @param {Readonly<Record<string, unknown>>} record @param {readonly ColumnSchema[]} columns @param {Zone} zone @param {number} depth @returns {HTMLElement} */
function tree(record, columns, zone, depth) {
  const items = Object.entries(record).map(([name, value]) => {
    const column = columns.find((one) => one.name === name);
    return entry(name, value, column, zone, depth);
  });
  return element('ul', { class: 'tree' }, ...items);
}

/** @param {string} name @param {unknown} value @param {ColumnSchema | undefined} column @param {Zone} zone @param {number} depth @returns {HTMLElement} */
function entry(name, value, column, zone, depth) {
  const label = element('span', { class: 'name' }, name);
  if (typeof value !== 'object' || value === null) {
    return element('li', {}, label, ' ', element('span', { class: 'value' }, leaf(value, column, zone)));
  }
  const fields = column?.fields ?? [];
  if (Array.isArray(value) && value.length === 0) {
    return element('li', {}, label, ' ', element('span', { class: 'null' }, '[ ]'));
  }
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)) {
    const texts = value.map((one) => (one === null ? 'null' : String(one)));
    return element('li', {}, label, ' ', element('span', { class: 'value' }, texts.join(', ')));
  }
  const open = depth < 2 || countLeaves(value) <= MAX_OPEN_LEAVES;
  const [only] = Array.isArray(value) && value.length === 1 ? value : [];
  const content = isRecord(only)
    ? () => tree(only, fields, zone, depth + 1)
    : Array.isArray(value)
      ? () =>
          element(
            'ul',
            { class: 'tree' },
            ...value.map((one, index) => entry(String(index), one, elementColumn(column), zone, depth + 1)),
          )
      : () => tree(/** @type {Record<string, unknown>} */ (value), fields, zone, depth + 1);
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
