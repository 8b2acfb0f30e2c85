import { MAX_EVENTS } from '../../shared/lql/lql-limits.ts';
import { printable } from '../../shared/runtime/printable.ts';
import { column, integer, path, query, select, sortedBy, table } from '../../shared/sql/ast/build.ts';
import { printQuery } from '../../shared/sql/print/print-query.ts';
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
  return { sql: newestRows(source ?? DEFAULT_SOURCE), maxRows: MAX_ROWS };
}

/** GoogleSQL of the newest entries of a source, with the columns that a line of `lqe tail` is made of. */
function newestRows(source: string): string {
  const items = ['id', 'timestamp', 'event_message', 'metadata'].map((name) => column(path(name)));
  const orderBy = ['timestamp', 'id'].map((name) => sortedBy(path(name), true));
  const rows = select(items, { from: table([source]) });
  return printQuery(query(rows, { orderBy, limit: integer(MAX_ROWS) }));
}
