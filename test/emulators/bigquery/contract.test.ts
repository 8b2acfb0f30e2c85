import { afterEach } from '@jest/globals';
import { warehouseContract } from '../../shared/warehouse/contract/contract.ts';
import { EMULATOR_DEFECTS } from './emulator-defects.ts';
import { forgetJobs } from './support/emulated-dataset.ts';
import { openEmulatedWarehouse } from './support/emulated-warehouse.ts';

afterEach(forgetJobs);

warehouseContract('the BigQuery emulator', openEmulatedWarehouse, EMULATOR_DEFECTS);
