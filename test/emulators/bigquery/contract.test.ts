import { warehouseContract } from '../../shared/warehouse/contract/contract.ts';
import { EMULATOR_DEFECTS } from './emulator-defects.ts';
import { openEmulatedWarehouse } from './support/emulated-warehouse.ts';

warehouseContract('the BigQuery emulator', openEmulatedWarehouse, EMULATOR_DEFECTS);
