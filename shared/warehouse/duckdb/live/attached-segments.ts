import { link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import type { Store } from '../store/open-store.ts';
import { segmentCatalog } from './live-parts.ts';

/** The segments that a locked engine has attached. */
export class AttachedSegments {
  readonly #store: Store;
  readonly #files = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  get files(): ReadonlySet<string> {
    return this.#files;
  }

  /** Attaches a file of a folder. The engine opens files in its own folder only, so that is where the file has another name. */
  async attach(connection: DuckDBConnection, directory: string, file: string): Promise<void> {
    if (this.#files.has(file)) return;
    const folder = this.#store.attachDirectory;
    if (folder === null) throw new TypeError('the store was opened without a place for segments');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = join(folder, file);
    await rm(name, { force: true });
    await link(join(directory, file), name);
    await connection.run(
      `ATTACH ${quoteLiteral(name)} AS ${quoteIdentifier(segmentCatalog(file))} (READ_ONLY)`,
    );
    this.#files.add(file);
  }

  async detach(connection: DuckDBConnection, file: string): Promise<void> {
    this.#files.delete(file);
    await connection.run(`DETACH ${quoteIdentifier(segmentCatalog(file))}`);
    await rm(join(this.#store.attachDirectory ?? '', file), { force: true });
  }
}
