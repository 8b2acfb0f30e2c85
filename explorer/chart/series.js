import { isNumber } from '../result/columns.js';
import { toMicros } from '../time/format-time.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from '../result/columns.js' */

/** Values over time. @typedef {{ readonly timesMs: readonly number[], readonly series: readonly { readonly name: string, readonly values: readonly (number | null)[] }[], readonly hasZone: boolean }} Series
 *   `hasZone`: the times are instants, which can be shown in any zone; others are as they stand there. */

/** More lines than this cannot be distinguished. */
const MOST_SERIES = 6;
const TIME_TYPES = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);

/**
 * What can be drawn of a result: its first column is a time, all others are numbers, and no time occurs twice. Null
 * for every other result.
 *
 * @param {readonly ColumnSchema[]} columns
 * @param {readonly Row[]} rows
 * @returns {Series | null}
 */
export function seriesOf(columns, rows) {
  const [time, ...values] = columns;
  if (time === undefined || time.mode === 'REPEATED' || !TIME_TYPES.has(time.type) || rows.length < 2)
    return null;
  if (values.length === 0 || values.length > MOST_SERIES || !values.every(isNumber)) return null;
  const points = rows
    .map((row) => ({ ms: toMs(row[time.name], time), row }))
    .toSorted((one, other) => (one.ms ?? 0) - (other.ms ?? 0));
  const timesMs = points.flatMap(({ ms }) => (ms === null ? [] : [ms]));
  if (timesMs.length !== rows.length || new Set(timesMs).size !== timesMs.length) return null;
  const series = values.map(({ name }) => ({ name, values: points.map(({ row }) => toNumber(row[name])) }));
  return { timesMs, series, hasZone: time.type === 'TIMESTAMP' };
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
