/** Documents that something reads, writes and deletes in Firestore. */
export interface FirestoreOperations {
  readonly reads: number;
  readonly writes: number;
  readonly deletes: number;
}

/**
 * What the service does in Firestore, by event. A test counts them while the real parts run. Answers beyond 1,000 KiB
 * compressed take more documents.
 */
export const FIRESTORE_OPERATIONS = {
  /** A token that an instance has not looked up in the last minute. */
  tokenLookup: { reads: 1, writes: 0, deletes: 0 },
  /** An answer that another instance has written. */
  sharedHit: { reads: 1, writes: 0, deletes: 0 },
  /** A look for an answer, its lease, one more look, the query; then one transaction that reads both documents before it writes. */
  miss: { reads: 4, writes: 2, deletes: 1 },
  /** The same without the two looks. */
  refresh: { reads: 2, writes: 2, deletes: 1 },
  /** An hour that is over, looked for and kept: a write without a lease. */
  sealedHour: { reads: 2, writes: 1, deletes: 0 },
  /** A round of warming: its lock, and a look at Firestore's clock. It reads a document for each set besides. */
  round: { reads: 1, writes: 1, deletes: 1 },
  /** A note that a set was asked for which was noted before. A new one reads the sets of its token. */
  demandNote: { reads: 0, writes: 1, deletes: 0 },
  /** A set that was refreshed goes to the end of the line. */
  served: { reads: 0, writes: 1, deletes: 0 },
} as const satisfies Record<string, FirestoreOperations>;
