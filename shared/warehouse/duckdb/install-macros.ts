import type { Store } from './store/open-store.ts';
import { MACROS } from './translate/functions/macros.ts';

/** Defines the functions that translated queries call besides DuckDB's own. Before the store is locked. */
export function installMacros(store: Store): Promise<void> {
  return store.use(async (connection) => {
    for (const macro of MACROS) await connection.run(macro);
  });
}
