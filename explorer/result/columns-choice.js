/** @import { ColumnSchema } from '../../client/client.d.ts' */

/**
 * How somebody wants to see the columns of results: their order, which are hidden, how wide they are, and whether lines wrap.
 *
 * @typedef {object} ColumnsChoice
 * @property {readonly string[]} order Names in the order that was chosen; others follow as the result has them.
 * @property {readonly string[]} hidden
 * @property {Readonly<Record<string, number>>} widths In pixels.
 * @property {boolean} wrap
 */

/** @type {ColumnsChoice} */
export const AS_THEY_ARE = { order: [], hidden: [], widths: {}, wrap: false };

export const MIN_WIDTH = 48;
export const MAX_WIDTH = 2000;

/** The columns to show, in their order; all of them where none would be left. @param {readonly ColumnSchema[]} columns @param {ColumnsChoice} choice @returns {readonly ColumnSchema[]} */
export function chosenColumns(columns, choice) {
  const ordered = orderedColumns(columns, choice);
  const shown = ordered.filter(({ name }) => !choice.hidden.includes(name));
  return shown.length === 0 ? ordered : shown;
}

/** All columns in their order, hidden ones too. @param {readonly ColumnSchema[]} columns @param {ColumnsChoice} choice @returns {readonly ColumnSchema[]} */
export function orderedColumns(columns, { order }) {
  const known = order.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  return [...known, ...columns.filter((column) => !known.includes(column))];
}

/** A column one place on. @param {readonly ColumnSchema[]} columns @param {ColumnsChoice} choice @param {string} name @param {-1 | 1} step @returns {ColumnsChoice} */
export function movedColumn(columns, choice, name, step) {
  const order = orderedColumns(columns, choice).map((column) => column.name);
  const at = order.indexOf(name);
  const to = at + step;
  if (at < 0 || to < 0 || to >= order.length) return choice;
  [order[at], order[to]] = [order[to] ?? '', order[at] ?? ''];
  return { ...choice, order };
}

/** Shows a column or hides it. @param {ColumnsChoice} choice @param {string} name @returns {ColumnsChoice} */
export function toggledColumn(choice, name) {
  const { hidden } = choice;
  return {
    ...choice,
    hidden: hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name],
  };
}

/** @param {ColumnsChoice} choice @param {string} name @param {number} width @returns {ColumnsChoice} */
export function resizedColumn(choice, name, width) {
  const kept = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
  return { ...choice, widths: { ...choice.widths, [name]: kept } };
}

/** What a store holds for a choice; what is malformed in it is left out. @param {unknown} value @returns {ColumnsChoice} */
export function parseChoice(value) {
  if (typeof value !== 'object' || value === null) return AS_THEY_ARE;
  const { order, hidden, widths, wrap } = /** @type {Record<string, unknown>} */ (value);
  const names = (/** @type {unknown} */ list) =>
    Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  const isWidth = (/** @type {unknown} */ one) =>
    typeof one === 'number' && one >= MIN_WIDTH && one <= MAX_WIDTH;
  const entries = Object.entries(typeof widths === 'object' && widths !== null ? widths : {});
  return {
    order: names(order),
    hidden: names(hidden),
    widths: Object.fromEntries(entries.filter(([, width]) => isWidth(width))),
    wrap: wrap === true,
  };
}
