import { demoEntries } from '../demo-logs/demo-entries.ts';
import { missingFields } from '../schema/missing-fields.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import { loadEntries, loadLogs } from '../warehouse/duckdb/loading/load-logs.ts';
import type { LoadProgress } from '../warehouse/duckdb/loading/load-progress.ts';
import type { LoadReport } from '../warehouse/duckdb/loading/load-report.ts';
import type { Store } from '../warehouse/duckdb/store/open-store.ts';
import { hasLogs, readStoredSchemas } from '../warehouse/duckdb/store/stored-schemas.ts';
import type { Config } from './config.ts';

/** Where the logs that are served come from. */
export type LogOrigin = 'files' | 'database' | 'demo';

export interface FilledStore {
  readonly origin: LogOrigin;
  /** The tables as they are, fields that only the loaded entries have included. */
  readonly schemas: TableSchemas;
  /** For log files only. */
  readonly report: LoadReport | null;
}

export interface FillOptions {
  readonly nowMicros: bigint;
  readonly progress: (progress: LoadProgress) => void;
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Puts logs into the store: those of the configured folder; without one, what the database file holds already; without
 * that, demo logs up to `nowMicros`. Throws a ConfigurationError and leaves the store as it was.
 */
export async function fillStore(
  store: Store,
  schemas: TableSchemas,
  config: Config,
  { nowMicros, progress, warn, signal }: FillOptions,
): Promise<FilledStore> {
  if (config.logsDirectory !== null) {
    const { logsDirectory: directory, skipInvalid } = config;
    const report = await loadLogs({ store, schemas, directory, skipInvalid, progress, warn, signal });
    return { origin: 'files', schemas: report.schemas, report };
  }
  if (await hasLogs(store)) {
    const stored = await readStoredSchemas(store);
    warnOfMissing(missingFields(stored, schemas), config, warn);
    return { origin: 'database', schemas: stored, report: null };
  }
  for (const source of schemas.keys()) {
    signal.throwIfAborted();
    progress({ source, phase: 'making', bytesRead: 0, totalBytes: 0, rows: 0 });
    await loadEntries({ store, schemas, source, lines: demoEntries(source, nowMicros), signal });
  }
  return { origin: 'demo', schemas: await readStoredSchemas(store), report: null };
}

/** Fields named in a warning, so that it stays readable. */
const NAMED_FIELDS = 5;

/** A file that was loaded when the sources had fewer fields is served as it is. */
function warnOfMissing(
  missing: readonly string[],
  { databaseFile }: Config,
  warn: FillOptions['warn'],
): void {
  if (missing.length === 0) return;
  const named = missing.slice(0, NAMED_FIELDS).join(', ');
  const others = missing.length > NAMED_FIELDS ? ` and ${missing.length - NAMED_FIELDS} more` : '';
  warn(
    `${databaseFile ?? 'the database'} lacks fields that the sources have: ${named}${others}; queries that name them are refused until the logs are loaded again`,
  );
}
