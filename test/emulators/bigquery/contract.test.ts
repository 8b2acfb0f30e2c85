import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { warehouseContract } from '../../shared/warehouse/contract/contract.ts';
import { startBigQueryEmulator } from '../support/bigquery-emulator.ts';
import type { Emulator } from '../support/emulator.ts';
import { EMULATOR_DEFECTS } from './emulator-defects.ts';
import { forgetJobs } from './support/emulated-dataset.ts';
import { openEmulatedWarehouse } from './support/emulated-warehouse.ts';

// A separate emulator: pages are read from jobs, which the suites that run beside this one forget.
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startBigQueryEmulator();
  process.env.BIGQUERY_EMULATOR_HOST = emulator.host;
});
afterEach(forgetJobs);
afterAll(() => emulator.stop());

warehouseContract('the BigQuery emulator', openEmulatedWarehouse, EMULATOR_DEFECTS);
