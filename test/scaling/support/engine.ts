import { DuckDBInstance } from '@duckdb/node-api';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { compileQuery } from '../../../shared/warehouse/duckdb/compile-query.ts';
import { toServiceError } from '../../../shared/warehouse/duckdb/duckdb-errors.ts';
import { defineFunctions } from '../../../shared/warehouse/duckdb/install-functions.ts';
import type { Order, Outcome } from './messages.ts';

/*
 * A process with an engine of one thread and nothing else to do: its CPU time is the query's, however busy the machine is.
 */

const NOW = '2024-05-06 07:08:09.123456';
const INTERRUPT_EVERY_MS = 10;

const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '2GiB' });
const connection = await instance.connect();
await connection.run("SET TimeZone = 'UTC'");
await defineFunctions(connection);

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function run({ sql, interruptAfterMs }: Order): Promise<Outcome> {
  let query: ReturnType<typeof compileQuery>;
  try {
    query = compileQuery(sql, new Map(), new Map(), 1000);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: 'refused', message: error.message, cpuMs: 0, stoppedInMs: null };
  }
  const startedAt = cpuMs();
  let interruptedAt: number | null = null;
  const timer = setInterval(() => {
    if (interruptAfterMs === null || cpuMs() - startedAt < interruptAfterMs) return;
    interruptedAt ??= cpuMs();
    connection.interrupt();
  }, INTERRUPT_EVERY_MS);
  const ended = (kind: Outcome['kind'], message: string): Outcome => {
    clearInterval(timer);
    const now = cpuMs();
    return {
      kind,
      message: message.slice(0, 2_000),
      cpuMs: now - startedAt,
      stoppedInMs: interruptedAt === null ? null : now - interruptedAt,
    };
  };
  try {
    const values = query.parameters.map(() => NOW);
    const rows = (await connection.runAndReadAll(query.sql, values)).getRowsJson();
    return ended('answered', String(rows[0]?.[0]).slice(0, 100));
  } catch (error) {
    const { kind, message } = toServiceError(error);
    const text = error instanceof Error ? error.message : String(error);
    return ended(
      kind === 'invalid_argument' ? 'refused' : 'failed',
      kind === 'invalid_argument' ? message : text,
    );
  }
}

process.on('message', (order: Order) => {
  void run(order).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.send?.('ready');
