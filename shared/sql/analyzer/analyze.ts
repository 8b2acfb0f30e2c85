import type { Query } from '../ast/query.ts';
import type { ComputedColumn, ResolvedQuery } from '../resolved/scan.ts';
import type { Column } from '../types/sql-type.ts';
import { analysisError, type Catalog, type Environment, Ids, newColumn } from './environment.ts';
import { columnReference, fieldOf } from './resolve-name.ts';
import { resolveQuery } from './resolve-query.ts';

/** A query that is ready to run: its rows, and the columns under the names that callers see. */
export interface AnalyzedQuery {
  readonly query: ResolvedQuery;
  readonly columns: readonly Column[];
}

/**
 * Resolves all names and types of a query. `text` is what the query was parsed from, for the places in messages.
 * Throws a ServiceError (invalid_argument) that says where and what.
 */
export function analyze(query: Query, text: string, catalog: Catalog): AnalyzedQuery {
  const environment: Environment = { text, catalog, ids: new Ids(), ctes: new Map(), outer: null };
  const resolved = flattenRows(environment, resolveQuery(environment, query));
  return { query: resolved, columns: nameColumns(environment, resolved, query.at) };
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
  const seen = new Set<string>();
  for (const { name } of columns) {
    const key = name.toLowerCase();
    if (seen.has(key)) {
      const message = `Duplicate column names in the result are not supported: ${name}; give one of them another alias`;
      throw analysisError(environment, at, message);
    }
    seen.add(key);
  }
  return columns;
}
