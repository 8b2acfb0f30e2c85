import type { LogSink } from '../../../ingest/log-sink.ts';
import type { TableSchemas } from '../../../schema/table-schema.ts';
import type { FollowState } from './follow-state.ts';

/** Where following starts: after what the database has. */
export interface FollowStart {
  /** The folder of live entries beside the database, which keeps how far files were read. */
  readonly liveDirectory: string;
  readonly positions: FollowState;
  /** The sources that the database has, as they were declared. */
  readonly schemas: TableSchemas;
  /** What keeps files from being read and was named already, by path. */
  readonly faults: ReadonlyMap<string, string>;
}

export interface FollowOptions extends FollowStart {
  readonly directory: string;
  readonly sink: LogSink;
  /** Receives what is left out and what keeps files from being read, a line each. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
  /** Never runs backwards, in milliseconds. */
  readonly nowMs?: () => number;
  readonly intervalMs?: number;
}
