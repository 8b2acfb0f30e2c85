import { warehouseContract } from '../../contract/contract.ts';
import { openService } from './open-isolated.ts';

warehouseContract('DuckDB in a separate process', async (schemas, entries) => {
  const limits = { memoryLimitMiB: 512, maxResidentMiB: 1024 };
  const { warehouse } = await openService(limits, { databaseFile: null }, schemas, entries);
  return {
    ...warehouse,
    run: (query, options) => warehouse.run({ ...query, isUntrusted: true }, options),
  };
});
