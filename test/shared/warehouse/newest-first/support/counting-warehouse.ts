import { timestampText } from '../../../../../shared/sql/values/timestamp-text.ts';
import { bytesBilledByRule } from '../../../../../shared/warehouse/bytes-billed.ts';
import { makeDuckDbWarehouse } from '../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import type { Warehouse, WarehouseQuery } from '../../../../../shared/warehouse/warehouse.ts';
import { LOGS_TABLES, TIME_WINDOW } from './logs-queries.ts';

const MICROS_PER_DAY = 86_400_000_000n;

/** What one entry counts, in bytes. */
export const ENTRY_BYTES = 1_000;

/** An entry of edge_logs. */
export interface Entry {
  readonly id: string;
  readonly micros: bigint;
  readonly project: string;
}

/** A warehouse that counts as BigQuery does with tables that have a partition for each day. */
export interface CountingWarehouse extends Warehouse {
  /** The bytes of each run, since this was emptied last. */
  readonly runs: number[];
}

/** Opens DuckDB with these entries of edge_logs; what a query reads are all entries of the days that its bounds touch. */
export async function openCountingWarehouse(entries: readonly Entry[]): Promise<CountingWarehouse> {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 512, threads: 2 });
  const lines = entries.map(({ id, micros, project }) =>
    JSON.stringify({
      id,
      timestamp: timestampText(micros).replace(' ', 'T'),
      event_message: id,
      project,
      metadata: [],
    }),
  );
  for (const source of LOGS_TABLES.keys()) {
    await loadEntries({ store, schemas: LOGS_TABLES, source, lines: source === 'edge_logs' ? lines : [] });
  }
  await installFunctions(store);
  await store.lock();
  const inner = makeDuckDbWarehouse(store, await readStoredSchemas(store), {
    layouts: await readLayouts(store),
  });
  const perDay = new Map<bigint, number>();
  for (const { micros } of entries) {
    perDay.set(micros / MICROS_PER_DAY, (perDay.get(micros / MICROS_PER_DAY) ?? 0) + ENTRY_BYTES);
  }
  const bytesOf = ({ parameters }: WarehouseQuery): number => {
    const first = dayOf(parameters.get(TIME_WINDOW.start)?.value) ?? -1_000_000n;
    const last = dayOf(parameters.get(TIME_WINDOW.end)?.value) ?? 10_000_000n;
    return [...perDay].reduce((sum, [day, bytes]) => (day >= first && day <= last ? sum + bytes : sum), 0);
  };
  const runs: number[] = [];
  return {
    ...inner,
    runs,
    run: async (query, options) => {
      const bytesProcessed = bytesOf(query);
      runs.push(bytesProcessed);
      const usage = { bytesProcessed, bytesBilled: bytesBilledByRule(bytesProcessed, 1) };
      options.onUsage?.(usage);
      return { ...(await inner.run(query, options)), ...usage };
    },
    estimate: async (query, { maxBytesBilled }) => {
      const bytes = bytesOf(query);
      return { bytes, bytesBilled: bytes, isRefused: bytes > (maxBytesBilled ?? Infinity) };
    },
  };
}

function dayOf(value: unknown): bigint | null {
  return typeof value === 'bigint' ? value / MICROS_PER_DAY : null;
}
