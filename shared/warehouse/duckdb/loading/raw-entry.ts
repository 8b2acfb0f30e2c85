/** The text of one entry with its place in the input, or why there is no text. */
export type RawEntry =
  | { readonly position: number; readonly text: string }
  | { readonly position: number; readonly problem: string };

/** Entries in their order, some hundreds at a time so that no promise is made for each. */
export type RawEntries = AsyncIterable<readonly RawEntry[]>;

/** No entry may be longer than this, in bytes. */
export const MAX_ENTRY_BYTES = 10 * 1024 * 1024;
