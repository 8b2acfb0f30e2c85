import type { Lookback, TimeWindowParameters } from '../endpoints/endpoint.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import type { Query } from '../sql/ast/query.ts';
import type { ParameterType, QueryParameter } from '../sql/types/query-parameter.ts';
import type { Column } from '../sql/types/sql-type.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { PageToken } from './page-token.ts';

/** A query in GoogleSQL. */
export interface SourceQuery {
  readonly sql: string;
  /**
   * The syntax tree that `sql` was printed from, so that it need not be read again. It has been resolved before: what can
   * still be wrong with it has no place in a text.
   */
  readonly tree?: Query | undefined;
}

/** GoogleSQL with named parameters (`@name`); values never become part of the text. */
export interface WarehouseQuery extends SourceQuery {
  /** By parameter name without the `@`. */
  readonly parameters: ReadonlyMap<string, QueryParameter>;
  /** Whether a consumer wrote it: the warehouse then expects it to take all time and memory that it can get. */
  readonly isUntrusted?: boolean;
  /** The time that its own conditions leave, where they are known. */
  readonly timeRange?: TimeRange;
}

/** What a query is compiled from. */
export interface QueryText extends SourceQuery {
  readonly parameterTypes: ReadonlyMap<string, ParameterType>;
}

/** A query that the warehouse has compiled, for any values of the same types. */
export interface PreparedQuery {
  readonly columns: readonly Column[];
}

export interface RunOptions {
  /** No more rows than this come back; one row more is looked for, to know whether rows were cut off. */
  readonly maxRows: number;
  /** The query is interrupted after this many milliseconds. */
  readonly deadlineMs: number;
  /** What CURRENT_TIMESTAMP() answers, in microseconds since the epoch. */
  readonly nowMicros: bigint;
  /** Aborting it interrupts the query, for example because the client has gone away. */
  readonly signal?: AbortSignal;
  /**
   * Awaited before the rows of the answer take so many bytes of memory in all: those of their texts, and as much again for
   * what is made of them. Throws a ServiceError where there is no room for them. Without it there always is.
   */
  readonly grow?: (bytes: number) => Promise<void>;
  /** The query is refused when it would bill more bytes than this; null or nothing for no cap. */
  readonly maxBytesBilled?: number | null;
  /** Which of the query's parameters bound the time that its sources hold. */
  readonly timeWindow?: TimeWindowParameters | null;
  /** Which of them says how far back its sources reach. */
  readonly lookback?: Lookback | null;
  /** What the query is accounted under, where the warehouse keeps accounts: names and values in any spelling. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Whose query it is: where consumers' queries share something, those of one owner do not disturb another's. */
  readonly owner?: string;
  /**
   * Whether the embedded engine is to count the rows of tables that it reads for the whole answer, which takes it as long
   * as the query again; it counts those of consumers' queries as they run, whether or not it is asked to.
   */
  readonly countsRows?: boolean;
  /** Receives, as the query goes on, the CPU time that the embedded engine took for it since the last call, in ms. */
  readonly onCpu?: (cpuMs: number) => void;
  /**
   * Receives what each job of the query read and billed, once the warehouse has counted it: also of jobs that failed or were
   * cancelled, and of those after the query's outcome, when no caller waits for it any longer.
   */
  readonly onUsage?: (usage: QueryUsage) => void;
  /** Receives work that goes on after the query's outcome, such as cancelling its job. Resolves when nothing is left of it. */
  readonly onEnding?: (ended: Promise<void>) => void;
}

/** How a page of a result is read. */
export type PageOptions = Pick<RunOptions, 'maxRows' | 'deadlineMs' | 'signal' | 'grow' | 'owner' | 'onCpu'>;

/** What a query took of a warehouse that counts; null where it does not. */
export interface QueryUsage {
  /** Bytes that the query read. */
  readonly bytesProcessed: number | null;
  /** Bytes that the warehouse bills for it. */
  readonly bytesBilled: number | null;
}

/** The rows of a query, or of one page of them, and what they took. */
export interface QueryResult extends QueryUsage {
  readonly columns: readonly Column[];
  /** Each row as the text of a JSON object in wire types (docs/http-api.md). */
  readonly rows: readonly string[];
  /**
   * Rows that the embedded engine read of its tables for these, those of row groups that cannot match left out; absent where
   * that is not counted or not asked for, for later pages, and for a query that waits for its next page to be read.
   */
  readonly rowsScanned?: number | undefined;
  /** Whether the query had more rows than `maxRows`. */
  readonly truncated: boolean;
  /** Where the rows that follow are, for `nextPage`; absent where there are none or the warehouse does not store them. */
  readonly pageToken?: PageToken | undefined;
}

/** What a warehouse says of a query that it has not run. */
export interface QueryEstimate {
  /** Bytes that the query would read, at most. */
  readonly bytes: number;
  /** Bytes that it would bill for those, at most. */
  readonly bytesBilled: number;
  /**
   * Whether it would be refused for billing more than `maxBytesBilled`; null where that shows only as it runs, since it
   * reads no more than it has to.
   */
  readonly isRefused: boolean | null;
  /** The sources in the query that are absent: they have no table, and so no entries. */
  readonly absentSources?: readonly string[];
}

/**
 * Where the logs lie. Every failure is a ServiceError: invalid_argument for what the query's author can mend,
 * deadline_exceeded, resource_exhausted for a query that needs too much memory, unavailable for the rest.
 */
export interface Warehouse {
  /** The tables that stored queries may name, as `logs.<table>`, with the fields that they really have. */
  readonly tables: TableSchemas;
  /** Functions of GoogleSQL that are refused here by name; absent where every function can be called. */
  readonly unsupportedFunctions?: () => Promise<readonly string[]>;
  /**
   * Analyses and compiles a query for answers of `maxRows` rows, without running it. What is compiled is kept, so that `run`
   * and `estimate` find it.
   */
  prepare(query: QueryText, maxRows: number): Promise<PreparedQuery>;
  run(query: WarehouseQuery, options: RunOptions): Promise<QueryResult>;
  /** What `run` would read, without running it and at no cost; absent where the warehouse does not count. */
  estimate?(query: WarehouseQuery, options: RunOptions): Promise<QueryEstimate>;
  /**
   * The rows of a result from a place in it, without running its query again. Throws a ServiceError (gone) when they are
   * no longer stored, or never were. Absent where the warehouse stores none.
   */
  nextPage?(token: PageToken, options: PageOptions): Promise<QueryResult>;
  /** Resolves when the warehouse answers; throws a ServiceError (unavailable) when it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A warehouse that counts what queries read, and stores the rows that follow an answer. */
export type CountingWarehouse = Required<Omit<Warehouse, 'unsupportedFunctions'>>;
