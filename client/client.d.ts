import type { Endpoints } from './endpoints.d.ts';

export type { Endpoints } from './endpoints.d.ts';

/** What a parameter may be given as; a Date becomes ISO 8601 in UTC, undefined and null leave the parameter out. */
export type ParameterValue = string | number | bigint | boolean | Date | null | undefined;
/** The parameters of an endpoint, and those that an ad-hoc query names, by name. */
export type Parameters = Readonly<Record<string, ParameterValue>>;

export interface ClientOptions {
  /** Where the service is: `https://logs.example.com`, a path in front of its routes included. */
  readonly baseUrl: string | URL;
  /** The access token, sent in the header X-API-KEY. */
  readonly token: string;
  /** What sends the requests; the platform's own by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface RequestOptions {
  /** Aborting it cancels the request, and the query with it; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Asks for this answer to be redacted; without it the endpoint's own setting holds. */
  readonly redactPii?: boolean;
  /** Asks for `rowsScanned` of a stored query on the embedded engine, which then takes about twice as long. */
  readonly countRows?: boolean;
}

/** How timestamps in rows are written: integers of microseconds or milliseconds since the epoch, or ISO 8601 in UTC. */
export type TimestampFormat = 'us' | 'ms' | 'iso';

export interface RowOptions extends RequestOptions {
  /** Microseconds (`us`) by default. */
  readonly timestamps?: TimestampFormat;
}

/** A query of the caller's own over the endpoint's sources; `sql` wins where both are given. */
export interface OwnQuery {
  readonly sql?: string;
  readonly lql?: string;
}

export interface QueryOptions extends RowOptions, OwnQuery {
  /**
   * Counts the entries that the query selects by spans of so many seconds, in place of its rows: `timestamp` (the span's
   * start) and `count`. An Explanation's `entriesOf` says of which queries it can.
   */
  readonly histogram?: number;
  /** Has a histogram count each severity by itself: its rows have `severity` as well, null where nothing says it. */
  readonly histogramBy?: 'severity';
  /**
   * The path of a field. Counts the entries that the query selects by its values, in place of their rows: `value` and `count`
   * of the most frequent ones. It does not go with `histogram`.
   */
  readonly facet?: string;
}

/** A known endpoint, what it takes and whatever else the query names, and the query. */
type AdHocQueryArguments = {
  [Name in keyof Endpoints]: [
    endpoint: Name,
    parameters: Endpoints[Name]['parameters'] & Parameters,
    options: RowOptions & OwnQuery & ({ readonly sql: string } | { readonly lql: string }),
  ];
}[keyof Endpoints];

/** The metadata of an answer, from its headers. Null stands for what the service did not send. */
export interface AnswerFacts {
  readonly rowCount: number | null;
  /** Whether there were more rows than the answer may hold. */
  readonly truncated: boolean;
  /** How the answer came about, as X-Cache has it: HIT, MISS, BYPASS and so on. */
  readonly cache: string | null;
  /** How long ago the answer was computed. */
  readonly ageSeconds: number | null;
  /** What the query read. */
  readonly bytesProcessed: number | null;
  /** What the query billed when it ran; an answer out of the cache bills nothing again. */
  readonly bytesBilled: number | null;
  /** How many rows of its tables the embedded engine read for the query; see `countRows`. */
  readonly rowsScanned: number | null;
  readonly timeWindow: string | null;
  readonly redactions: number | null;
  /** Why a result may not be what its caller expects. */
  readonly hint: string | null;
  readonly ignoredParameters: readonly string[];
  /** What to send to the service's operator when something is wrong. */
  readonly requestId: string | null;
  /** Server-Timing: milliseconds by phase. */
  readonly timingMs: Readonly<Record<string, number>>;
  /** From sending the request to having read its answer. */
  readonly durationMs: number;
}

/** The rows of one answer, or of one page of it. */
export interface QueryResult<Row> {
  readonly rows: readonly Row[];
  readonly facts: AnswerFacts;
  /** Where the rows after the cap are; null where there are none or the service has no pages. */
  readonly next: string | null;
}

/** A column as BigQuery's table schemas write it. */
export interface ColumnSchema {
  readonly name: string;
  readonly type: string;
  readonly mode: 'NULLABLE' | 'REQUIRED' | 'REPEATED';
  /** Of a RECORD only. */
  readonly fields?: readonly ColumnSchema[];
}

