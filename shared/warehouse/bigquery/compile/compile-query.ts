import { ServiceError } from '../../../errors/service-error.ts';
import type { TableSchemas } from '../../../schema/table-schema.ts';
import { type AnalyzedQuery, analyze } from '../../../sql/analyzer/analyze.ts';
import { tokenize } from '../../../sql/lexer/lexer.ts';
import { parseStatement } from '../../../sql/parser/parse-query.ts';
import { COMPOSED_LIMITS } from '../../../sql/text/sql-limits.ts';
import { applyEdits } from '../../../sql/text/text-edits.ts';
import { TokenIndex } from '../../../sql/text/token-index.ts';
import type { ParameterType } from '../../../sql/types/query-parameter.ts';
import type { Column, SqlType } from '../../../sql/types/sql-type.ts';
import { findNewestRows, type NewestRows } from '../../newest-first/newest-rows.ts';
import { STORED_DATASET } from '../../stored-dataset.ts';
import { type SourceTables, tableName } from '../source-tables.ts';
import { clockEdits } from './clock-edits.ts';
import { isInSourceOrder, sourceOrderTexts } from './source-order-text.ts';
import { type NamedSource, tableEdits } from './table-edits.ts';
import { tailEdits } from './tail-edits.ts';

/** A query ready to run on BigQuery. */
export interface CompiledQuery {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** Whether it answers the newest rows of a source that a parameter bounds from below, by that parameter. */
  readonly newestRows: ReadonlyMap<string, NewestRows>;
  /** The parameters in it, in lower case. */
  readonly parameters: ReadonlySet<string>;
  /** The TIMESTAMP parameter that holds the present; null where the query does not ask for it. */
  readonly clockParameter: string | null;
  /** The sources that it names. */
  readonly sources: ReadonlySet<string>;
  /** The whole names of their tables and views; an absent source has none. */
  readonly tables: ReadonlySet<string>;
}

export interface CompileOptions {
  readonly schemas: TableSchemas;
  /** Of all sources in the schemas. */
  readonly tables: SourceTables;
}

/**
 * Compiles GoogleSQL for BigQuery: sources become their tables, functions that read the clock become a parameter, a
 * plain SELECT gets the order of its source as far as its names can say it, and no more than `maxRows` rows come back. The rest of the text stays as
 * it is. Throws a ServiceError (invalid_argument) with the place for a query that is not understood.
 */
export function compileQuery(
  sql: string,
  { schemas, tables }: CompileOptions,
  parameterTypes: ReadonlyMap<string, ParameterType>,
  maxRows: number,
): CompiledQuery {
  const types = new Map<string, SqlType>();
  for (const [name, kind] of parameterTypes) types.set(name, { kind });
  const found = new Map<number, NamedSource>();
  const catalog = { dataset: STORED_DATASET, tables: schemas, parameters: types };
  const onTable = (source: string, at: number, alias: string | null) =>
    found.set(at, { source, hasAlias: alias !== null });
  const query = parseStatement(sql, COMPOSED_LIMITS);
  const analyzed = analyze(query, sql, { ...catalog, onTable });

  const tokens = tokenize(sql, COMPOSED_LIMITS);
  const index = new TokenIndex(tokens);
  const used = new Set(
    tokens.filter(({ kind }) => kind === 'parameter').map(({ value }) => value.toLowerCase()),
  );
  const clockParameter = unusedName('now', [...used, ...types.keys()]);
  const clock = clockEdits(query, index, clockParameter);
  const isRightOrder = (orderBy: string): boolean => {
    const text = applyEdits(sql, tailEdits(query, index, orderBy, maxRows));
    return meansSourceOrder(() => analyze(parseStatement(text, COMPOSED_LIMITS), text, catalog));
  };
  const orderBy = sourceOrderTexts(analyzed, query).find(isRightOrder) ?? null;
  const sources = new Set([...found.values()].map(({ source }) => source));
  const places = [...sources].flatMap((source) => tables.get(source) ?? []);
  return {
    sql: applyEdits(sql, [
      ...tableEdits(index, found, { schemas, tables }),
      ...clock,
      ...tailEdits(query, index, orderBy, maxRows),
    ]),
    columns: analyzed.columns,
    newestRows: newestRowsBy(analyzed, parameterTypes),
    parameters: used,
    clockParameter: clock.length === 0 ? null : clockParameter,
    sources,
    tables: new Set(places.map(tableName)),
  };
}

function newestRowsBy({ query }: AnalyzedQuery, types: ReadonlyMap<string, ParameterType>) {
  const found = new Map<string, NewestRows>();
  for (const [name, type] of types) {
    const rows = type === 'TIMESTAMP' ? findNewestRows(query, name) : null;
    if (rows !== null) found.set(name, rows);
  }
  return found;
}

/** Whether an ORDER BY means what it was written for: a name in it may stand for something else in this query. */
function meansSourceOrder(analyzeText: () => AnalyzedQuery): boolean {
  try {
    return isInSourceOrder(analyzeText());
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** A parameter's name that nothing else has; parameters are compared without regard to case. */
function unusedName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  while (names.has(name)) name += '_';
  return name;
}
