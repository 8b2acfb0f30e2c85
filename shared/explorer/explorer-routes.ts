import { fileURLToPath } from 'node:url';
import { ServiceError } from '../errors/service-error.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import type { HttpHandler } from '../http/reply.ts';
import { ASSETS_ROUTE, type Assets, readAssets } from './assets.ts';
import { makeAssetsHandler } from './assets-handler.ts';
import { CATALOGUE_ROUTE, makeCatalogueHandler } from './catalogue-handler.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The handler of a path that belongs to the explorer, undefined for any other: the page at `/`, the files that it
 * loads, and the catalogue that it asks for. Files are read for the first request; `root` is the folder they are in.
 */
export function makeExplorerRoutes(
  deps: HttpDeps,
  root: string = REPOSITORY,
): (path: string) => HttpHandler | undefined {
  const assets = makeAssetsHandler(deps, () => readOrRefuse(root));
  const catalogue = makeCatalogueHandler(deps);
  return (path) => {
    if (path === '/' || path.startsWith(`${ASSETS_ROUTE}/`)) return assets;
    return path === CATALOGUE_ROUTE ? catalogue : undefined;
  };
}

/** A deployment may leave the page out: its functions are bundled without files beside them. */
async function readOrRefuse(root: string): Promise<Assets> {
  try {
    return await readAssets(root);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new ServiceError(
      'not_found',
      'The explorer is no part of this deployment; queries are at /api/endpoints/query/<id or name>.',
      { cause },
    );
  }
}
