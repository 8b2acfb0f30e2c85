import { join } from 'node:path';
import * as z from 'zod';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { listFiles, readSettingsFile } from './read-settings-file.ts';
import type { TableSchemas } from './table-schema.ts';

/** Other names of sources, under which programs send entries: name to source. */
export type SourceNames = ReadonlyMap<string, string>;

/** The folder of such names in that of the sources. */
const FOLDER = 'names';

const MAX_NAME_CHARACTERS = 200;

const namesFile = z.record(z.string().min(1).max(MAX_NAME_CHARACTERS), z.string());

/**
 * Reads the other names of sources from every `names/*.json` of the sources' folder, which need not be there: objects of a
 * name and its source each. Throws a ConfigurationError with a line for each fault, which names the file.
 */
export async function loadSourceNames(directory: string, schemas: TableSchemas): Promise<SourceNames> {
  const folder = join(directory, FOLDER);
  const files = (await listFiles(folder, 'optional')).filter((file) => file.endsWith('.json'));
  const names = new Map<string, string>();
  const faults: string[] = [];
  for (const file of files) {
    const path = join(folder, file);
    for (const [name, source] of Object.entries(await readSettingsFile(path, namesFile))) {
      const fault = (message: string) => faults.push(`${path}: ${JSON.stringify(name)}: ${message}`);
      if (!schemas.has(source)) fault(`there is no source ${JSON.stringify(source)}`);
      if (schemas.has(name)) fault('this is the name of a source itself');
      if (names.has(name)) fault('another file has the same name');
      names.set(name, source);
    }
  }
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return names;
}
