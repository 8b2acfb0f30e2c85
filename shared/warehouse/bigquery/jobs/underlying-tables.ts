import { makeSingleFlight } from '../../../concurrency/single-flight.ts';
import type { TableSchema, TableSchemas } from '../../../schema/table-schema.ts';
import { binary, literal, path, query, select, star, table } from '../../../sql/ast/build.ts';
import { printQuery } from '../../../sql/print/print-query.ts';
import type { RestApi } from '../rest/rest-api.ts';
import { type SourceTables, type TableReference, tableName } from '../source-tables.ts';
import { type DryRunOptions, dryRunTables } from './dry-run.ts';

/** How long an answer is valid, in ms: a view, or one that it reads, may change. */
export const UNDERLYING_TTL_MS = 10 * 60_000;

export interface UnderlyingTablesOptions {
  readonly api: RestApi;
  readonly schemas: TableSchemas;
  readonly tables: SourceTables;
  /** Of a clock that never runs backwards. */
  readonly nowMs: () => number;
}

/** How fresh the answer has to be, and the labels of the job that finds it. */
export interface UnderlyingTablesRequest {
  /** What was learnt longer ago is learnt again, in ms. */
  readonly maxAgeMs: number;
  /** What the job that asks is accounted under. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Answers the whole names of the tables that BigQuery reads for a source. */
export type UnderlyingTables = (
  source: string,
  request: UnderlyingTablesRequest,
  options: DryRunOptions,
) => Promise<ReadonlySet<string>>;

/**
 * Learns by a dry run what BigQuery reads for all of a source: of a table, itself; of a view, its underlying tables,
 * nested views included. What it learns is kept, and those who ask at the same time share one dry run. Throws as `dryRunTables` does.
 */
export function makeUnderlyingTables({
  api,
  schemas,
  tables,
  nowMs,
}: UnderlyingTablesOptions): UnderlyingTables {
  const learnt = new Map<string, { readonly names: ReadonlySet<string>; readonly atMs: number }>();
  const flight = makeSingleFlight<ReadonlySet<string>>();

  return async (source, { maxAgeMs, labels }, options) => {
    const place = tables.get(source);
    if (place === undefined || place === null) return new Set();
    const known = learnt.get(source);
    if (known !== undefined && nowMs() - known.atMs < maxAgeMs) return known.names;
    return flight.run(source, options.signal, async (signal) => {
      const atMs = nowMs();
      const query = selectAllFrom(place, schemas.get(source) ?? []);
      const found = await dryRunTables(api, { query, queryParameters: [], labels }, { ...options, signal });
      const names = new Set(found.map(tableName));
      learnt.set(source, { names, atMs });
      return names;
    });
  };
}

/** A query for all of a table or view; a table that requires a filter over its partitions has one. */
export function selectAllFrom(place: TableReference, schema: TableSchema): string {
  const hasTime = schema.some(({ name, type }) => name === 'timestamp' && type === 'TIMESTAMP');
  const epoch = literal('TIMESTAMP', '1970-01-01 00:00:00+00');
  const where = hasTime ? binary(path('timestamp'), '>', epoch) : null;
  const from = table([place.project, place.dataset, place.table]);
  return printQuery(query(select([star()], { from, where })));
}
