import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Zippable, zipSync } from 'fflate';

/** A function's archive, as the platform takes it. */
export interface BuiltFunction {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** Of the archive, 64 hexadecimal digits: the same inputs give the same. */
  readonly sha256: string;
}

/** The earliest time that an archive can hold, so that it does not depend on when it was made. */
const NO_TIME = new Date(1980, 0, 1);

/** Packs a folder into `<name>.zip`: files in order of their names, without times or owners. */
export async function writeArchive(name: string, folder: string, output: string): Promise<BuiltFunction> {
  const entries: Zippable = {};
  for (const path of await filesBelow(folder)) {
    const inside = relative(folder, path).replaceAll(sep, '/');
    entries[inside] = [await readFile(path), { mtime: NO_TIME, level: 9 }];
  }
  const archive = zipSync(entries);
  const file = `${name}.zip`;
  await writeFile(join(output, file), archive);
  return { name, file, bytes: archive.length, sha256: createHash('sha256').update(archive).digest('hex') };
}

/** Metadata of a function, for Terraform. */
export interface ManifestEntry extends BuiltFunction {
  /** The log tables that the function may read. */
  readonly tables: readonly string[];
}

/** Writes `manifest.json`: what was built, by the functions' names. */
export async function writeManifest(built: readonly ManifestEntry[], output: string): Promise<void> {
  const functions = Object.fromEntries(
    built.map(({ name, file, sha256, tables }) => [name, { file, sha256, tables }]),
  );
  await writeFile(join(output, 'manifest.json'), `${JSON.stringify(functions, null, 2)}\n`);
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
