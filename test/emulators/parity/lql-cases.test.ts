import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from '@jest/globals';
import type { TableSchemas } from '../../../shared/schema/table-schema.ts';
import { type RealService, startRealService } from '../../data/support/real-service.ts';
import { datasetLines } from '../../shared/lql/evaluator/events.ts';
import { startWithLines } from '../../shared/lql/evaluator/service.ts';
import { lqlCasesSuite } from '../../shared/lql/support/cases-suite.ts';
import { forgetJobs, makeDataset } from '../bigquery/support/emulated-dataset.ts';
import { EMULATED_PROJECT } from '../support/bigquery-emulator.ts';

/** The cases that the emulator fails where BigQuery itself does not, by id, with the reason. */
const EMULATOR_LQL_DEFECTS: ReadonlyMap<string, string> = new Map([
  ['pub-026', 'it takes 0.0 in a nested record for greater than 0.5'],
]);

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});
afterEach(forgetJobs);

/** The tables that the embedded engine makes of the cases' logs, whose entries have fields beyond the built-in ones. */
async function tablesOf(lines: ReturnType<typeof datasetLines>): Promise<TableSchemas> {
  const embedded = await startWithLines(lines);
  const { tables } = embedded.service.warehouse;
  await embedded.close();
  return tables;
}

async function writeSchemas(tables: TableSchemas): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lql-schemas-'));
  folders.push(folder);
  for (const [table, schema] of tables)
    await writeFile(join(folder, `${table}.json`), JSON.stringify(schema));
  return folder;
}

async function startOnBigQuery(): Promise<RealService> {
  const lines = datasetLines();
  const tables = await tablesOf(lines);
  return startRealService(
    ...['--warehouse', 'bigquery', '--google-project', EMULATED_PROJECT],
    ...['--bigquery-dataset', await makeDataset(tables, new Map(Object.entries(lines)))],
    ...['--sources', await writeSchemas(tables)],
  );
}

lqlCasesSuite(startOnBigQuery, EMULATOR_LQL_DEFECTS);
