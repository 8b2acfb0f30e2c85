import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadTableSchemas } from '../../shared/schema/load-table-schemas.ts';
import { makeDuckDbWarehouse } from '../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts } from '../../shared/warehouse/duckdb/store/stored-schemas.ts';
import type { Warehouse } from '../../shared/warehouse/warehouse.ts';
import { expectSpan, LINES, SPANS } from './support/lookback-cases.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  const schemas = await loadTableSchemas('queries/sources');
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 1 });
  await loadEntries({ store, schemas, source: 'edge_logs', lines: LINES });
  await installFunctions(store);
  await store.lock();
  warehouse = makeDuckDbWarehouse(store, schemas, { layouts: await readLayouts(store) });
});
afterAll(() => warehouse.close());

describe('the lookback in the settings is that of the query', () => {
  test('of usage.api-counts, with every interval', () => {
    expect(SPANS.map(([name, value]) => `${name} ${value}`)).toEqual([
      'usage.api-counts minutely',
      'usage.api-counts hourly',
      'usage.api-counts daily',
    ]);
  });

  test.each(SPANS)('%s, %s: %p seconds up to now, to the microsecond', (...span) =>
    expectSpan(warehouse, span),
  );
});
