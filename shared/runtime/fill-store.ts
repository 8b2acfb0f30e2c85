import { demoEntries } from '../demo-logs/demo-entries.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { missingFields } from '../schema/missing-fields.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import type { FollowStart } from '../warehouse/duckdb/follow/follow-options.ts';
import { readFollowState, writeFollowState } from '../warehouse/duckdb/follow/follow-state.ts';
import { pinLogFiles } from '../warehouse/duckdb/follow/pin-files.ts';
import { loadEntries, loadLogs } from '../warehouse/duckdb/loading/load-logs.ts';
import type { LoadProgress } from '../warehouse/duckdb/loading/load-progress.ts';
import type { LoadReport } from '../warehouse/duckdb/loading/load-report.ts';
import type { Store } from '../warehouse/duckdb/store/open-store.ts';
import { hasLogs, readStoredSchemas } from '../warehouse/duckdb/store/stored-schemas.ts';
import type { Config } from './config.ts';

/** Where the logs that are served come from. */
export type LogOrigin = 'files' | 'database' | 'demo';

/** What the embedded store holds after it was filled. */
export interface FilledStore {
  readonly origin: LogOrigin;
  /** The tables as they are, fields that only the loaded entries have included. */
  readonly schemas: TableSchemas;
  /** For log files only. */
  readonly report: LoadReport | null;
  /** From where the log files are read on; null where they are not. */
  readonly follow: FollowStart | null;
}

export interface FillOptions {
  readonly nowMicros: bigint;
  readonly progress: (progress: LoadProgress) => void;
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Puts logs into the store: those of the configured folder; without one, what the database file holds already; without
 * that, demo logs up to `nowMicros`. Where files are followed, what the database holds of them is not loaded again. Throws a ConfigurationError and leaves the store as it was.
 */
export async function fillStore(
  store: Store,
  schemas: TableSchemas,
  config: Config,
  options: FillOptions,
): Promise<FilledStore> {
  const { nowMicros, progress, signal } = options;
  if (config.logsDirectory !== null) return fillFromFiles(store, schemas, config, options);
  if (await hasLogs(store)) return servedAsItIs(store, schemas, config, options.warn);
  for (const source of schemas.keys()) {
    signal.throwIfAborted();
    progress({ source, phase: 'making', bytesRead: 0, totalBytes: 0, rows: 0 });
    await loadEntries({ store, schemas, source, lines: demoEntries(source, nowMicros), signal });
  }
  return { origin: 'demo', schemas: await readStoredSchemas(store), report: null, follow: null };
}

async function servedAsItIs(
  store: Store,
  schemas: TableSchemas,
  config: Config,
  warn: FillOptions['warn'],
): Promise<FilledStore> {
  const stored = await readStoredSchemas(store);
  warnOfMissing(missingFields(stored, schemas), config, warn);
  return { origin: 'database', schemas: stored, report: null, follow: null };
}

async function fillFromFiles(
  store: Store,
  schemas: TableSchemas,
  config: Config,
  { progress, warn, signal }: FillOptions,
): Promise<FilledStore> {
  const { logsDirectory, databaseFile, skipInvalid } = config;
  const directory = logsDirectory ?? '';
  const { liveDirectory } = store;
  const positions = await readFollowState(liveDirectory);
  if (positions !== null) {
    if (!config.follow) throw new ConfigurationError(`${databaseFile}: ${KEPT}`);
    if (!(await hasLogs(store))) throw new ConfigurationError(`${liveDirectory}: ${ORPHANED}`);
    const filled = await servedAsItIs(store, schemas, config, warn);
    const known = new Map([...schemas].filter(([source]) => filled.schemas.has(source)));
    for (const source of schemas.keys()) {
      if (!known.has(source)) warn(`${databaseFile} has no table for the source ${source}; ${NEW_SOURCE}`);
    }
    return { ...filled, follow: { liveDirectory, positions, schemas: known, faults: new Map() } };
  }
  const load = { store, schemas, directory, skipInvalid, progress, warn, signal };
  if (!config.follow) {
    const report = await loadLogs(load);
    return { origin: 'files', schemas: report.schemas, report, follow: null };
  }
  const pinned = await pinLogFiles(directory, schemas, warn);
  const report = await loadLogs({ ...load, pinned });
  const loaded = pinned.positions();
  // Without it, a start after a crash loads the files again.
  await writeFollowState(liveDirectory, loaded);
  return {
    origin: 'files',
    schemas: report.schemas,
    report,
    follow: { liveDirectory, positions: loaded, schemas, faults: pinned.faults },
  };
}

/** Loading the files would show what was followed twice. */
const KEPT =
  'it keeps entries that were followed with --follow, some of files that may be gone; add --follow, leave out --logs, or name another database file';
const NEW_SOURCE = 'its files are not read; follow the files into another database file to have them';
const ORPHANED =
  'it keeps entries that were followed into a database that is gone; put the database file back, or move this folder away';

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
