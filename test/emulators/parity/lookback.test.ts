import { afterAll, afterEach, beforeAll, describe, test } from '@jest/globals';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { Warehouse } from '../../../shared/warehouse/warehouse.ts';
import { expectSpan, LINES, SPANS } from '../../queries/support/lookback-cases.ts';
import { forgetJobs } from '../bigquery/support/emulated-dataset.ts';
import { openEmulatedWarehouse } from '../bigquery/support/emulated-warehouse.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  const tables = await loadTableSchemas('queries/sources');
  warehouse = await openEmulatedWarehouse(tables, new Map([['edge_logs', LINES]]));
});
afterAll(() => warehouse.close());
afterEach(forgetJobs);

describe('the lookback in the settings is that of the query on BigQuery', () => {
  test.each(SPANS)('%s, %s: %p seconds up to now, to the microsecond', (...span) =>
    expectSpan(warehouse, span),
  );
});
