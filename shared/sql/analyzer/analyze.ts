import type { Query } from '../ast/query.ts';
import { ExpressionKeys } from '../resolved/expression-key.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type { ComputedColumn, ResolvedQuery } from '../resolved/scan.ts';
import type { Column } from '../types/sql-type.ts';
import { sizeOf } from '../types/type-size.ts';
import { Budget } from './budget.ts';
import {
  analysisError,
  type Catalog,
  type Ctes,
  type Environment,
  IdAllocator,
  newColumn,
  tooLarge,
} from './environment.ts';
import { fieldOf } from './resolve-name.ts';
import { resolveCtes, resolveQuery } from './resolve-query.ts';

/** A query that is ready to run: its rows, and the columns under the names that callers see. */
export interface AnalyzedQuery {
  readonly query: ResolvedQuery;
  readonly columns: readonly Column[];
  /** The greatest id that columns and CTEs in it have. */
  readonly lastId: number;
}

/** Most columns of a result with the fields in them; BigQuery's tables have no more. */
const MAX_RESULT_FIELDS = 10_000;

/** The CTEs of one query, for others to be resolved over. */
export interface Sources {
  readonly ctes: Ctes;
  /** The greatest id that columns and CTEs in them have. */
  readonly lastId: number;
}

const NO_SOURCES: Sources = { ctes: new Map(), lastId: 0 };

/** Resolves what stands in a query's outermost WITH. Throws as `analyze` does. */
export function analyzeSources(query: Query, text: string, catalog: Catalog): Sources {
  const ids = new IdAllocator();
  const ctes = resolveCtes(
    environmentOf(text, catalog, ids, new Map()),
    query.ctes,
    query.recursive === true,
  );
  return { ctes, lastId: ids.last };
}

/**
 * Resolves all names and types of a query, over the CTEs of `sources` besides its own. `text` is what the query was
 * parsed from, for the places in messages. Throws a ServiceError (invalid_argument) that says where and what.
 */
export function analyze(
  query: Query,
  text: string,
  catalog: Catalog,
  sources: Sources = NO_SOURCES,
): AnalyzedQuery {
  const { ctes, lastId } = sources;
  const environment = environmentOf(text, catalog, new IdAllocator(lastId), ctes);
  const resolved = flattenRows(environment, resolveQuery(environment, query));
  const columns = nameColumns(environment, resolved, query.at);
  return { query: resolved, columns, lastId: environment.ids.last };
}

function environmentOf(text: string, catalog: Catalog, ids: IdAllocator, ctes: Ctes): Environment {
  return { text, catalog, ids, keys: new ExpressionKeys(), budget: new Budget(), ctes, outer: null };
}

/** At the top, a row that is one struct shows its fields as columns. */
function flattenRows(environment: Environment, query: ResolvedQuery): ResolvedQuery {
  const [only] = query.columns;
  if (!query.isValueTable || only?.column.type.kind !== 'STRUCT') return query;
  const row = columnReference(only.column);
  const computed = only.column.type.fields.map((field, index): ComputedColumn => {
    return { column: newColumn(environment, field.name, field.type), expression: fieldOf(row, index) };
  });
  return {
    scan: { kind: 'project', input: query.scan, computed },
    columns: computed.map(({ column }) => ({ name: column.name, column })),
    isValueTable: false,
  };
}

/** Anonymous columns are called f0_, f1_, … in order; no two columns may have one name. */
function nameColumns(environment: Environment, query: ResolvedQuery, at: number): Column[] {
  let anonymous = 0;
  const columns = query.columns.map(({ name, column }): Column => {
    return { name: name === '' ? `f${anonymous++}_` : name, type: column.type };
  });
  const fields = columns.reduce((sum, { type }) => sum + 1 + sizeOf(type).fields, 0);
  if (fields > MAX_RESULT_FIELDS)
    throw tooLarge(`more than ${MAX_RESULT_FIELDS} columns and fields in its result`);
  const twice = duplicateName(columns, '');
  if (twice !== null) {
    const message = `Duplicate column names in the result are not supported: ${twice}; give one of them another alias`;
    throw analysisError(environment, at, message);
  }
  return columns;
}

/** The path of a column or field that has the name of another beside it; anonymous fields have names by their places. */
function duplicateName(fields: readonly Column[], path: string): string | null {
  const seen = new Set<string>();
  for (const { name, type } of fields) {
    const key = name.toLowerCase();
    if (key !== '' && seen.has(key)) return `${path}${name}`;
    seen.add(key);
    const record = type.kind === 'ARRAY' ? type.element : type;
    const within = record.kind === 'STRUCT' ? duplicateName(record.fields, `${path}${name}.`) : null;
    if (within !== null) return within;
  }
  return null;
}
