import { MAX_EVENTS } from '../../shared/lql/lql-limits.ts';
import { printable } from '../../shared/runtime/printable.ts';
import type { Arguments } from '../arguments/parse-arguments.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** The query that reads the newest entries of a window, and how many it answers at most. */
export type TailQuery = { readonly maxRows: number } & ({ readonly sql: string } | { readonly lql: string });

const DEFAULT_SOURCE = 'edge_logs';
/** As many as an endpoint answers at most, so that nothing is read twice. */
const MAX_ROWS = 1000;
const SOURCE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** The query that the options describe. Throws a UsageError for a source that cannot be one. */
export function tailQuery(given: Arguments): TailQuery {
  const source = given.text('--source');
  if (source !== undefined && !SOURCE.test(source)) {
    throw new UsageError(`--source takes the name of a source such as edge_logs, not ${printable(source)}.`);
  }
  const lql = given.text('--lql');
  if (lql !== undefined) {
    return { lql: source === undefined ? lql : `${lql} f:${source}`, maxRows: MAX_EVENTS };
  }
  const from = `\`${source ?? DEFAULT_SOURCE}\``;
  return {
    sql: `SELECT id, timestamp, event_message, metadata FROM ${from} ORDER BY timestamp DESC, id DESC LIMIT ${MAX_ROWS}`,
    maxRows: MAX_ROWS,
  };
}
