import type { CachedAnswer } from '../cache/answer.ts';
import type { CacheState } from '../cache/result-cache.ts';
import { type ColumnSchema, columnSchema } from './column-schema.ts';
import { ignoredParametersHeader } from './ignored-parameters.ts';
import type { TimeWindow } from './time-window.ts';

/** What is known of an answer besides its rows. */
export interface AnswerFacts {
  readonly answer: CachedAnswer;
  readonly cache: { readonly state: CacheState; readonly ageSeconds: number };
  readonly requestId: string;
  /** The range of time that was asked for; null where the endpoint has none. */
  readonly window: TimeWindow | null;
  readonly ignored: readonly string[];
  /** Sentences for who wonders at the answer. */
  readonly hints: readonly string[];
  /** Where the rows go on; null where they end, or nothing keeps the rest. */
  readonly next: string | null;
}

/** The object that `meta=true` adds to the envelope. */
export interface AnswerMeta {
  readonly rowCount: number;
  readonly truncated: boolean;
  readonly cache: { readonly state: CacheState; readonly ageSeconds: number };
  /** What the query that gave these rows read and billed; a kept answer billed nothing again. */
  readonly bytesProcessed: number | null;
  readonly bytesBilled: number | null;
  readonly timeWindow: TimeWindow | null;
  readonly redactions: number | null;
  readonly requestId: string;
  readonly ignoredParameters: readonly string[];
  readonly hints: readonly string[];
  readonly next: string | null;
  readonly columns: readonly ColumnSchema[];
}

/** The facts for a reader of JSON. */
export function metaOf(facts: AnswerFacts): AnswerMeta {
  const { answer, cache, window, requestId, ignored, hints, next } = facts;
  return {
    rowCount: answer.rows.length,
    truncated: answer.truncated,
    cache,
    bytesProcessed: answer.bytesProcessed,
    bytesBilled: answer.bytesBilled,
    timeWindow: window,
    redactions: redactionsOf(answer),
    requestId,
    ignoredParameters: ignored,
    hints,
    next,
    columns: answer.columns.map(columnSchema),
  };
}

/** The facts for a reader of headers, names and values in turn. */
export function factHeaders(facts: AnswerFacts): readonly string[] {
  const { answer, cache, window, ignored, hints, next } = facts;
  const headers = ['X-Row-Count', String(answer.rows.length), 'X-Cache', cache.state];
  if (cache.state !== 'BYPASS') headers.push('Age', String(cache.ageSeconds));
  if (answer.truncated) headers.push('X-Truncated', 'true');
  if (next !== null) headers.push('Link', `<${next}>; rel="next"`);
  if (answer.bytesProcessed !== null) headers.push('X-Bytes-Processed', String(answer.bytesProcessed));
  if (answer.bytesBilled !== null) headers.push('X-Bytes-Billed', String(answer.bytesBilled));
  if (window !== null) headers.push('X-Time-Window', `${window.start ?? '..'}/${window.end ?? '..'}`);
  const redactions = redactionsOf(answer);
  if (redactions !== null) headers.push('X-Redactions', String(redactions));
  if (ignored.length > 0) headers.push('X-Ignored-Parameters', ignoredParametersHeader(ignored));
  for (const hint of hints) headers.push('X-Hint', hint);
  return headers;
}

/** How many places were redacted; null where redaction was off. */
function redactionsOf({ facts }: CachedAnswer): number | null {
  return typeof facts.redactions === 'number' ? facts.redactions : null;
}
