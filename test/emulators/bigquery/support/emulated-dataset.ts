import { randomUUID } from 'node:crypto';
import type { TableSchema, TableSchemas } from '../../../../shared/schema/table-schema.ts';
import { EMULATED_PROJECT } from '../../support/bigquery-emulator.ts';
import { columnDefinition, readEntry, rowLiteral } from './typed-literals.ts';

/** Few enough that the emulator's parser is done with one statement soon. */
const ROWS_PER_INSERT = 25;

/** Where the emulator listens, as global-setup left it. */
export function emulatorHost(): string {
  const host = process.env.BIGQUERY_EMULATOR_HOST;
  if (host === undefined) throw new Error('the BigQuery emulator is not running');
  return host;
}

/**
 * Makes its own dataset with these tables and entries (lines of log files) in the emulator; resolves to its
 * name. All comes by statements: its tables.insert does not quote fields' names, its load jobs and insertAll garble
 * nested records.
 */
export async function makeDataset(
  tables: TableSchemas,
  entries: ReadonlyMap<string, readonly string[]>,
): Promise<string> {
  const dataset = await makeEmptyDataset();
  for (const [table, schema] of tables) {
    const path = `\`${dataset}\`.\`${table}\``;
    await runStatement(`CREATE TABLE ${path} (${schema.map(columnDefinition).join(', ')})`);
    const lines = entries.get(table) ?? [];
    for (let first = 0; first < lines.length; first += ROWS_PER_INSERT) {
      await insert(path, schema, lines.slice(first, first + ROWS_PER_INSERT));
    }
  }
  return dataset;
}

/** Makes its own dataset without tables; resolves to its name. */
export async function makeEmptyDataset(): Promise<string> {
  const dataset = `logs_${randomUUID().replaceAll('-', '')}`;
  await post('/datasets', { datasetReference: { projectId: EMULATED_PROJECT, datasetId: dataset } });
  return dataset;
}

async function insert(path: string, schema: TableSchema, lines: readonly string[]): Promise<void> {
  const columns = schema.map(({ name }) => `\`${name}\``).join(', ');
  const rows = lines.map((line) => rowLiteral(schema, readEntry(line)));
  await runStatement(`INSERT INTO ${path} (${columns}) VALUES ${rows.join(', ')}`);
}

/** Runs a statement, such as one that makes a view. */
export function runStatement(query: string): Promise<void> {
  return post('/queries', { query, useLegacySql: false });
}

/** Deletes all jobs: the emulator reads every job that it has had for each request, and so gets slower with each. */
export async function forgetJobs(): Promise<void> {
  const { jobs = [] } = (await call('GET', '/jobs?maxResults=1000')) as JobList;
  for (const { jobReference } of jobs) await call('DELETE', `/jobs/${jobReference.jobId}/delete`);
}

interface JobList {
  readonly jobs?: readonly { readonly jobReference: { readonly jobId: string } }[];
}

async function post(path: string, body: object): Promise<void> {
  await call('POST', path, body);
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const url = `http://${emulatorHost()}/bigquery/v2/projects/${EMULATED_PROJECT}${path}`;
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  // Two suites may delete the same job.
  if (method === 'DELETE' && response.status === 404) return null;
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 1000)}`);
  return text === '' ? null : JSON.parse(text);
}
