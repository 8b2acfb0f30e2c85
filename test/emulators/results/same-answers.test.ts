import { afterAll, afterEach, beforeAll, describe, test } from '@jest/globals';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { Warehouse } from '../../../shared/warehouse/warehouse.ts';
import { COUNTS, EVERYTHING, LINES } from '../../shared/results/sealed/support/arriving-entries.ts';
import { expectSameAnswers } from '../../shared/results/sealed/support/same-answers.ts';
import { forgetJobs } from '../bigquery/support/emulated-dataset.ts';
import { openEmulatedWarehouse } from '../bigquery/support/emulated-warehouse.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  const tables = await loadTableSchemas('queries/sources');
  warehouse = await openEmulatedWarehouse(tables, new Map([['edge_logs', LINES]]));
});
afterAll(() => warehouse.close());
afterEach(forgetJobs);

describe('answers of parts are those of the query over the whole window on BigQuery', () => {
  test('usage.api-counts', () => expectSameAnswers(warehouse, COUNTS, 'daily', 4));
  test('a query with every way to merge', () => expectSameAnswers(warehouse, EVERYTHING, 'daily', 4));
});
