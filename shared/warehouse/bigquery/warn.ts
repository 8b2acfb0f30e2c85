/** Tells the operator of something; the fields go into the log's line. */
export type Warn = (message: string, fields?: Readonly<Record<string, unknown>>) => void;
