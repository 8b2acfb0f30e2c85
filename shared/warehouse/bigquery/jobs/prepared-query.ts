import type { Column } from '../../../sql/types/sql-type.ts';
import type { RunOptions, WarehouseQuery } from '../../warehouse.ts';
import type { CompiledQuery } from '../compile/compile-query.ts';
import { type QueryCompiler, typesOf } from '../compile/query-compiler.ts';
import { rowLimitOf } from '../paging/row-limit.ts';
import { jobLabels } from '../rest/labels.ts';
import { type RestParameter, restParameter } from '../rest/query-parameters.ts';

/** A query with its values, as BigQuery receives it. */
export interface PreparedQuery {
  readonly query: string;
  readonly queryParameters: readonly RestParameter[];
  readonly labels: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  readonly sources: ReadonlySet<string>;
  /** The whole names of their tables and views. */
  readonly tables: ReadonlySet<string>;
}

/** Compiles a query and binds its values. Throws a ServiceError (invalid_argument) as the compiler does. */
export function prepareQuery(
  compiler: QueryCompiler,
  { sql, parameters }: WarehouseQuery,
  { maxRows, nowMicros, labels }: RunOptions,
): PreparedQuery {
  const compiled = compiler.compile(sql, typesOf(parameters), rowLimitOf(maxRows) + 1);
  return {
    query: compiled.sql,
    queryParameters: boundParameters(compiled, parameters, nowMicros),
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
