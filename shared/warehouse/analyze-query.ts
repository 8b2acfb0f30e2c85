import type { TableSchemas } from '../schema/table-schema.ts';
import { type AnalyzedQuery, analyze } from '../sql/analyzer/analyze.ts';
import { parseStatement } from '../sql/parser/parse-query.ts';
import { catalogTypes } from '../sql/sandbox/catalog-types.ts';
import { COMPOSED_LIMITS } from '../sql/text/sql-limits.ts';
import { STORED_DATASET } from './stored-dataset.ts';
import type { QueryText } from './warehouse.ts';

/** Parses a query and resolves it over the sources' tables. Throws a ServiceError (invalid_argument) with the place. */
export function analyzeQuery({ sql, parameterTypes }: QueryText, tables: TableSchemas): AnalyzedQuery {
  return analyze(parseStatement(sql, COMPOSED_LIMITS), sql, {
    dataset: STORED_DATASET,
    tables,
    parameters: catalogTypes(parameterTypes),
  });
}
