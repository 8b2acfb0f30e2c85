import type { CachedAnswer } from '../../cache/answer.ts';
import type { CacheReply, CacheState } from '../../cache/result-cache.ts';
import type { TimeRange } from '../../time/time-range.ts';
import { boundText } from '../query/requested-range.ts';
import { type ColumnSchema, columnSchema } from './column-schema.ts';
import { ignoredParametersHeader } from './ignored-parameters.ts';

/** What describes an answer besides its result. */
export interface AnswerNotes {
  /** The range of time that was asked for; null where the endpoint has none. */
  readonly timeRange: TimeRange | null;
  readonly ignored: readonly string[];
  /** Sentences that explain an answer without rows. */
  readonly hints: readonly string[];
  /** The address of the next page; null where the rows end, or the rest is not stored. */
  readonly next: string | null;
  /** How long the caller may store the answer, its age counted; 0 for not at all. */
  readonly ttlSeconds: number;
}

/** The object that `meta=true` adds to the envelope. */
export interface AnswerMeta {
  readonly rowCount: number;
  readonly truncated: boolean;
  readonly cache: { readonly state: CacheState; readonly ageSeconds: number };
  /** What the query that gave these rows read and billed; a kept answer billed nothing again. */
  readonly bytesProcessed: number | null;
  readonly bytesBilled: number | null;
  /** The rows of tables that were read for them, where the embedded engine has counted. */
  readonly rowsScanned: number | null;
  /** ISO 8601 in UTC, as `X-Time-Window` has it; null for a side without a bound. */
  readonly timeWindow: { readonly start: string | null; readonly end: string | null } | null;
  readonly redactions: number | null;
  readonly requestId: string;
  readonly ignoredParameters: readonly string[];
  readonly hints: readonly string[];
  readonly next: string | null;
  readonly columns: readonly ColumnSchema[];
}

/** Describes an answer in JSON. */
export function metaOf(result: CacheReply, notes: AnswerNotes, requestId: string): AnswerMeta {
  const { answer } = result.entry;
  const { timeRange } = notes;
  return {
    rowCount: answer.rows.length,
    truncated: answer.truncated,
    cache: { state: result.state, ageSeconds: result.ageSeconds },
    bytesProcessed: answer.bytesProcessed,
    bytesBilled: answer.bytesBilled,
    rowsScanned: answer.rowsScanned ?? null,
    timeWindow: timeRange && {
      start: boundText(timeRange.after, null),
      end: boundText(timeRange.upTo, null),
    },
    redactions: redactionsOf(answer),
    requestId,
    ignoredParameters: notes.ignored,
    hints: notes.hints,
    next: notes.next,
    columns: answer.columns.map(columnSchema),
  };
}

/** Describes an answer in headers, names and values in turn. */
export function noteHeaders(result: CacheReply, notes: AnswerNotes): readonly string[] {
  const { entry, state, ageSeconds } = result;
  const { answer } = entry;
  const { timeRange, ignored, hints, next } = notes;
  const headers = ['X-Row-Count', String(answer.rows.length), 'X-Cache', state];
  if (state !== 'BYPASS') headers.push('Age', String(ageSeconds));
  if (answer.truncated) headers.push('X-Truncated', 'true');
  if (next !== null) headers.push('Link', `<${next}>; rel="next"`);
  if (answer.bytesProcessed !== null) headers.push('X-Bytes-Processed', String(answer.bytesProcessed));
  if (answer.bytesBilled !== null) headers.push('X-Bytes-Billed', String(answer.bytesBilled));
  if (answer.rowsScanned !== undefined) headers.push('X-Rows-Scanned', String(answer.rowsScanned));
  if (timeRange !== null) {
    headers.push('X-Time-Window', `${boundText(timeRange.after, '..')}/${boundText(timeRange.upTo, '..')}`);
  }
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
