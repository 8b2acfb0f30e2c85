/**
 * Reports to the operator a failure that stopped nothing; the fields go into the log's line, an `error` with its causes.
 * Never throws.
 */
export type Warn = (message: string, fields?: Readonly<Record<string, unknown>>) => void;
