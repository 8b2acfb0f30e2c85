import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeAll } from '../../../shared/explorer/catalogue.ts';
import { functionNames } from '../../../shared/sql/functions/catalog.ts';
import { makeDuckDbWarehouse } from '../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { openStore, type Store } from '../../../shared/warehouse/duckdb/store/open-store.ts';

describe('The functions that the explorer offers', () => {
  const stores: Store[] = [];
  beforeAll(async () => void stores.push(await openStore({ databaseFile: null, memoryLimitMiB: 64 })));
  afterAll(() => stores[0]?.close());
  const duckDb = () => makeDuckDbWarehouse(stores[0] as Store, new Map(), { layouts: new Map() });
  const names = async (warehouse: Parameters<typeof describeAll>[1]) =>
    (await describeAll([], warehouse)).functions.map(({ name }) => name);

  test('on the embedded engine are those that it computes', async () => {
    const offered = await names(duckDb());
    const refused = functionNames().filter((name) => !offered.includes(name));
    expect(offered).toContain('SHA256');
    expect(refused).toContain('NET.REG_DOMAIN');
    expect(refused.toSorted()).toEqual(await duckDb().unsupportedFunctions?.());
  });

  test('on a warehouse that computes all are all', async () => {
    const { unsupportedFunctions: _, ...warehouse } = duckDb();
    expect(await names(warehouse)).toEqual(functionNames());
  });
});
