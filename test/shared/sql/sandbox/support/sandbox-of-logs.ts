import { loadEndpoints } from '../../../../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../../../../shared/schema/load-table-schemas.ts';
import { makeSandbox } from '../../../../../shared/sql/sandbox/consumer-query.ts';
import type { QueryParameter } from '../../../../../shared/sql/types/query-parameter.ts';
import { FORBIDDEN_NAMES } from './refusals.ts';

const endpoints = await loadEndpoints('queries');
export const LOGS_ALL = endpoints.find('logs.all')!;
export const TABLES = await loadTableSchemas('queries/sources');

/** The sandbox of logs.all as it is served. */
export const sandbox = makeSandbox({
  endpointSql: LOGS_ALL.sql,
  parameterTypes: new Map(LOGS_ALL.parameters.map(({ name, type }) => [name, type])),
  tables: TABLES,
  dataset: 'logs',
  forbiddenNames: FORBIDDEN_NAMES,
});

/** The parameters of logs.all without time bounds. */
export const BOUND: ReadonlyMap<string, QueryParameter> = new Map([
  ['project', { type: 'STRING', value: 'demo' }],
  ['iso_timestamp_start', { type: 'TIMESTAMP', value: null }],
  ['iso_timestamp_end', { type: 'TIMESTAMP', value: null }],
]);
