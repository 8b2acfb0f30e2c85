import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { NODE_TARGET } from '../bundle-function.ts';

/** Where the bundle lies in the repository and in the package: two folders deep, as the sources that it is made of. */
export const COMMAND_FOLDER = 'dist/cli';

/** What Node is started with, by the names that the bundle's files have. */
const ENTRY_POINTS = {
  lqe: 'cli/lqe.ts',
  'query-process': 'shared/warehouse/duckdb/isolated/query-process.ts',
  'segment-process': 'shared/warehouse/duckdb/live/segment-process.ts',
} as const;

/**
 * Bundles `lqe` as JavaScript, which Node runs below node_modules too. Pieces are loaded on first use, as the sources
 * are; packages stay outside, and npm installs them. Answers the packages that the bundle imports.
 */
export async function bundleCommand(root: string): Promise<readonly string[]> {
  await rm(join(root, COMMAND_FOLDER), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRY_POINTS,
    outdir: COMMAND_FOLDER,
    chunkNames: '[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: NODE_TARGET,
    metafile: true,
    logLevel: 'warning',
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.flatMap(({ path, external }) => (external === true ? [path] : [])),
  );
  const names = imported.filter((path) => !path.startsWith('node:')).map(packageName);
  return [...new Set(names)].sort();
}

/** `@scope/name/path` is of the package `@scope/name`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
