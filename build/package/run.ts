import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { bundleCommand, COMMAND_FOLDER } from './bundle-command.ts';

/** Makes what `npm pack` puts into the package, and makes sure that the package installs all that it imports. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

const { dependencies } = manifest.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
const missing = (await bundleCommand(root)).filter((name) => !Object.hasOwn(dependencies, name));
if (missing.length > 0) {
  throw new Error(`package.json must name these among its dependencies: ${missing.join(', ')}`);
}
// npm prints the package's name on standard output, for scripts to read.
process.stderr.write(`Bundled lqe into ${COMMAND_FOLDER}.\n`);
