import type { TableSchemas } from '../../../schema/table-schema.ts';
import type { PageToken } from '../../page-token.ts';
import type { WarehouseQuery } from '../../warehouse.ts';
import type { LiveSnapshot, LiveView } from '../live/live-view.ts';
import type { KnownTables } from '../translate/passes/known-data.ts';
import type { SpooledResult } from './spooled-rows.ts';
import type { WireError } from './wire-error.ts';

/** What a query process needs to open the logs. */
export interface OpenMessage {
  readonly kind: 'open';
  /** The database that the service has open read-only. */
  readonly databasePath: string;
  readonly schemas: TableSchemas;
  /** Of `readTimeRanges`. */
  readonly timeRanges: KnownTables['timeRanges'];
  /** Of `readLayouts`. */
  readonly layouts: KnownTables['layouts'];
  readonly memoryLimitMiB: number;
  readonly threads: number | undefined;
  /** The process's own folder. */
  readonly temporaryParent: string;
  /** The process ends itself above this, in bytes. */
  readonly maxResidentBytes: number;
}

/** What a query process is told of the entries that arrived since the logs were loaded. */
export interface LiveMessage {
  /** Absent where the process was sent it before. */
  readonly snapshot?: LiveSnapshot;
  readonly positions: LiveView['positions'];
}

/** Starts a query in a query process. */
export interface RunMessage {
  readonly kind: 'run';
  /** Absent where no entries arrive. */
  readonly live?: LiveMessage;
  readonly id: number;
  readonly query: WarehouseQuery;
  readonly maxRows: number;
  readonly deadlineMs: number;
  readonly nowMicros: bigint;
}

/** Asks for the next page of a result that the same process keeps. */
export interface PageMessage {
  readonly kind: 'page';
  readonly id: number;
  readonly token: PageToken;
  readonly maxRows: number;
  readonly deadlineMs: number;
}

/** The messages of the service to a query process. */
export type Order = OpenMessage | RunMessage | PageMessage | { readonly kind: 'cancel'; readonly id: number };

/** How a query ended. */
export type Answer =
  | { readonly kind: 'rows'; readonly id: number; readonly result: SpooledResult }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: WireError };

/** What a query process has taken. */
export interface Usage {
  /** CPU time since its start, in ms. */
  readonly cpuMs: number;
  /** The memory that it has now. */
  readonly residentBytes: number;
}

/** A message from a query process to the service; while a query runs, `usage` every USAGE_EVERY_MS. */
export type Report = (Answer | { readonly kind: 'ready' } | { readonly kind: 'usage' }) & {
  readonly usage: Usage;
};

/** In ms. */
export const USAGE_EVERY_MS = 100;
