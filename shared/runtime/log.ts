import { ServiceError } from '../errors/service-error.ts';
import type { LateUsage, RequestRecord } from '../http/http-deps.ts';
import { callerAddress } from '../http/request/caller-address.ts';
import { formatJson, formatPretty, type LogEntry } from './log-formats.ts';
import { describeError, loggable } from './loggable.ts';
import { traceOf } from './request-id.ts';

/** How serious a line of the service's log is, the least serious first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Longer text of a caller's is cut, so that a line stays within what Cloud Logging takes. */
const MAX_HEADER_TEXT = 512;
const MAX_PATH = 2048;

/** A structured log: one line an entry. No method throws. */
export interface Logger {
  /** For people who look into one request; the only level that shows the text of a refused parameter. */
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** `error` is written with its chain of causes. */
  error(message: string, error: unknown, fields?: Readonly<Record<string, unknown>>): void;
  /** The one line of a request: `error` level where the service failed, `warn` where it refused, else `info`. */
  request(record: RequestRecord): void;
  /** What a query took that was counted after the line of its request, in a line that no count of requests takes for one. */
  lateUsage(record: LateUsage): void;
}

export interface LoggerOptions {
  readonly format: 'json' | 'pretty';
  /** Less severe lines are not written. */
  readonly level: LogLevel;
  /** Takes a line with its newline. */
  write(line: string): void;
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** The Google Cloud project, which makes traces links in Cloud Logging. */
  readonly projectId?: string;
  /** Of `callerAddress`; 0 where nothing is said. */
  readonly callerPosition?: number;
}

/** Makes the log. Text from outside can neither end a line nor reach the terminal as an escape sequence. */
export function makeLogger(options: LoggerOptions): Logger {
  const format = options.format === 'json' ? formatJson : formatPretty;
  const isShown = (level: LogLevel) => RANK[level] >= RANK[options.level];
  const log = (level: LogLevel, entry: Omit<LogEntry, 'level' | 'timeMs'>) => {
    if (isShown(level)) options.write(`${format({ ...entry, level, timeMs: options.nowMs() })}\n`);
  };
  const plain =
    (level: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
      log(level, { message, fields: loggable(fields) as Record<string, unknown> });
  return {
    debug: plain('debug'),
    info: plain('info'),
    warn: plain('warn'),
    error: (message, error, fields = {}) =>
      log('error', { message, fields: { ...(loggable(fields) as object), error: describeError(error) } }),
    request: (record) => log(levelOf(record.status), requestEntry(record, options, isShown('debug'))),
    lateUsage: ({ requestId, notes }) =>
      log('info', { message: 'A query was counted after its answer', fields: { requestId, ...notes } }),
  };
}

function levelOf(status: number): LogLevel {
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
}

function requestEntry(
  record: RequestRecord,
  { projectId, callerPosition = 0 }: Pick<LoggerOptions, 'projectId' | 'callerPosition'>,
  withRefusals: boolean,
): Omit<LogEntry, 'level' | 'timeMs'> {
  // Whoever calls, what follows a question mark is parameters, and those are never logged.
  const path = record.path.replace(/[?#].*$/s, '').slice(0, MAX_PATH);
  const trace = traceOf(record.headers);
  const remoteIp = callerAddress(record.headers, record.remoteAddress, callerPosition);
  const userAgent = record.headers['user-agent']?.slice(0, MAX_HEADER_TEXT);
  return {
    message: `${record.method} ${path} ${record.status}`,
    httpRequest: {
      requestMethod: record.method,
      requestUrl: path,
      status: record.status,
      latency: `${(record.latencyMs / 1000).toFixed(3)}s`,
      responseSize: String(record.responseBytes),
      protocol: record.protocol,
      ...(userAgent === undefined ? {} : { userAgent }),
      ...(remoteIp === undefined ? {} : { remoteIp }),
    },
    ...(trace === null ? {} : { trace: { ...trace, projectId } }),
    fields: {
      requestId: record.requestId,
      // The notes are this service's own words; a token in them is the id of one.
      ...record.notes,
      timing: record.timing,
      ...(record.error === undefined
        ? {}
        : { error: describeOutcome(record.error, record.status, withRefusals) }),
    },
  };
}

/** A refusal's message may repeat the text of a parameter; its kind and the parameter's name never do. */
function describeOutcome(error: Error, status: number, withRefusals: boolean): unknown {
  if (status >= 500 || withRefusals) return describeError(error);
  if (!(error instanceof ServiceError)) return { kind: 'internal' };
  const parameters = error.details.flatMap((detail) => detail.parameter ?? []);
  return { kind: error.kind, ...(parameters.length === 0 ? {} : { parameters }) };
}
