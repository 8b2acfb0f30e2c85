import { flushCompileCache } from 'node:module';
import type { QueryResult } from '../../warehouse.ts';
import { makeDuckDbWarehouse } from '../duckdb-warehouse.ts';
import { installFunctions } from '../install-functions.ts';
import { LiveReader } from '../live/live-reader.ts';
import { type LiveView, type LiveViews, NOTHING_LIVE } from '../live/live-view.ts';
import { openStore } from '../store/open-store.ts';
import { guardMemory } from './memory-guard.ts';
import {
  type Answer,
  type OpenMessage,
  type Order,
  type PageMessage,
  type Report,
  type RunMessage,
  USAGE_EVERY_MS,
  type Usage,
} from './messages.ts';
import { openScanCounter, type ScanCounter } from './scan-counter.ts';
import { serveParent } from './serve-parent.ts';
import { spoolRows } from './spooled-rows.ts';
import { toWireError } from './wire-error.ts';

/*
 * A process that runs consumers' queries, one at a time. The service starts it with an IPC channel, sends one `open`, waits
 * for `ready`, and may kill it at any time.
 */

const running = new Map<number, AbortController>();
/** The process's own. */
let folder = '';
let warehouse: ReturnType<typeof makeDuckDbWarehouse> | null = null;
let counter: ScanCounter | null = null;
/** What the query that runs has to see. */
let view: LiveView = { snapshot: NOTHING_LIVE, positions: [] };

serveParent();
process.on('message', (order: Order) => {
  switch (order.kind) {
    case 'open':
      void open(order);
      break;
    case 'run':
    case 'page':
      void answer(order);
      break;
    case 'cancel':
      running.get(order.id)?.abort();
      break;
    default: {
      const unreachable: never = order;
      throw new TypeError(`order ${JSON.stringify(unreachable)}`);
    }
  }
});

async function open(order: OpenMessage): Promise<void> {
  folder = order.temporaryParent;
  guardMemory(order.maxResidentBytes);
  const {
    databasePath: databaseFile,
    schemas,
    timeRanges,
    layouts,
    memoryLimitMiB,
    threads,
    temporaryParent,
  } = order;
  const store = await openStore({
    databaseFile,
    access: 'read-only',
    memoryLimitMiB,
    temporaryParent,
    takesEntries: true,
    ...(threads === undefined ? {} : { threads }),
  });
  await installFunctions(store);
  counter = await openScanCounter(store);
  await store.lock();
  const views: LiveViews = {
    get current() {
      return view.snapshot;
    },
    // The service holds its files while the query runs.
    acquire: () => ({ view, release: () => {} }),
  };
  const live = { views, reader: new LiveReader(store) };
  warehouse = makeDuckDbWarehouse(store, schemas, {
    timeRanges,
    layouts,
    live,
    connection: counter.connection,
  });
  report({ kind: 'ready' });
  // The process will be killed, and only an orderly exit would write it.
  flushCompileCache();
}

async function answer(order: RunMessage | PageMessage): Promise<void> {
  const { id } = order;
  const abort = new AbortController();
  running.set(id, abort);
  const telling = setInterval(() => report({ kind: 'usage' }), USAGE_EVERY_MS);
  try {
    const result = await resultOf(order, abort.signal);
    report({ kind: 'rows', id, result: await spoolRows(result, folder, order.deadlineMs) });
  } catch (error) {
    report({ kind: 'refusal', id, error: toWireError(error) });
  } finally {
    clearInterval(telling);
    running.delete(id);
  }
}

/** A result with the rows that were read for it, where the engine has counted them: it does when a query has ended. */
async function counted(run: () => Promise<QueryResult>): Promise<QueryResult> {
  await counter?.reset();
  const result = await run();
  const rowsScanned = (await counter?.taken()) ?? null;
  return rowsScanned === null ? result : { ...result, rowsScanned };
}

async function resultOf(order: RunMessage | PageMessage, signal: AbortSignal): Promise<QueryResult> {
  if (warehouse === null) throw new TypeError('a query came before the logs were open');
  const { maxRows, deadlineMs } = order;
  if (order.kind === 'page') return warehouse.nextPage(order.token, { maxRows, deadlineMs, signal });
  if (order.live !== undefined) {
    const { snapshot = view.snapshot, positions } = order.live;
    view = { snapshot, positions };
  }
  const options = { maxRows, deadlineMs, nowMicros: order.nowMicros, signal };
  const { run } = warehouse;
  return counted(() => run(order.query, options));
}

function report(message: Answer | { readonly kind: 'ready' | 'usage' }): void {
  // Kinds are as they were: TypeScript does not see through the spread of a union.
  const whole = { ...message, usage: usageOf() } as Report;
  // It fails only when the service is gone; this process then ends by itself.
  process.send?.(whole, undefined, undefined, () => {});
}

function usageOf(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1_000, residentBytes: process.memoryUsage.rss() };
}
