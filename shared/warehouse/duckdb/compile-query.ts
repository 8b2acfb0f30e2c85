import type { TableSchemas } from '../../schema/table-schema.ts';
import { analyze } from '../../sql/analyzer/analyze.ts';
import { parseStatement } from '../../sql/parser/parse-query.ts';
import { COMPOSED_LIMITS } from '../../sql/text/sql-limits.ts';
import type { ParameterType } from '../../sql/types/query-parameter.ts';
import type { Column, SqlType } from '../../sql/types/sql-type.ts';
import { STORED_DATASET } from '../stored-dataset.ts';
import { type KnownData, NOTHING_KNOWN } from './translate/passes/known-data.ts';
import { type PagedTranslation, translate } from './translate/translate.ts';

/** A GoogleSQL query ready to run on DuckDB. */
export interface CompiledQuery extends PagedTranslation {
  readonly columns: readonly Column[];
}

/**
 * Parses, resolves and translates a query for parameters of these types, and for data and values that are `known`, to be
 * read in pages of `pageRows` rows.
 */
export function compileQuery(
  sql: string,
  tables: TableSchemas,
  parameterTypes: ReadonlyMap<string, ParameterType>,
  pageRows: number,
  known: KnownData = NOTHING_KNOWN,
): CompiledQuery {
  const parameters = new Map<string, SqlType>();
  for (const [name, type] of parameterTypes) parameters.set(name, { kind: type });
  const analyzed = analyze(parseStatement(sql, COMPOSED_LIMITS), sql, {
    dataset: STORED_DATASET,
    tables,
    parameters,
  });
  return { ...translate(analyzed, pageRows, known), columns: analyzed.columns };
}

/** Keeps the compiled forms of the queries used last, as the same few run again and again. */
export class QueryCompiler {
  readonly #tables: TableSchemas;
  readonly #timeRanges: KnownData['timeRanges'];
  readonly #capacity: number;
  readonly #compiled = new Map<string, CompiledQuery>();

  constructor(tables: TableSchemas, timeRanges: KnownData['timeRanges'], capacity = 500) {
    this.#tables = tables;
    this.#timeRanges = timeRanges;
    this.#capacity = capacity;
  }

  /** `nullParameters`: those whose value will be NULL; the compiled query is for no others. */
  compile(
    sql: string,
    parameterTypes: ReadonlyMap<string, ParameterType>,
    pageRows: number,
    nullParameters: ReadonlySet<string> = new Set(),
  ): CompiledQuery {
    const types = [...parameterTypes].map(
      ([name, type]) => `${name} ${type}${nullParameters.has(name) ? ' NULL' : ''}`,
    );
    const key = `${pageRows}:${types.join(',')}:${sql}`;
    const known = { timeRanges: this.#timeRanges, nullParameters };
    const compiled =
      this.#compiled.get(key) ?? compileQuery(sql, this.#tables, parameterTypes, pageRows, known);
    this.#compiled.delete(key);
    this.#compiled.set(key, compiled);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > this.#capacity && oldest !== undefined) this.#compiled.delete(oldest);
    return compiled;
  }
}
