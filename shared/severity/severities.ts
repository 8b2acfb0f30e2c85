/** How serious an entry is, the most serious first. */
export const SEVERITIES = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
/** How serious a log entry is. */
export type Severity = (typeof SEVERITIES)[number];

/** What says how serious an entry is: a level by its name, or the status code of an answer over HTTP. */
export type SeverityKind = 'level' | 'status';

/** The names of levels in capitals: those of syslog (RFC 5424), of PostgreSQL, and of the usual logging libraries. */
export const LEVEL_NAMES: Readonly<Record<Severity, readonly string[]>> = {
  fatal: ['FATAL', 'PANIC', 'CRITICAL', 'CRIT', 'ALERT', 'EMERGENCY', 'EMERG'],
  error: ['ERROR', 'ERR', 'SEVERE'],
  warning: ['WARNING', 'WARN'],
  info: ['INFO', 'INFORMATION', 'INFORMATIONAL', 'NOTICE', 'LOG'],
  debug: ['DEBUG', 'DEBUG1', 'DEBUG2', 'DEBUG3', 'DEBUG4', 'DEBUG5', 'TRACE', 'VERBOSE', 'FINE'],
};

/** The status codes of HTTP (RFC 9110, section 15), the first and the last of each severity. */
export const STATUS_CODES: Readonly<Partial<Record<Severity, readonly [number, number]>>> = {
  error: [500, 599],
  warning: [400, 499],
  info: [100, 399],
};
