import type { RedactionKind } from '../privacy/redactor.ts';
import type { ParameterType } from '../sql/types/query-parameter.ts';

/** A parameter that an endpoint declares: what it is called and what it accepts. */
export interface ParameterSpec {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  /** The only values accepted; null for no such list. */
  readonly allowed: readonly string[] | null;
  /** `re2`: the text must be a regular expression in RE2 syntax. */
  readonly format: 're2' | null;
  /** Most characters (Unicode code points) that the text of the value may have. */
  readonly maxLength: number;
  readonly description: string;
  readonly example: string;
}

/** The names of two TIMESTAMP parameters; NULL in either means no bound. */
export interface TimeWindowParameters {
  /** Sources hold only what is later (exclusive). */
  readonly start: string;
  /** Sources hold only what is not later (inclusive). */
  readonly end: string;
}

/** The time spans that the values of a parameter stand for. */
export interface Lookback {
  readonly parameter: string;
  readonly seconds: Readonly<Record<string, number>>;
}

/** How answers are put together from those for full grains of time, which are kept, and from what is read anew. */
export interface SealedBuckets {
  readonly grain: 'hour' | 'day';
  /** How long after its end a grain takes late entries in. */
  readonly graceSeconds: number;
  /** By column of the answer, how the values of one group in two grains become one. */
  readonly merge: Readonly<Record<string, 'key' | 'sum' | 'min' | 'max' | 'any'>>;
}

/** A stored query and the settings it is served with. */
export interface Endpoint {
  /** A UUID in lower case. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Most rows that one answer holds. */
  readonly maxRows: number;
  /** How long an answer may be served from the cache; 0 means never cached. */
  readonly cacheTtlSeconds: number;
  /** How often the cache is refreshed ahead of requests; null for never. */
  readonly warmEverySeconds: number | null;
  /** Whether consumers may replace the final SELECT by their own. */
  readonly sandbox: boolean;
  /** Whether answers are always redacted. */
  readonly redactPii: boolean;
  /** What redaction replaces besides IP addresses. */
  readonly redactAlso: readonly RedactionKind[];
  /** Paths from a column of the CTEs to texts that redaction replaces as a whole, before any query can see them. */
  readonly redactPaths: readonly string[];
  /** Most bytes that one consumer's query may bill, where the warehouse bills them; null for what the service allows. */
  readonly consumerMaxBytesBilled: number | null;
  /** Most bytes that the stored query itself may bill; null for what the service allows. */
  readonly storedMaxBytesBilled: number | null;
  /** The declared parameter that says which project is read; null where all are. */
  readonly projectParameter: string | null;
  /** The declared TIMESTAMP parameters that bound the time of the sources from below and above; null for none. */
  readonly timeWindow: TimeWindowParameters | null;
  /** How far back from the present the sources reach, by the value of a parameter; null where nothing of it says so. */
  readonly lookback: Lookback | null;
  /** Null where every answer reads the whole time. */
  readonly sealedBuckets: SealedBuckets | null;
  readonly parameters: readonly ParameterSpec[];
  readonly sql: string;
}

/** The endpoints that are served. */
export interface EndpointRegistry {
  readonly all: readonly Endpoint[];
  /** By UUID without regard to case, or by exact name. */
  find(idOrName: string): Endpoint | undefined;
}
