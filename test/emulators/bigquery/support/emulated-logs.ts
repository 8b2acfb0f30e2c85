import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadTableSchemas } from '../../../../shared/schema/load-table-schemas.ts';
import { CONFORMANCE_LOGS, CONFORMANCE_SOURCES } from '../../../conformance/support/cases.ts';
import { EMULATED_PROJECT } from '../../support/bigquery-emulator.ts';
import { makeDataset } from './emulated-dataset.ts';

/** Puts the logs of the conformance cases into a new dataset; resolves to its name. */
export async function makeConformanceDataset(): Promise<string> {
  const tables = await loadTableSchemas(CONFORMANCE_SOURCES);
  const entries = new Map<string, readonly string[]>();
  for (const table of tables.keys()) {
    const text = await readFile(join(CONFORMANCE_LOGS, `${table}.ndjson`), 'utf8');
    entries.set(table, text.trimEnd().split('\n'));
  }
  return makeDataset(tables, entries);
}

/** The options of a service over a dataset of the emulator with the tables of the conformance cases. */
export function emulatedOptions(dataset: string): readonly string[] {
  return [
    ...['--warehouse', 'bigquery', '--google-project', EMULATED_PROJECT],
    ...['--bigquery-dataset', dataset, '--sources', CONFORMANCE_SOURCES],
  ];
}
