import type { Column } from '../../../sql/types/sql-type.ts';
import { textOf } from '../../query-text.ts';
import type { RunOptions, WarehouseQuery } from '../../warehouse.ts';
import type { CompiledQuery } from '../compile/compile-query.ts';
import type { QueryCompiler } from '../compile/query-compiler.ts';
import { rowLimitOf } from '../paging/row-limit.ts';
import { jobLabels } from '../rest/labels.ts';
import { type RestParameter, restParameter } from '../rest/query-parameters.ts';

/** A compiled query with its values, as BigQuery receives it. */
export interface BoundQuery {
  readonly query: string;
  readonly queryParameters: readonly RestParameter[];
  readonly labels: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  readonly sources: ReadonlySet<string>;
  /** The whole names of their tables and views. */
  readonly tables: ReadonlySet<string>;
}

/** Compiles a query, where it is not kept, and binds its values. Throws a ServiceError (invalid_argument) as the compiler does. */
export function bindQuery(
  compiler: QueryCompiler,
  query: WarehouseQuery,
  { maxRows, nowMicros, labels }: RunOptions,
): BoundQuery {
  const compiled = compiler.prepare(textOf(query));
  return {
    query: compiled.sqlFor(rowLimitOf(maxRows) + 1),
    queryParameters: boundParameters(compiled, query.parameters, nowMicros),
    labels: jobLabels(labels ?? {}),
    columns: compiled.columns,
    sources: compiled.sources,
    tables: compiled.tables,
  };
}

function boundParameters(
  { parameters: used, clockParameter }: CompiledQuery,
  parameters: WarehouseQuery['parameters'],
  nowMicros: bigint,
): readonly RestParameter[] {
  const bound = [...parameters]
    .filter(([name]) => used.has(name.toLowerCase()))
    .map(([name, parameter]) => restParameter(name, parameter));
  if (clockParameter === null) return bound;
  return [...bound, restParameter(clockParameter, { type: 'TIMESTAMP', value: nowMicros })];
}
