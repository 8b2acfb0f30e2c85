import { isNumber } from '../result/columns.js';
import { toMicros } from '../time/format-time.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from '../result/columns.js' */

/** Values over time. @typedef {{ readonly timesMs: readonly number[], readonly series: readonly { readonly name: string, readonly values: readonly (number | null)[] }[], readonly hasZone: boolean }} Series
 *   `hasZone`: the times are instants, which can be shown in any zone; others are as they stand there. */
/** A number for each of a few categories. @typedef {{ readonly name: string, readonly values: readonly { readonly category: string, readonly value: number | null }[] }} Categories */

/** More lines than this cannot be distinguished: the greatest ones are drawn. */
const MOST_SERIES = 6;
const MOST_CATEGORIES = 30;
const TIME_TYPES = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);
/** What the series that are not drawn by themselves are called together. */
const OTHERS = 'others';

/**
 * What can be drawn of a result over time: its first column is a time and all others are numbers; or one more is a category, each
 * of which becomes a series (long form). Null for every other result.
 *
 * @param {readonly ColumnSchema[]} columns
 * @param {readonly Row[]} rows
 * @returns {Series | null}
 */
export function seriesOf(columns, rows) {
  const [time, ...rest] = columns;
  if (time === undefined || time.mode === 'REPEATED' || !TIME_TYPES.has(time.type) || rows.length < 2)
    return null;
  const categories = rest.filter(isCategory);
  const values = rest.filter(isNumber);
  if (values.length + categories.length !== rest.length || values.length === 0) return null;
  const points = rows
    .map((row) => ({ ms: toMs(row[time.name], time), row }))
    .toSorted((one, other) => (one.ms ?? 0) - (other.ms ?? 0));
  if (points.some(({ ms }) => ms === null)) return null;
  const hasZone = time.type === 'TIMESTAMP';
  const [category, ...more] = categories;
  const [value] = values;
  if (category !== undefined) {
    if (more.length > 0 || values.length > 1 || value === undefined) return null;
    const isCount = value.type === 'INTEGER';
    return longForm(points, category.name, value.name, { hasZone, isCount });
  }
  const timesMs = points.flatMap(({ ms }) => (ms === null ? [] : [ms]));
  if (values.length > MOST_SERIES || new Set(timesMs).size !== timesMs.length) return null;
  const series = values.map(({ name }) => ({ name, values: points.map(({ row }) => toNumber(row[name])) }));
  return { timesMs, series, hasZone };
}

/**
 * One series for each category. Where a category has no row at a time, counts are zero and other numbers are absent. A category
 * with two rows at one time is no series.
 *
 * @param {readonly { readonly ms: number | null, readonly row: Row }[]} points
 * @param {string} category
 * @param {string} value
 * @param {{ readonly hasZone: boolean, readonly isCount: boolean }} kind
 * @returns {Series | null}
 */
function longForm(points, category, value, { hasZone, isCount }) {
  const timesMs = [...new Set(points.flatMap(({ ms }) => (ms === null ? [] : [ms])))];
  // Buckets begin at whole seconds; times of entries do not, and their values are no series.
  if (timesMs.length < 2 || timesMs.some((ms) => ms % 1000 !== 0)) return null;
  const places = new Map(timesMs.map((ms, index) => [ms, index]));
  /** @type {Map<string, (number | null)[]>} */
  const found = new Map();
  for (const { ms, row } of points) {
    const name = row[category] === null || row[category] === undefined ? 'null' : String(row[category]);
    const place = places.get(ms ?? Number.NaN) ?? 0;
    const values = found.get(name) ?? timesMs.map(() => (isCount ? 0 : null));
    const isTaken = found.has(name) && values[place] !== (isCount ? 0 : null);
    if (isTaken) return null;
    values[place] = toNumber(row[value]);
    found.set(name, values);
  }
  const all = [...found].map(([name, values]) => ({ name, values, total: totalOf(values) }));
  const ordered = all.toSorted((one, other) => other.total - one.total);
  // Averages have no sum: those of the least categories are left out.
  const kept =
    ordered.length <= MOST_SERIES ? ordered : ordered.slice(0, isCount ? MOST_SERIES - 1 : MOST_SERIES);
  const others = ordered.slice(kept.length);
  const series = kept.map(({ name, values }) => ({ name, values }));
  if (others.length === 0 || !isCount) return { timesMs, series, hasZone };
  const sums = timesMs.map((_, index) => others.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  return { timesMs, series: [...series, { name: OTHERS, values: sums }], hasZone };
}

/** The sum of the values that there are. @param {readonly (number | null)[]} values */
export function totalOf(values) {
  return values.reduce((/** @type {number} */ sum, value) => sum + (value ?? 0), 0);
}

/**
 * What can be drawn of a result without times: one column is a category and one a number, and there are few rows. Null for
 * every other result.
 *
 * @param {readonly ColumnSchema[]} columns
 * @param {readonly Row[]} rows
 * @returns {Categories | null}
 */
export function categoriesOf(columns, rows) {
  const [category, value, ...more] = columns;
  if (category === undefined || value === undefined || more.length > 0 || !isNumber(value)) return null;
  if (!isCategory(category) && category.type !== 'INTEGER') return null;
  if (category.mode === 'REPEATED' || rows.length < 2 || rows.length > MOST_CATEGORIES) return null;
  const texts = rows.map((row) => String(row[category.name] ?? 'null'));
  if (new Set(texts).size !== texts.length) return null;
  const values = rows.map((row, index) => ({
    category: texts[index] ?? '',
    value: toNumber(row[value.name]),
  }));
  return values.some((one) => (one.value ?? 0) < 0) ? null : { name: value.name, values };
}

/** @param {ColumnSchema} column */
function isCategory({ type, mode }) {
  return mode !== 'REPEATED' && (type === 'STRING' || type === 'BOOLEAN');
}

/** @param {unknown} value @param {ColumnSchema} column */
function toMs(value, { type }) {
  if (type === 'TIMESTAMP') {
    const micros = toMicros(value);
    return micros === null ? null : Number(micros / 1000n);
  }
  // A DATETIME has no zone; those of the endpoints are in UTC.
  const ms = Date.parse(type === 'DATE' ? String(value) : `${value}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** @param {unknown} value */
function toNumber(value) {
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
