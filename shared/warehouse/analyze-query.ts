import type { TableSchemas } from '../schema/table-schema.ts';
import { type AnalyzedQuery, analyze } from '../sql/analyzer/analyze.ts';
import type { Query } from '../sql/ast/query.ts';
import { parseStatement } from '../sql/parser/parse-query.ts';
import { catalogTypes } from '../sql/sandbox/catalog-types.ts';
import { COMPOSED_LIMITS } from '../sql/text/sql-limits.ts';
import { STORED_DATASET } from './stored-dataset.ts';
import type { QueryText, SourceQuery } from './warehouse.ts';

/** The syntax tree of a query, parsed where it is not known. Throws a ServiceError (invalid_argument) with the place. */
export function treeOf({ sql, tree }: SourceQuery): Query {
  return tree ?? parseStatement(sql, COMPOSED_LIMITS);
}

/** Resolves a query over the sources' tables. Throws a ServiceError (invalid_argument) with the place. */
export function analyzeQuery(text: QueryText, tables: TableSchemas): AnalyzedQuery {
  const parameters = catalogTypes(text.parameterTypes);
  return analyze(treeOf(text), text.sql, { dataset: STORED_DATASET, tables, parameters });
}