/** The service's description of a query, instead of its rows. */
export interface Explanation {
  readonly sources: readonly string[];
  readonly columns: readonly ColumnSchema[];
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  /** What the query would read, at most; null where the warehouse does not count. */
  readonly estimatedBytes: number | null;
  /** What it would bill for that, at most; null where the warehouse does not bill. */
  readonly estimatedBytesBilled: number | null;
  /** The most that it may bill; null where there is no cap, or nothing is billed. */
  readonly maxBytesBilled: number | null;
  /** Whether it would bill more than that; null where nothing is billed, or it shows only as it runs. */
  readonly wouldBeRefused: boolean | null;
  readonly warnings: readonly string[];
  /** The source whose entries the rows are, of which there is a histogram; null for other rows. */
  readonly entriesOf: string | null;
}

/** What in the request an error is about. */
export interface ErrorDetail {
  readonly parameter?: string;
  /** 1-based, in the caller's query. */
  readonly line?: number;
  /** 1-based, in characters (code points). */
  readonly column?: number;
  readonly reason?: string;
  /** What the query would bill, in bytes, by the estimate of the warehouse. */
  readonly estimatedBytesBilled?: number;
  /** The most that it may bill, in bytes. */
  readonly maxBytesBilled?: number;
  /** The longest time range in which the query stays within its byte limit; null where there is none, or it is unknown. */
  readonly longestWindow?: LongestWindow | null;
}

/** A window of time that fits, and the parameters that ask for it. */
export interface LongestWindow {
  readonly seconds: number;
  /** The same in ISO 8601: `PT2H`. */
  readonly duration: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the warehouse has estimated that it fits; else it follows from the estimate of the whole. */
  readonly isVerified: boolean;
}

export interface QueryErrorOptions {
  /** The HTTP status code; 0 where no answer came. */
  readonly code: number;
  /** INVALID_ARGUMENT and so on; UNREACHABLE where no answer came, UNKNOWN for an answer that is not the service's. */
  readonly status: string;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | null | undefined;
  readonly retryAfterSeconds?: number | null | undefined;
  readonly cause?: unknown;
}

/** Every failure of a request but its being aborted. The message is the service's own and says what to change. */
export class QueryError extends Error {
  constructor(message: string, options: QueryErrorOptions);
  readonly code: number;
  readonly status: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
  /** After how many seconds trying again may help; null where the service did not say. */
  readonly retryAfterSeconds: number | null;
}

/** A format in which rows are answered as text. */
export type TextFormat = 'csv' | 'ndjson';

/** Rows as text. */
export interface TextResult {
  readonly text: string;
  readonly facts: AnswerFacts;
  /** As in QueryResult; the next page has the same format. */
  readonly next: string | null;
}

/** Calls the endpoints of one service with one token. Every method rejects with a QueryError. */
export interface Client {
  /** The rows of an endpoint that the generated types do not know, or of a query of the caller's own over it. */
  query<Row = Readonly<Record<string, unknown>>, Name extends string = string>(
    endpoint: Name extends keyof Endpoints ? never : Name,
    parameters: Parameters,
    options?: QueryOptions,
  ): Promise<QueryResult<Row>>;
  /** The rows of a query of the caller's own. Parameters that it names (`@name`) go among the endpoint's. */
  query<Row = Readonly<Record<string, unknown>>>(...args: AdHocQueryArguments): Promise<QueryResult<Row>>;
  /** The rows of an endpoint's stored query. */
  query<Name extends keyof Endpoints>(
    endpoint: Name,
    parameters: Endpoints[Name]['parameters'],
    options?: RowOptions & { readonly sql?: undefined; readonly lql?: undefined },
  ): Promise<QueryResult<Endpoints[Name]['row']>>;
  /** The rows after those of a result whose `next` is not null. */
  next<Row>(result: QueryResult<Row>, options?: RequestOptions): Promise<QueryResult<Row>>;
  /** What the service would run, without running it. */
  explain(endpoint: string, parameters: Parameters, options?: QueryOptions): Promise<Explanation>;
  /** The rows as text in another format. */
  text(
    endpoint: string,
    parameters: Parameters,
    options: QueryOptions & { readonly format: TextFormat },
  ): Promise<TextResult>;
  /** The text after that of an answer whose `next` is not null; of CSV, each page has its own line of headings. */
  nextText(answer: TextResult, options?: RequestOptions): Promise<TextResult>;
}

/** Makes a client. Throws a TypeError for an invalid base URL, and for a token that a header cannot have. */
export function makeClient(options: ClientOptions): Client;
