import { existsSync, readFileSync } from 'node:fs';
import type { TableSchemas } from '../../../../../shared/schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../shared/warehouse/duckdb/install-functions.ts';
import {
  type IsolatedQueries,
  type IsolationOptions,
  isolateQueries,
  splitWarehouse,
} from '../../../../../shared/warehouse/duckdb/isolated/isolated-queries.ts';
import { loadEntries } from '../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore, type StoreOptions } from '../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../../../../../shared/warehouse/duckdb/store/time-ranges.ts';
import type { QueryResult, RunOptions, Warehouse } from '../../../../../shared/warehouse/warehouse.ts';
import { CONTRACT_LINES, CONTRACT_TABLES } from '../../contract/contract-logs.ts';

/** A warehouse as a service has it, small. */
export interface OpenService {
  readonly warehouse: Warehouse;
  readonly isolated: IsolatedQueries;
  readonly temporaryDirectory: string;
  /** What the service was warned of. */
  readonly warnings: readonly string[];
  /** Runs a consumer's query. */
  ask(sql: string, options?: Partial<RunOptions>): Promise<QueryResult>;
  /** Runs a stored query. */
  askStored(sql: string, options?: Partial<RunOptions>): Promise<QueryResult>;
}

const OPTIONS: RunOptions = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };

/** An idle query process has some 150 MiB. A machine that is busy with other tests may interrupt late. */
export const SMALL = { memoryLimitMiB: 128, maxResidentMiB: 450, threads: 2, spares: 0, graceMs: 20_000 };

export async function openService(
  options: Partial<IsolationOptions> = {},
  place: Pick<StoreOptions, 'databaseFile' | 'temporaryParent'> = { databaseFile: null },
  schemas: TableSchemas = CONTRACT_TABLES,
  entries: ReadonlyMap<string, readonly string[]> = new Map([['edge_logs', CONTRACT_LINES]]),
): Promise<OpenService> {
  const store = await openStore({ ...place, memoryLimitMiB: 256, threads: 2, access: 'shared' });
  for (const source of schemas.keys()) {
    await loadEntries({ store, schemas, source, lines: entries.get(source) ?? [] });
  }
  await installFunctions(store);
  await store.lock();
  const tables = await readStoredSchemas(store);
  const timeRanges = await readTimeRanges(store, tables);
  const layouts = await readLayouts(store);
  const warnings: string[] = [];
  const isolated = isolateQueries({
    databasePath: store.databasePath,
    temporaryParent: store.temporaryDirectory,
    schemas: tables,
    timeRanges,
    layouts,
    warn: (message) => warnings.push(message),
    ...SMALL,
    ...options,
  });
  const warehouse = splitWarehouse(makeDuckDbWarehouse(store, tables, { timeRanges, layouts }), isolated);
  const parameters = new Map();
  return {
    warehouse,
    isolated,
    temporaryDirectory: store.temporaryDirectory,
    warnings,
    ask: (sql, changed) => warehouse.run({ sql, parameters, isUntrusted: true }, { ...OPTIONS, ...changed }),
    askStored: (sql, changed) => warehouse.run({ sql, parameters }, { ...OPTIONS, ...changed }),
  };
}

/** A query that goes on for hours where it is not stopped, and can be. */
export const ENDLESS = `SELECT COUNT(*) FROM UNNEST(GENERATE_ARRAY(1, 100000)) AS a
  CROSS JOIN UNNEST(GENERATE_ARRAY(1, 100000)) AS b CROSS JOIN UNNEST(GENERATE_ARRAY(1, 100000)) AS c
  WHERE MOD(a * b + c, 7) = 8`;

/** Whether a process lives. One that has ended stays in the list where no parent collects its exit code, as in many containers. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // There is no such list, or it is gone meanwhile.
    return !existsSync('/proc/self/stat');
  }
}
