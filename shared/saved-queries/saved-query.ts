/** A query that an operator put into the folder of saved queries, for all who use the explorer. */
export interface SavedQuery {
  /** The file's name without its extension. */
  readonly name: string;
  readonly language: 'sql' | 'lql';
  /** The file's text without its header. */
  readonly query: string;
  /** Empty for none. */
  readonly description: string;
  /** The endpoint whose sources it reads. */
  readonly endpoint: string;
  /** The window that it is about; null for the one that the reader has chosen. */
  readonly window: SavedWindow | null;
}

/** A window as the explorer's address has it: the last so many, all time, or from one instant to another in ISO 8601. */
export type SavedWindow = { readonly last: string } | { readonly from: string; readonly to: string };

/** What a folder of saved queries may hold. */
export const SAVED_LIMITS = {
  files: 200,
  fileBytes: 65_536,
  totalBytes: 2_097_152,
  nameCharacters: 80,
  descriptionCharacters: 300,
} as const;
