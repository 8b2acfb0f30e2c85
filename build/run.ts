import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeArchive, writeManifest } from './archive.ts';
import { bundleExplorer } from './bundle-explorer.ts';
import { bundleFunction } from './bundle-function.ts';
import { checkedDefinitions } from './checked-definitions.ts';
import { deployedFunctions } from './deployed-functions.ts';
import { endpointTables } from './endpoint-tables.ts';
import { packageFunction } from './function-package.ts';

/** Bundles every function into `dist`, or into the folder that is given. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = resolve(process.argv[2] ?? join(root, 'dist'));

const definitions = await checkedDefinitions(root);
const tables = await endpointTables(definitions, join(root, 'queries'));
await rm(output, { recursive: true, force: true });
const built = [];
for (const deployed of await deployedFunctions(root, definitions.endpoints.all)) {
  const folder = join(output, deployed.name);
  await bundleFunction(root, deployed, definitions, folder);
  if (deployed.explorer) await bundleExplorer(root, folder);
  await packageFunction(root, deployed, folder);
  const read = new Set(deployed.runs.flatMap((endpoint) => tables.get(endpoint) ?? []));
  built.push({ ...(await writeArchive(deployed.name, folder, output)), tables: [...read].sort() });
}
await writeManifest(built, output);
for (const { name, bytes, sha256 } of built) {
  process.stdout.write(`${name.padEnd(24)}${String(Math.ceil(bytes / 1024)).padStart(6)} KiB  ${sha256}\n`);
}
