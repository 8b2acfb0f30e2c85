import { ServiceError } from '../errors/service-error.ts';
import type { HttpDeps } from '../http/http-deps.ts';
import type { HttpHandler } from '../http/response/reply.ts';
import type { SavedQueries } from '../saved-queries/saved-queries.ts';
import type { AssetSource } from './asset-files.ts';
import { ASSETS_ROUTE, type Assets, readAssets } from './assets.ts';
import { makeAssetsHandler } from './assets-handler.ts';
import { CATALOGUE_ROUTE, makeCatalogueHandler } from './catalogue-handler.ts';
import { makeQueryEditHandler, QUERY_EDIT_ROUTE } from './query-edit-handler.ts';
import { makeSavedQueriesHandler, SAVED_QUERIES_ROUTE } from './saved-queries-handler.ts';

/** What the explorer's routes need besides its files. */
export interface ExplorerDeps extends HttpDeps {
  readonly savedQueries: SavedQueries | null;
}

/**
 * The handler of a path that belongs to the explorer, undefined for any other: the page at `/`, the files that it
 * loads, the catalogue and the saved queries that it asks for, and what changes the text of queries. Files are read for the first request.
 */
export function makeExplorerRoutes(
  deps: ExplorerDeps,
  source: AssetSource,
): (path: string) => HttpHandler | undefined {
  const assets = makeAssetsHandler(deps, () => readOrRefuse(source));
  const catalogue = makeCatalogueHandler(deps);
  const edit = makeQueryEditHandler(deps);
  const saved = makeSavedQueriesHandler(deps, deps.savedQueries);
  return (path) => {
    if (path === '/' || path.startsWith(`${ASSETS_ROUTE}/`)) return assets;
    if (path === QUERY_EDIT_ROUTE) return edit;
    if (path === SAVED_QUERIES_ROUTE) return saved;
    return path === CATALOGUE_ROUTE ? catalogue : undefined;
  };
}

/** An installation may lack the files: packages that the page loads were left out, say. */
async function readOrRefuse(source: AssetSource): Promise<Assets> {
  try {
    return await readAssets(source);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new ServiceError(
      'not_found',
      'The explorer is not part of this deployment; queries are at /api/endpoints/query/<id or name>.',
      { cause },
    );
  }
}
