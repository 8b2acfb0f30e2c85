/** Longest text that REPEAT, LPAD and RPAD make, as in BigQuery, in bytes. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** Longest text that is put together of others, in bytes. */
export const MAX_JOINED_BYTES = 16 * 1024 * 1024;

/** Longest array that a function makes. */
export const MAX_ELEMENTS = 1_000_000;

/** Longest text or array that is taken to pieces of which each is worked on by itself: bytes of text, or elements. */
export const MAX_SPLIT_SIZE = 512 * 1024;

/** Smaller values than this are made while a query is planned, where they may decide what is read. */
export const MAX_FOLDED_SIZE = 10_000;

/** What a function says, after its name, of JSON that it would take apart. */
export const LONG_JSON = `takes arrays and objects of at most ${MAX_SPLIT_SIZE} bytes of JSON`;

/** Longest format, and longest text that is read by one, in characters. */
export const MAX_FORMAT_LENGTH = 10_000;
