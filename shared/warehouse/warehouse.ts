import type { ParameterType, QueryParameter } from '../endpoints/query-parameter.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import type { Column } from '../sql/types/sql-type.ts';

/** GoogleSQL with named parameters (`@name`); values never become part of the text. */
export interface WarehouseQuery {
  readonly sql: string;
  /** By parameter name without the `@`. */
  readonly parameters: ReadonlyMap<string, QueryParameter>;
  /** Whether a consumer wrote it: the warehouse then expects it to take all time and memory that it can get. */
  readonly isUntrusted?: boolean;
}

export interface RunOptions {
  /** No more rows than this come back; one row more is looked for, to tell whether rows were cut off. */
  readonly maxRows: number;
  /** The query is interrupted after this many milliseconds. */
  readonly deadlineMs: number;
  /** What CURRENT_TIMESTAMP() answers, in microseconds since the epoch. */
  readonly nowMicros: bigint;
  /** Aborting it interrupts the query, for example because the client has gone away. */
  readonly signal?: AbortSignal;
}

export interface QueryResult {
  readonly columns: readonly Column[];
  /** Each row as the text of a JSON object in wire types (docs/http-api.md). */
  readonly rows: readonly string[];
  /** Whether the query had more rows than `maxRows`. */
  readonly truncated: boolean;
}

/**
 * Where the logs lie. Every failure is a ServiceError: invalid_argument for what the query's author can mend,
 * deadline_exceeded, resource_exhausted for a query that needs too much memory, unavailable for the rest.
 */
export interface Warehouse {
  /** The tables that stored queries may name, as `logs.<table>`, with the fields that they really have. */
  readonly tables: TableSchemas;
  /** Checks a query without running it and answers its columns. Parameter values do not matter, types do. */
  describe(query: {
    readonly sql: string;
    readonly parameterTypes: ReadonlyMap<string, ParameterType>;
  }): readonly Column[];
  run(query: WarehouseQuery, options: RunOptions): Promise<QueryResult>;
  /** Resolves when the warehouse answers; throws a ServiceError (unavailable) when it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
