import { escapeUnprintable } from './printable.ts';
import type { RequestTrace } from './request-id.ts';

/** What one line says. Every value in `fields` is JSON. */
export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly timeMs: number;
  readonly message: string;
  /** As Cloud Logging's HttpRequest has it. */
  readonly httpRequest?: Readonly<Record<string, string | number>>;
  readonly trace?: RequestTrace & { readonly projectId: string | undefined };
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Names that Cloud Logging gives a meaning to; a field of that name would forge it. */
const RESERVED = new Set(['severity', 'message', 'time', 'httpRequest']);
const SEVERITY = { debug: 'DEBUG', info: 'INFO', warn: 'WARNING', error: 'ERROR' } as const;

/** Characters that JSON leaves as they are but that a terminal or a line reader may act on. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** One line of JSON with the special fields of https://cloud.google.com/logging/docs/structured-logging. */
export function formatJson({ level, timeMs, message, httpRequest, trace, fields }: LogEntry): string {
  const own = Object.entries(fields).filter(
    ([key]) => !RESERVED.has(key) && !key.startsWith('logging.googleapis.com/'),
  );
  const text = JSON.stringify({
    severity: SEVERITY[level],
    message,
    time: isoTime(timeMs),
    httpRequest,
    ...(trace === undefined ? {} : traceFields(trace)),
    ...Object.fromEntries(own),
  });
  return text.replaceAll(UNESCAPED, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One line for a person: time, level, message, latency and size of a request, fields as `name=value`. */
export function formatPretty({ level, timeMs, message, httpRequest, fields }: LogEntry): string {
  const request = httpRequest === undefined ? [] : [httpRequest.latency, `${httpRequest.responseSize} B`];
  const error = fields.error as { kind?: string; message?: string; causes?: readonly string[] } | undefined;
  const plain = Object.entries(fields).filter(
    ([key, value]) => key !== 'error' && value !== undefined && value !== '',
  );
  const parts = [
    isoTime(timeMs).slice(11, 23),
    SEVERITY[level].padEnd(7),
    message,
    ...request,
    ...plain.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ...(error === undefined ? [] : [prettyError(error)]),
  ];
  return escapeUnprintable(parts.join(' '));
}

function prettyError(error: { kind?: string; message?: string; causes?: readonly string[] }): string {
  const { kind = 'error', message, causes = [] } = error;
  if (message === undefined) return JSON.stringify(error);
  return [`${kind}: ${message}`, ...causes].join(' <- ');
}

function traceFields({ traceId, spanId, isSampled, projectId }: NonNullable<LogEntry['trace']>): object {
  return {
    'logging.googleapis.com/trace':
      projectId === undefined ? traceId : `projects/${projectId}/traces/${traceId}`,
    ...(spanId === null ? {} : { 'logging.googleapis.com/spanId': spanId }),
    'logging.googleapis.com/trace_sampled': isSampled,
  };
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
