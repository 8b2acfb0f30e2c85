import { afterEach } from '@jest/globals';
import { ServiceError } from '../../../../../shared/errors/service-error.ts';
import {
  type BigQueryOptions,
  makeBigQueryWarehouse,
} from '../../../../../shared/warehouse/bigquery/bigquery-warehouse.ts';
import type {
  QueryResult,
  RunOptions,
  Warehouse,
  WarehouseQuery,
} from '../../../../../shared/warehouse/warehouse.ts';
import { CONTRACT_TABLES } from '../../contract/contract-logs.ts';
import { type FakeBigQuery, startFakeBigQuery } from './fake-bigquery.ts';

/** A warehouse over a fake of BigQuery, with what it told its operator. */
export interface WarehouseOnFake {
  readonly warehouse: Warehouse;
  readonly fake: FakeBigQuery;
  readonly warnings: readonly { readonly message: string; readonly fields: unknown }[];
  run(query?: Partial<WarehouseQuery>, options?: Partial<RunOptions>): Promise<QueryResult>;
  /** What a run fails with. */
  failure(query?: Partial<WarehouseQuery>, options?: Partial<RunOptions>): Promise<ServiceError>;
}

const open: WarehouseOnFake[] = [];
afterEach(async () => {
  for (const { warehouse, fake } of open.splice(0)) {
    await fake.close();
    await warehouse.close();
  }
});

/** Opens a warehouse in a project and dataset whose names no consumer may read; gone after the test. */
export async function openOnFake(
  answer: Parameters<typeof startFakeBigQuery>[0],
  {
    retryDelayMs = () => 1,
    ...more
  }: Pick<BigQueryOptions, 'retryDelayMs' | 'partitionBy' | 'logTables' | 'monotonicMs'> = {},
): Promise<WarehouseOnFake> {
  const fake = await startFakeBigQuery(answer);
  const warnings: { message: string; fields: unknown }[] = [];
  const warehouse = makeBigQueryWarehouse({
    tables: CONTRACT_TABLES,
    project: 'secret-project',
    dataset: 'data-project.secret_dataset',
    location: 'EU',
    emulatorHost: fake.host,
    warn: (message, fields) => warnings.push({ message, fields }),
    retryDelayMs,
    ...more,
  });
  const run: WarehouseOnFake['run'] = (query = {}, options = {}) =>
    warehouse.run(
      { sql: 'SELECT id FROM logs.edge_logs', parameters: new Map(), ...query },
      { maxRows: 10, deadlineMs: 600_000, nowMicros: 0n, ...options },
    );
  const opened: WarehouseOnFake = {
    warehouse,
    fake,
    warnings,
    run,
    failure: async (query, options) => {
      const thrown: unknown = await run(query, options).then(
        () => null,
        (error) => error,
      );
      if (thrown instanceof ServiceError) return thrown;
      throw new Error(`no ServiceError but ${String(thrown)}`);
    },
  };
  open.push(opened);
  return opened;
}
