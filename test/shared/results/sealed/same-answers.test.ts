import { afterAll, beforeAll, describe, test } from '@jest/globals';
import type { Warehouse } from '../../../../shared/warehouse/warehouse.ts';
import { COUNTS, EVERYTHING, LINES } from './support/arriving-entries.ts';
import { openDuckDb } from './support/open-duckdb.ts';
import { expectSameAnswers } from './support/same-answers.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openDuckDb(LINES);
});
afterAll(() => warehouse.close());

describe('answers of parts are those of the query over the whole window', () => {
  test.each(['daily', 'hourly', 'minutely'])('usage.api-counts, %s', (interval) =>
    expectSameAnswers(warehouse, COUNTS, interval, 10),
  );
  test('a query with every way to merge', () => expectSameAnswers(warehouse, EVERYTHING, 'daily', 10));
});
