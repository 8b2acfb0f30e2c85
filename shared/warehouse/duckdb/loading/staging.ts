import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import type { PhysicalColumn } from '../store/layout.ts';
import { createTable, tableName } from '../store/log-tables.ts';
import type { Store } from '../store/open-store.ts';

/** Where entries that are not in order of time wait to be sorted: databases in the store's temporary folder. */
export interface Staging {
  /**
   * Makes an empty table for another of this name. Each lies in its own database, because the transaction that reads one
   * would not see what is put into the same database later.
   */
  createTable(name: string, columns: readonly PhysicalColumn[]): Promise<StagingTable>;
  /** Ends what is under way in them with an error. */
  interrupt(): void;
  /** Removes all of them; nothing may read from them any more. */
  remove(): Promise<void>;
}

/** An empty table for entries that wait to be sorted. */
export interface StagingTable {
  readonly name: string;
  /** The connection that writes into it; one transaction cannot write to two databases. */
  readonly connection: DuckDBConnection;
}

/** The staging databases of one load, made as they are needed. */
export function stagingIn(store: Store): Staging {
  const catalogs: string[] = [];
  let connection: DuckDBConnection | null = null;
  return {
    createTable: async (table, columns) => {
      connection ??= await store.connect();
      const catalog = `staging_${catalogs.length + 1}`;
      const file = join(store.temporaryDirectory, `${catalog}.db`);
      await connection.run(
        `ATTACH ${quoteLiteral(file)} AS ${quoteIdentifier(catalog)} (STORAGE_VERSION 'latest')`,
      );
      catalogs.push(catalog);
      const name = tableName(table, catalog);
      await createTable(connection, name, columns);
      return { name, connection };
    },
    interrupt: () => connection?.interrupt(),
    remove: async () => {
      if (connection === null) return;
      for (const catalog of catalogs) {
        await connection.run(`DETACH ${quoteIdentifier(catalog)}`);
        await rm(join(store.temporaryDirectory, `${catalog}.db`), { force: true });
      }
      connection.closeSync();
      connection = null;
    },
  };
}
