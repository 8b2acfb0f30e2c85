import { ByteLru } from '../../lru/byte-lru.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import type { AnalyzedQuery } from '../../sql/analyzer/analyze.ts';
import type { ParameterType } from '../../sql/types/query-parameter.ts';
import type { Column } from '../../sql/types/sql-type.ts';
import { analyzeQuery } from '../analyze-query.ts';
import { textKey } from '../query-text.ts';
import type { QueryText } from '../warehouse.ts';
import { type KnownData, type KnownTables, NOTHING_KNOWN } from './translate/passes/known-data.ts';
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
  return compileAnalyzed(analyzeQuery({ sql, parameterTypes }, tables), pageRows, known);
}

function compileAnalyzed(analyzed: AnalyzedQuery, pageRows: number, known: KnownData): CompiledQuery {
  return { ...translate(analyzed, pageRows, known), columns: analyzed.columns };
}

/** How a query is going to be run. */
export interface RunShape {
  readonly pageRows: number;
  /** Parameters whose value is NULL; the compiled query is for no others. */
  readonly nullParameters?: ReadonlySet<string>;
}

/** What was compiled of a query, by the shape of the run. */
type Compiled = ReadonlyMap<string, CompiledQuery>;

/** Most bytes that the analysed queries may take, and those that are compiled. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** Bytes for each character of a query, resolved, and of its DuckDB SQL; measured on the heap of Node 24, most take less. */
const TREE_BYTES = 34;
const SQL_BYTES = 20;

/** Compiles queries and keeps those used last, as the same few run again and again: each text is analysed once. */
export class QueryCompiler {
  readonly #tables: TableSchemas;
  readonly #knownTables: KnownTables;
  readonly #analyzed: ByteLru<AnalyzedQuery>;
  readonly #compiled = new ByteLru<Compiled>(MAX_KEPT_BYTES);

  /** `analyzed` are queries over the same tables. */
  constructor(
    tables: TableSchemas,
    knownTables: KnownTables,
    analyzed = new ByteLru<AnalyzedQuery>(MAX_KEPT_BYTES),
  ) {
    this.#tables = tables;
    this.#knownTables = knownTables;
    this.#analyzed = analyzed;
  }

  /** A compiler for the same tables, of which something else is known. */
  over(knownTables: KnownTables): QueryCompiler {
    return new QueryCompiler(this.#tables, knownTables, this.#analyzed);
  }

  /** Throws a ServiceError (invalid_argument) for a query that is not understood, or that the engine cannot do. */
  prepare(text: QueryText, { pageRows, nullParameters = new Set() }: RunShape): CompiledQuery {
    const key = textKey(text);
    const shape = JSON.stringify([pageRows, ...nullParameters]);
    const kept = this.#compiled.get(key);
    const known = kept?.get(shape);
    if (known !== undefined) return known;
    const analyzed = this.#analyzed.get(key) ?? analyzeQuery(text, this.#tables);
    const made = compileAnalyzed(analyzed, pageRows, { ...this.#knownTables, nullParameters });
    this.#analyzed.set(key, analyzed, { size: TREE_BYTES * key.length });
    const compiled = new Map(kept).set(shape, made);
    const sqlLength = [...compiled.values()].reduce(
      (sum, { sql, recent }) => sum + sql.length + (recent?.sql.length ?? 0),
      0,
    );
    this.#compiled.set(key, compiled, { size: key.length + SQL_BYTES * sqlLength });
    return made;
  }
}
