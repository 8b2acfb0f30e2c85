import { ServiceError } from '../../../errors/service-error.ts';
import { type AnalyzedQuery, analyze } from '../../../sql/analyzer/analyze.ts';
import { mapQuery } from '../../../sql/ast/map-query.ts';
import type { Query, TablePath } from '../../../sql/ast/query.ts';
import { walkQuery } from '../../../sql/ast/walk-query.ts';
import { joinParts, printParts, printQuery } from '../../../sql/print/print-query.ts';
import { catalogTypes } from '../../../sql/sandbox/catalog-types.ts';
import type { ParameterType } from '../../../sql/types/query-parameter.ts';
import type { Column } from '../../../sql/types/sql-type.ts';
import { treeOf } from '../../analyze-query.ts';
import { findNewestRows, type NewestRows } from '../../newest-first/newest-rows.ts';
import { STORED_DATASET } from '../../stored-dataset.ts';
import type { QueryText } from '../../warehouse.ts';
import { tableName } from '../source-tables.ts';
import { clockValue, readsClock } from './clock-calls.ts';
import { withTail } from './query-tail.ts';
import { isInSourceOrder, sourceOrderItems } from './source-order-items.ts';
import { type SourcePlaces, storedTable } from './stored-tables.ts';

/** A query ready to run on BigQuery. */
export interface CompiledQuery {
  /** Its text, from which no more than `maxRows` rows come back. */
  readonly sqlFor: (maxRows: number) => string;
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

/**
 * Compiles GoogleSQL for BigQuery: sources become their tables, functions that read the clock become a parameter, and a
 * plain SELECT gets the order of its source as far as its names can say it.
 * Throws a ServiceError (invalid_argument) with the place for a query that is not understood.
 */
export function compileQuery(text: QueryText, places: SourcePlaces): CompiledQuery {
  const { sql, parameterTypes } = text;
  const types = catalogTypes(parameterTypes);
  const found = new Map<object, string>();
  const catalog = { dataset: STORED_DATASET, tables: places.schemas, parameters: types };
  const query = treeOf(text);
  const onTable = (source: string, item: TablePath) => found.set(item, source);
  const analyzed = analyze(query, sql, { ...catalog, onTable });

  const { parameters, asksClock } = readNodes(query);
  const clockParameter = unusedName('now', [...parameters, ...types.keys()]);
  const isRightOrder = (tree: Query): boolean => meansSourceOrder(() => analyze(tree, sql, catalog));
  const order = sourceOrderItems(analyzed, query).find((items) => isRightOrder(withTail(query, items, 1)));
  const compiled = mapQuery(query, (node) => {
    const source = found.get(node);
    if (source !== undefined && node.kind === 'table') return storedTable(node, source, places);
    return node.kind === 'call' && readsClock(node) ? clockValue(node, clockParameter) : node;
  });
  const sources = new Set(found.values());
  const { ctes, recursive } = printParts(compiled);
  const main = { ...compiled, ctes: [] };
  return {
    sqlFor: (maxRows) =>
      joinParts({ ctes, recursive, rest: printQuery(withTail(main, order ?? null, maxRows)) }),
    columns: analyzed.columns,
    newestRows: newestRowsBy(analyzed, parameterTypes),
    parameters,
    clockParameter: asksClock ? clockParameter : null,
    sources,
    tables: new Set([...sources].flatMap((source) => places.tables.get(source) ?? []).map(tableName)),
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

/** The parameters in a query, in lower case, and whether it asks for the present. */
function readNodes(query: Query): { readonly parameters: ReadonlySet<string>; readonly asksClock: boolean } {
  const parameters = new Set<string>();
  let asksClock = false;
  for (const { node } of walkQuery(query)) {
    if (node.kind === 'parameter') parameters.add(node.name.toLowerCase());
    if (node.kind === 'call' && readsClock(node)) asksClock = true;
  }
  return { parameters, asksClock };
}

/** Whether an ORDER BY means what it was written for: a name in it may stand for something else in this query. */
function meansSourceOrder(analyzeTree: () => AnalyzedQuery): boolean {
  try {
    return isInSourceOrder(analyzeTree());
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
