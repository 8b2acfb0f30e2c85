import type { LogSink } from '../ingest/log-sink.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import { insideNamesOf, locateSources, type SourceTables } from '../warehouse/bigquery/source-tables.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { Config } from './config.ts';
import type { FilledStore, FillOptions } from './fill-store.ts';
import { lazyWarehouse } from './lazy-warehouse.ts';
import type { Logger } from './log.ts';

/** The warehouse with what else the service has to know of it. */
export interface OpenWarehouse {
  readonly warehouse: Warehouse;
  /** What the embedded engine was filled with; null where the logs lie elsewhere. */
  readonly logs: FilledStore | null;
  /** Takes entries that arrive while the service runs; null where the warehouse has another way in. */
  readonly logSink: LogSink | null;
  /** Consumers' queries that it runs at the same time; Infinity where it keeps them apart itself. */
  readonly lanes: number;
  /** Names that consumers' queries may not have. */
  readonly forbiddenNames: readonly string[];
  /** Changes with the tables that the sources are; null where results do not outlive them. */
  readonly origin: string | null;
}

/**
 * Where BigQuery has each source; null where the warehouse is another one. Throws a ConfigurationError as `locateSources`
 * does.
 */
export function locateTables(
  sources: Iterable<string>,
  { warehouse, googleProject: project, bigqueryDataset: dataset, logTables }: Config,
): SourceTables | null {
  if (warehouse !== 'bigquery' || project === null) return null;
  return locateSources({ sources, project, dataset, logTables });
}

/** Opens the warehouse that is configured; each is loaded only where it is used. Throws a ConfigurationError. */
export async function openWarehouse(
  schemas: TableSchemas,
  config: Config,
  options: FillOptions & { readonly logger: Logger; readonly clockMicros: () => bigint },
): Promise<OpenWarehouse> {
  const { googleProject: project, bigqueryDataset: dataset, logTables } = config;
  if (config.warehouse === 'duckdb') {
    const { openDuckDb } = await import('./open-duckdb.ts');
    return { ...(await openDuckDb(schemas, config, options)), forbiddenNames: [], origin: null };
  }
  const sourceTables = locateTables(schemas.keys(), config);
  if (project === null || sourceTables === null) throw new TypeError('the configuration was not checked');
  const warehouse = lazyWarehouse(schemas, async () => {
    const { makeBigQueryWarehouse } = await import('../warehouse/bigquery/bigquery-warehouse.ts');
    return makeBigQueryWarehouse({
      tables: schemas,
      project,
      dataset,
      logTables,
      location: config.bigqueryLocation,
      partitionBy: config.partitionBy,
      emulatorHost: config.bigqueryEmulatorHost,
      warn: options.logger.warn,
    });
  });
  return {
    warehouse,
    logs: null,
    logSink: null,
    lanes: Infinity,
    forbiddenNames: insideNamesOf(project, sourceTables),
    origin: JSON.stringify([...sourceTables]),
  };
}
