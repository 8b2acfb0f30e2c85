import { ServiceError } from '../../../errors/service-error.ts';
import type { Warn } from '../../../errors/warn.ts';
import { CompiledQueries } from '../../../sql/sandbox/compiled-queries.ts';
import type { DatasetReference } from '../dataset-reference.ts';
import type { RestApi } from '../rest/rest-api.ts';
import { type DryRunOptions, dryRunTables } from './dry-run.ts';
import type { PreparedQuery } from './prepared-query.ts';

/** Most bytes of text of the queries that are known to read what they may. */
const MAX_CHECKED_BYTES = 4 * 1024 * 1024;

/**
 * Makes a check that BigQuery, too, says of a query that it reads no other tables than our analyzer found; what it said
 * of a text is kept. It throws a ServiceError (invalid_argument), and tells the operator, when that is not so.
 */
export function makeTableCheck(
  api: RestApi,
  dataset: DatasetReference,
  warn: Warn,
): (query: PreparedQuery, options: DryRunOptions) => Promise<void> {
  const checked = new CompiledQueries<true>(MAX_CHECKED_BYTES);
  return async (query, options) => {
    if (checked.get(query.query)) return;
    const referenced = await dryRunTables(api, query, options);
    const foreign = referenced.filter(
      (table) =>
        table.project !== dataset.project ||
        table.dataset !== dataset.dataset ||
        !query.tables.has(table.table),
    );
    if (foreign.length > 0) {
      warn('a query was stopped: BigQuery says that it reads other tables than those of its sources', {
        foreign,
      });
      throw new ServiceError('invalid_argument', 'The query may only read the sources of the endpoint.');
    }
    checked.set(query.query, true, 2 * query.query.length);
  };
}
