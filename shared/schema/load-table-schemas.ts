import { basename, join } from 'node:path';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { listFiles, readSettingsFile } from './read-settings-file.ts';
import { SOURCE_NAME } from './source-name.ts';
import { type TableSchema, type TableSchemas, tableSchema } from './table-schema.ts';

/**
 * Reads every `<source>.json` of a folder: a table's schema as BigQuery writes it. Throws a ConfigurationError
 * with a line for each fault, which names the file.
 */
export async function loadTableSchemas(directory: string): Promise<TableSchemas> {
  const files = (await listFiles(directory)).filter((file) => file.endsWith('.json'));
  if (files.length === 0)
    throw new ConfigurationError(`${directory}: no table schema (<source>.json) in this folder`);
  const schemas = new Map<string, TableSchema>();
  const faults: string[] = [];
  for (const file of files) {
    const path = join(directory, file);
    const source = basename(file, '.json');
    try {
      if (!SOURCE_NAME.test(source)) {
        throw new ConfigurationError(
          `${path}: a source's name must be lower-case letters, digits and underscores`,
        );
      }
      schemas.set(source, await readSettingsFile(path, tableSchema));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return schemas;
}
