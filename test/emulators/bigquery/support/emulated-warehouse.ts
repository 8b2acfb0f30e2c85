import { makeBigQueryWarehouse } from '../../../../shared/warehouse/bigquery/bigquery-warehouse.ts';
import type { Warehouse } from '../../../../shared/warehouse/warehouse.ts';
import type { OpenWarehouse } from '../../../shared/warehouse/contract/contract.ts';
import { EMULATED_PROJECT } from '../../support/bigquery-emulator.ts';
import { emulatorHost, makeDataset } from './emulated-dataset.ts';

/** The warehouse on a new dataset of the emulator with these tables and entries. */
export const openEmulatedWarehouse: OpenWarehouse = async (tables, entries): Promise<Warehouse> =>
  makeBigQueryWarehouse({
    tables,
    project: EMULATED_PROJECT,
    dataset: await makeDataset(tables, entries),
    location: null,
    emulatorHost: emulatorHost(),
    warn: () => {},
  });
