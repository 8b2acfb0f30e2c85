import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED_ASSETS, installedAssets, TEMPLATE } from '../shared/explorer/asset-files.ts';

/**
 * Copies the explorer's page and all that it loads into a function's `folder`, at the paths at which they are served.
 * Packages lie beside the product's own files: what the platform installs takes the place of every `node_modules`.
 */
export async function bundleExplorer(root: string, folder: string): Promise<void> {
  const source = installedAssets(root);
  const assets = join(folder, BUNDLED_ASSETS);
  await cp(source.template, join(assets, TEMPLATE));
  for (const { path, file } of await source.list()) await cp(file, join(assets, path));
}
