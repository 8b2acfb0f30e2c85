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

  test('on the embedded engine are all', async () => {
    expect(await names(duckDb())).toEqual(functionNames());
  });

  test('on a warehouse that does not compute all are those that it computes', async () => {
    const warehouse = { ...duckDb(), unsupportedFunctions: async () => ['SHA256', 'NET.HOST'] };
    const offered = await names(warehouse);
    expect(functionNames().filter((name) => !offered.includes(name))).toEqual(['SHA256', 'NET.HOST']);
  });

  test('on a warehouse that says nothing of them are all', async () => {
    const { unsupportedFunctions: _, ...warehouse } = duckDb();
    expect(await names(warehouse)).toEqual(functionNames());
  });
});
