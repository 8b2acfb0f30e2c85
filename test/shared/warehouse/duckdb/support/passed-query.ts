import type { TableSchemas } from '../../../../../shared/schema/table-schema.ts';
import { analyze } from '../../../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../../../shared/sql/parser/parse-query.ts';
import type { SqlType } from '../../../../../shared/sql/types/sql-type.ts';
import { NOTHING_KNOWN } from '../../../../../shared/warehouse/duckdb/translate/passes/known-data.ts';
import { STORED_DATASET } from '../../../../../shared/warehouse/stored-dataset.ts';
import { type PassedPlan, passAnalyzed } from './run-each-pass.ts';

/** The plan of the first thousand rows of a query over tables, with STRING parameters. */
export function passedQuery(
  sql: string,
  tables: TableSchemas,
  parameterNames: readonly string[] = [],
): PassedPlan {
  const parameters = new Map(parameterNames.map((name): [string, SqlType] => [name, { kind: 'STRING' }]));
  const analyzed = analyze(parseStatement(sql), sql, { dataset: STORED_DATASET, tables, parameters });
  return passAnalyzed(analyzed, 1000, NOTHING_KNOWN);
}
