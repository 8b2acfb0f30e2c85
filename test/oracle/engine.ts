import { ServiceError } from '../../shared/errors/service-error.ts';
import { typeText } from '../../shared/sql/types/sql-type.ts';
import { makeDuckDbWarehouse } from '../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../shared/warehouse/duckdb/install-functions.ts';
import { openStore } from '../../shared/warehouse/duckdb/store/open-store.ts';
import { type Answer, cellOfWire, parseExactly } from './answer.ts';

/** The embedded engine without logs: queries bring their rows with them. */
export interface Engine {
  /** What the query answers; it never rejects. */
  run(sql: string): Promise<Answer>;
  close(): Promise<void>;
}

const DEADLINE_MS = 20_000;
/** Kinds of ServiceError that are limits of the engine, not the query's fault. */
const LIMITS: readonly string[] = ['resource_exhausted', 'deadline_exceeded'];

/** What the engine says of a query or a value that is too large for it, in the words of the limit. */
const TOO_LARGE =
  /^The regular expressions of the query are too large| at most \d+ (?:bytes|BYTES|characters|elements|keys|letters)\b/;

/** Opens the engine as the service does. */
export async function openEngine(): Promise<Engine> {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 1024, threads: 2 });
  await installFunctions(store);
  await store.lock();
  const warehouse = makeDuckDbWarehouse(store, new Map(), { layouts: new Map() });
  return {
    run: async (sql) => {
      try {
        const options = {
          maxRows: 1000,
          deadlineMs: DEADLINE_MS,
          nowMicros: BigInt(Date.now()) * 1000n,
        };
        const { columns, rows } = await warehouse.run({ sql, parameters: new Map() }, options);
        return {
          kind: 'rows',
          columns: columns.map(({ name, type }) => ({ name, type: typeText(type) })),
          rows: rows.map((row) => {
            const values = parseExactly(row) as Readonly<Record<string, unknown>>;
            return columns.map(({ name, type }) => cellOfWire(values[name], type));
          }),
        };
      } catch (error) {
        return failure(error);
      }
    },
    close: () => warehouse.close(),
  };
}

function failure(error: unknown): Answer {
  if (!(error instanceof ServiceError)) return { kind: 'broken', message: String(error) };
  const { kind, message } = error;
  if (
    message.includes('not supported by the embedded engine') ||
    TOO_LARGE.test(message) ||
    LIMITS.includes(kind)
  )
    return { kind: 'refused', message };
  if (kind === 'invalid_argument') return { kind: 'error', message };
  return { kind: 'broken', message: `${message} ${String(error.cause ?? '')}` };
}
