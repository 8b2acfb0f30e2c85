import { lazy } from '../concurrency/lazy.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import type { CountingWarehouse } from '../warehouse/warehouse.ts';

/** A warehouse that is made when it is first asked for something. Closing one that was never made does nothing. */
export function lazyWarehouse(
  tables: TableSchemas,
  make: () => Promise<CountingWarehouse>,
): CountingWarehouse {
  const open = lazy(make);
  return {
    tables,
    prepare: async (query, maxRows) => (await open()).prepare(query, maxRows),
    run: async (query, options) => (await open()).run(query, options),
    estimate: async (query, options) => (await open()).estimate(query, options),
    nextPage: async (token, options) => (await open()).nextPage(token, options),
    ping: async () => (await open()).ping(),
    close: async () => (await open.made())?.close(),
  };
}
