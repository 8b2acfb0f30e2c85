/** @import { Source } from '../editor/vocabulary.js' */
/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { Row } from '../result/columns.js' */

/** How serious something is. @typedef {'fatal' | 'error' | 'warning' | 'info' | 'debug'} Severity */
/** What says so. @typedef {'level' | 'status'} SeverityKind */
/** A field of a source that says how serious an entry is. @typedef {{ readonly path: readonly string[], readonly kind: SeverityKind }} SeverityField */

/**
 * What stands for which severity, as the service has it.
 *
 * @typedef {object} SeverityTable
 * @property {readonly Severity[]} order The most serious first.
 * @property {Readonly<Record<Severity, readonly string[]>>} levels Names of levels in capitals.
 * @property {Readonly<Partial<Record<Severity, readonly [number, number]>>>} statuses The first and the last status code.
 */

/** Each severity as a person reads it: short for rows, and whole. @type {Readonly<Record<Severity, { readonly short: string, readonly name: string }>>} */
export const SEVERITY_TEXTS = {
  fatal: { short: 'FTL', name: 'Fatal' },
  error: { short: 'ERR', name: 'Error' },
  warning: { short: 'WRN', name: 'Warning' },
  info: { short: 'INF', name: 'Info' },
  debug: { short: 'DBG', name: 'Debug' },
};

const LEVEL_COLUMN = /^(?:.*_)?(?:level|loglevel|log_level|lvl|severity|severity_text)$/i;
const STATUS_COLUMN = /^(?:.*_)?(?:status|status_code|statuscode|http_status)$/i;

/** What a column of a result says of severity, by its name and type; null for nothing. @param {ColumnSchema} column @returns {SeverityKind | null} */
export function severityKind({ name, type, mode }) {
  if (mode === 'REPEATED') return null;
  if (type === 'STRING' && LEVEL_COLUMN.test(name)) return 'level';
  return type === 'INTEGER' && STATUS_COLUMN.test(name) ? 'status' : null;
}

/**
 * What the values of results stand for, by the service's table.
 *
 * @param {SeverityTable} table
 */
export function makeSeverities(table) {
  const byLevel = new Map(
    table.order.flatMap((severity) =>
      table.levels[severity].map((name) => /** @type {const} */ ([name, severity])),
    ),
  );

  /** The severity that a value stands for; null for none. @param {unknown} value @param {SeverityKind} kind @returns {Severity | null} */
  function of(value, kind) {
    if (kind === 'level')
      return typeof value === 'string' ? (byLevel.get(value.toUpperCase()) ?? null) : null;
    if (typeof value !== 'number') return null;
    const found = table.order.find((severity) => {
      const [low, high] = table.statuses[severity] ?? [1, 0];
      return value >= low && value <= high;
    });
    return found ?? null;
  }

  /** The most serious one. @param {readonly (Severity | null)[]} severities @returns {Severity | null} */
  const worst = (severities) => table.order.find((one) => severities.includes(one)) ?? null;

  return {
    of,
    order: table.order,
    /** What the value of a column stands for, by the column's name and type. @param {unknown} value @param {ColumnSchema} column @returns {Severity | null} */
    ofValue(value, column) {
      const kind = severityKind(column);
      return kind === null ? null : of(value, kind);
    },
    /**
     * How serious a row is: by the fields of the source whose entries the rows are, where the row has them, and by its own columns.
     *
     * @param {Row} row
     * @param {readonly ColumnSchema[]} columns
     * @param {Pick<Source, 'severity'> | null} source
     * @returns {Severity | null}
     */
    ofRow(row, columns, source) {
      const fields = (source?.severity ?? []).map(({ path, kind }) => of(firstAt(row, path), kind));
      const own = columns.map((column) => this.ofValue(row[column.name], column));
      return worst([...fields, ...own]);
    },
  };
}

/** @typedef {ReturnType<typeof makeSeverities>} Severities */

/** Words in names of series, by what they are about; none of them is drawn in the colour of something good. @type {readonly (readonly [RegExp, Severity])[]} */
const SERIES_WORDS = [
  [/fatal|panic|critical|crash/i, 'fatal'],
  [/fail|error|5xx|exception|timeout|timed_out|\b5\d\d\b/i, 'error'],
  [/refus|reject|denied|warn|4xx|retr(?:y|ies)|\b4\d\d\b|limited|slow/i, 'warning'],
  [/debug|trace/i, 'debug'],
  [/good|\bok\b|success|succeeded|2xx|info|\b[123]\d\d\b|notice/i, 'info'],
];

/** What the name of a series is about; null where it says nothing of severity. @param {string} name @returns {Severity | null} */
export function seriesSeverity(name) {
  const [, severity = null] = SERIES_WORDS.find(([words]) => words.test(name.replaceAll('_', ' '))) ?? [];
  return severity;
}

/** The first value at a path through records and lists of them; undefined where there is none. @param {unknown} value @param {readonly string[]} path @returns {unknown} */
export function firstAt(value, path) {
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = firstAt(one, path);
      if (found !== undefined && found !== null) return found;
    }
    return undefined;
  }
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  return firstAt(/** @type {Record<string, unknown>} */ (value)[name], rest);
}
