import { ServiceError } from '../../../errors/service-error.ts';
import type { Warn } from '../../../errors/warn.ts';
import { ByteLru } from '../../../lru/byte-lru.ts';
import { tableName } from '../source-tables.ts';
import type { BoundQuery } from './bound-query.ts';
import { type DryRunOptions, dryRunTables } from './dry-run.ts';
import {
  makeUnderlyingTables,
  UNDERLYING_TTL_MS,
  type UnderlyingTablesOptions,
} from './underlying-tables.ts';

/** Most bytes of text of the queries that are known to read what they may. */
const MAX_CHECKED_BYTES = 4 * 1024 * 1024;
/** How often a refusal may ask anew what a source reads, in ms. */
export const LEAST_UNDERLYING_AGE_MS = 60_000;

export interface TableCheckOptions extends UnderlyingTablesOptions {
  readonly warn: Warn;
}

/**
 * Makes a check that BigQuery, too, reads for a query no other tables than those of the sources that our analyzer found in
 * it. The tables of a source are its own, and, since BigQuery names the underlying tables of a view in its place, what it reads for
 * all of the source. A text that was checked is not checked again. Throws a ServiceError (invalid_argument), and warns the operator, when a
 * query would read anything else.
 */
export function makeTableCheck({
  warn,
  ...options
}: TableCheckOptions): (query: BoundQuery, dryRun: DryRunOptions) => Promise<void> {
  const checked = new ByteLru<true>(MAX_CHECKED_BYTES);
  const tablesBeneath = makeUnderlyingTables(options);

  /** The names in `foreign` that are not underlying tables of the query's sources, as they were at most so long ago. */
  async function withoutBeneath(
    foreign: readonly string[],
    { sources, labels }: BoundQuery,
    dryRun: DryRunOptions,
    maxAgeMs: number,
  ): Promise<readonly string[]> {
    const sets = await Promise.all(
      [...sources].map((source) => tablesBeneath(source, { maxAgeMs, labels }, dryRun)),
    );
    return foreign.filter((name) => !sets.some((names) => names.has(name)));
  }

  return async (query, dryRun) => {
    if (checked.get(query.query)) return;
    let foreign = (await dryRunTables(options.api, query, dryRun)).map(tableName);
    foreign = foreign.filter((name) => !query.tables.has(name));
    for (const maxAgeMs of [UNDERLYING_TTL_MS, LEAST_UNDERLYING_AGE_MS]) {
      if (foreign.length > 0) foreign = [...(await withoutBeneath(foreign, query, dryRun, maxAgeMs))];
    }
    if (foreign.length > 0) {
      warn('a query was stopped: BigQuery says that it reads other tables than those of its sources', {
        foreign,
      });
      throw new ServiceError('invalid_argument', 'The query may only read the sources of the endpoint.');
    }
    checked.set(query.query, true, { size: 2 * query.query.length });
  };
}
