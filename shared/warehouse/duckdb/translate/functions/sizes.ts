/** Longest text that REPEAT, LPAD and RPAD make, as in BigQuery, in bytes. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** Longest text that is put together of others, in bytes. */
export const MAX_JOINED_BYTES = 16 * 1024 * 1024;

/** Longest array that a function makes. */
export const MAX_ELEMENTS = 1_000_000;

/** Smaller values than this are made while a query is planned, where they may decide what is read. */
export const MAX_FOLDED_SIZE = 10_000;
