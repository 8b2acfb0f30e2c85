/** Where entries of logs go that arrive while the service runs. */
export interface LogSink {
  /**
   * Stores a batch of one source's entries. Each is the JSON text of an object in the form that log files have: `timestamp`
   * in ISO 8601 or whole microseconds, unknown fields become columns. Resolves when the entries are durable; from then on every
   * new query sees them. An entry whose `id` is stored already, or stands twice in the batch, is taken once.
   *
   * Takes all or nothing. Throws a ServiceError: `invalid_argument` for a source that does not exist and for a malformed entry,
   * whose index and field are in the error's details; `resource_exhausted` with Retry-After while too many entries
   * wait to be stored; `unavailable` where they cannot be stored, for example because the disk is full.
   */
  append(source: string, entries: readonly string[]): Promise<AppendResult>;
}

/** What became of a batch. */
export interface AppendResult {
  /** Entries that were stored. */
  readonly taken: number;
  /** Entries that were left out, because an entry of the same `id` had been taken before. */
  readonly duplicates: number;
}
