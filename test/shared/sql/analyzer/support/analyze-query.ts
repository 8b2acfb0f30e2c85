import { type TableSchemas, tableSchema } from '../../../../../shared/schema/table-schema.ts';
import { analyze, analyzeSources } from '../../../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../../../shared/sql/parser/parse-query.ts';
import { type SqlType, typeText } from '../../../../../shared/sql/types/sql-type.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const text = (name: string) => ({ name, type: 'STRING' });
const record = (name: string, ...fields: readonly object[]) => ({
  name,
  type: 'RECORD',
  mode: 'REPEATED',
  fields,
});
const COLUMNS = [text('id'), { name: 'timestamp', type: 'TIMESTAMP' }, text('event_message')];

/** Three small sources that have the shapes of the real ones. */
export const TABLES: TableSchemas = new Map([
  [
    'edge_logs',
    tableSchema.parse([
      ...COLUMNS,
      record(
        'metadata',
        record('request', text('method'), text('path'), record('cf', text('country'))),
        record('response', { name: 'status_code', type: 'INTEGER' }),
      ),
    ]),
  ],
  ['auth_logs', tableSchema.parse([...COLUMNS, record('metadata', text('level'), text('path'))])],
  ['postgres_logs', tableSchema.parse([...COLUMNS, record('metadata', text('host'))])],
]);

/** A stored query with one CTE for each table. */
export function sourcesSql(tables: TableSchemas): string {
  const ctes = [...tables.keys()].map(
    (name) => `${name} as (select id, timestamp, event_message, metadata from logs.${name})`,
  );
  return `with ${ctes.join(', ')} select 1`;
}

const PARAMETERS: ReadonlyMap<string, SqlType> = new Map([
  ['project', { kind: 'STRING' }],
  ['n', { kind: 'INT64' }],
]);

/** A consumer's query, resolved over CTEs of the tables. */
export function analyzeQuery(sql: string, tables: TableSchemas = TABLES) {
  const prefix = sourcesSql(tables);
  const catalog = { dataset: 'logs', tables, parameters: PARAMETERS };
  const sources = analyzeSources(parseStatement(prefix), prefix, catalog);
  return analyze(parseStatement(sql), sql, { ...catalog, dataset: null }, sources);
}

/** `id STRING, n INT64`: the columns that a query answers. */
export function columnsOf(sql: string, tables: TableSchemas = TABLES): string {
  return analyzeQuery(sql, tables)
    .columns.map(({ name, type }) => `${name} ${typeText(type)}`)
    .join(', ');
}

/** The message of the ServiceError that a query is refused with; the place is its end. */
export function refusalOf(sql: string, tables: TableSchemas = TABLES): string {
  return serviceErrorOf(() => analyzeQuery(sql, tables)).message;
}
