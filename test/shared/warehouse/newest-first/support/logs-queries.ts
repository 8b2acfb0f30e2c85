import { readFileSync } from 'node:fs';
import { loadTableSchemas } from '../../../../../shared/schema/load-table-schemas.ts';
import { makeSandbox } from '../../../../../shared/sql/sandbox/consumer-query.ts';
import type { ParameterType, QueryParameter } from '../../../../../shared/sql/types/query-parameter.ts';
import { analyzeQuery } from '../../../../../shared/warehouse/analyze-query.ts';
import type { NewestRowsOf } from '../../../../../shared/warehouse/newest-first/newest-first-warehouse.ts';
import { findNewestRows } from '../../../../../shared/warehouse/newest-first/newest-rows.ts';
import { textOf } from '../../../../../shared/warehouse/query-text.ts';
import type { WarehouseQuery } from '../../../../../shared/warehouse/warehouse.ts';

export const LOGS_TABLES = await loadTableSchemas('queries/sources');
export const TIME_WINDOW = { start: 'iso_timestamp_start', end: 'iso_timestamp_end' };

const LOGS_SQL = readFileSync('queries/logs.all.sql', 'utf8');

const LOGS_PARAMETERS: ReadonlyMap<string, ParameterType> = new Map([
  ['project', 'STRING'],
  ['iso_timestamp_start', 'TIMESTAMP'],
  ['iso_timestamp_end', 'TIMESTAMP'],
]);

const sandbox = makeSandbox({
  endpointSql: LOGS_SQL,
  parameterTypes: LOGS_PARAMETERS,
  tables: LOGS_TABLES,
  dataset: 'logs',
  forbiddenNames: [],
});

/** Whether such a query answers the newest rows. */
export const newestLogs: NewestRowsOf = (query, start) =>
  findNewestRows(analyzeQuery(textOf(query), LOGS_TABLES).query, start);

/** The stored query of logs.all, or a consumer's over its CTEs, as the warehouse gets it. */
export function logsQuery(
  sql: string | null,
  project: string,
  bounds: { readonly start?: bigint | null; readonly end?: bigint | null } = {},
): WarehouseQuery {
  const values = new Map<string, QueryParameter>([
    ['project', { type: 'STRING', value: project }],
    ['iso_timestamp_start', { type: 'TIMESTAMP', value: bounds.start ?? null }],
    ['iso_timestamp_end', { type: 'TIMESTAMP', value: bounds.end ?? null }],
  ]);
  if (sql === null) return { sql: LOGS_SQL, parameters: values };
  const compiled = sandbox.compile(sql, new Map(), values);
  return { sql: compiled.sql, parameters: compiled.parameters };
}
