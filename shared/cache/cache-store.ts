/** An answer from the future by more than this was dated wrongly: all dates are the store's own. */
export const MAX_FUTURE_MS = 1000;

/** An answer as a store keeps it. */
export interface StoredAnswer {
  /** Of `encodeAnswer`; a store does not look into them. */
  readonly bytes: Uint8Array;
  /** When computing the answer began, in milliseconds since the epoch on the store's own clock. */
  readonly computedAtMs: number;
  /** How long it may be served after that. */
  readonly ttlSeconds: number;
}

/** An answer that is to be kept. */
export interface NewAnswer extends Pick<StoredAnswer, 'bytes' | 'ttlSeconds'> {
  /** How long ago computing it began, in milliseconds: the store, whose clock dates answers, asks while it writes. */
  ageMs(): number;
}

/** What reading one key of a store found. */
export interface StoreReading {
  /** What the store's own clock showed while it was asked, in milliseconds since the epoch: instances' clocks disagree. */
  readonly storeTimeMs: number;
  /** Null where there is none, where it has expired, and where it is not whole. */
  readonly stored: StoredAnswer | null;
}

/** The right to compute one answer while others wait for it; it ends by itself. */
export interface Lease {
  /** Names it among all leases there have been. */
  readonly holder: string;
  /** Lets it last its whole time again from now on. Does nothing when it has been lost. */
  renew(): Promise<void>;
  /** Gives it back. Does nothing when it has been lost. */
  release(): Promise<void>;
}

/** What became of asking for a lease; null where somebody else has it. */
export interface LeaseReply {
  readonly lease: Lease | null;
}

/** What a store knows of the lease of one key. */
export interface LeaseReading {
  /** Who has the lease, as its `holder` says; null where it is free. */
  readonly holder: string | null;
}

/** Where all instances keep answers. Every method may fail with whatever the store's client throws. */
export interface CacheStore {
  read(key: string): Promise<StoreReading>;
  /**
   * Keeps an answer in place of the one before, unless that was computed later: whoever reads sees the one or the other,
   * whole, or none. Ends a lease of the key as well where it is still that holder's.
   */
  write(key: string, answer: NewAnswer, holder: string | null): Promise<void>;
  /** Takes the lease of a key for so many milliseconds, unless it is held. Of many who ask, one gets it. */
  acquire(key: string, durationMs: number): Promise<LeaseReply>;
  readLease(key: string): Promise<LeaseReading>;
}

/** The answer takes more bytes than the store keeps of one; the message has both numbers. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}
