import { AS_THEY_ARE, parseChoice } from '../result/columns-choice.js';
import { readChoice, saveChoice } from './session.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { ColumnsChoice } from '../result/columns-choice.js' */

/** Choices for so many kinds of results are kept, the latest ones. */
const MOST_KINDS = 50;
const NAME = 'columns';

/** How results with these columns were shown last. @param {readonly ColumnSchema[]} columns @returns {ColumnsChoice} */
export function readColumns(columns) {
  const [, found] = readAll().find(([key]) => key === keyOf(columns)) ?? [];
  return found === undefined ? AS_THEY_ARE : parseChoice(found);
}

/** @param {readonly ColumnSchema[]} columns @param {ColumnsChoice} choice */
export function saveColumns(columns, choice) {
  const key = keyOf(columns);
  const others = readAll().filter(([other]) => other !== key);
  const kept = choice === AS_THEY_ARE ? others : [...others, [key, choice]];
  saveChoice(NAME, JSON.stringify(kept.slice(-MOST_KINDS)));
}

/** Results with the same names are shown alike, whatever their order. @param {readonly ColumnSchema[]} columns */
function keyOf(columns) {
  return columns
    .map(({ name }) => name)
    .sort()
    .join(' ');
}

/** @returns {readonly (readonly [string, unknown])[]} */
function readAll() {
  try {
    const value = JSON.parse(readChoice(NAME) ?? '[]');
    return Array.isArray(value)
      ? value.filter((one) => Array.isArray(one) && typeof one[0] === 'string')
      : [];
  } catch {
    // Whatever stands there is not ours.
    return [];
  }
}
