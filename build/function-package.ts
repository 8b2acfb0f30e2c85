import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CODE_FOLDER, COMPILER_FILE } from './bundle-function.ts';
import type { DeployedFunction } from './deployed-functions.ts';

/** What a bundle does not hold and the platform installs. */
const FRAMEWORK = '@google-cloud/functions-framework';

const lockedPackage = z.looseObject({
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
});
const lockFile = z.looseObject({ packages: z.record(z.string(), lockedPackage) });
const manifest = z.looseObject({ version: z.string(), license: z.string() });

type Packages = z.infer<typeof lockFile>['packages'];

/** Writes the function's own package.json and package-lock.json: the framework alone, as the root's lock has it. */
export async function packageFunction(
  root: string,
  { name }: DeployedFunction,
  folder: string,
): Promise<void> {
  const { version, license } = manifest.parse(await readJson(join(root, 'package.json')));
  const { packages } = lockFile.parse(await readJson(join(root, 'package-lock.json')));
  const framework = packages[`node_modules/${FRAMEWORK}`]?.version;
  if (framework === undefined) throw new Error(`package-lock.json does not lock ${FRAMEWORK}`);
  const packageFields = {
    name: `log-query-endpoints-${name}`,
    version,
    license,
    dependencies: { [FRAMEWORK]: framework },
    engines: { node: '>=24' },
  };
  await writeJson(join(folder, 'package.json'), {
    ...packageFields,
    private: true,
    type: 'module',
    main: `${CODE_FOLDER}/index.mjs`,
    scripts: {
      'gcp-build': `node ${COMPILER_FILE} ${name}`,
      start: `functions-framework --target=${name}`,
    },
  });
  await writeJson(join(folder, 'package-lock.json'), {
    name: packageFields.name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': packageFields, ...reachable(packages, FRAMEWORK) },
  });
}

/** The packages of a lock file that one package needs, found as Node's resolution finds them: nearest folder first. */
function reachable(packages: Packages, name: string): Packages {
  const found = new Map<string, Packages[string]>();
  const visit = (packageName: string, from: string): void => {
    const at = resolve(packages, packageName, from);
    const locked = at === undefined ? undefined : packages[at];
    if (at === undefined || locked === undefined)
      throw new Error(`package-lock.json does not lock ${packageName}`);
    if (found.has(at)) return;
    found.set(at, locked);
    for (const dependency of Object.keys(locked.dependencies ?? {})) visit(dependency, at);
  };
  visit(name, '');
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function resolve(packages: Packages, packageName: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${packageName}`;
    if (packages[candidate] !== undefined) return candidate;
    if (folder === '') return undefined;
  }
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
