import type { Moment } from '../concurrency/clock.ts';
import type { CachedAnswer } from './answer.ts';

/** An answer and when it was computed, on the clock of this process. */
export interface DatedAnswer {
  readonly answer: CachedAnswer;
  /** Of `contentHashOf`, where it came along. */
  readonly contentHash?: string;
  readonly computedAt: Moment;
  readonly ttlSeconds: number;
}

/** What reading the shared level comes to. */
export type SharedReading =
  | (DatedAnswer & { readonly kind: 'answer' })
  /** There is none that may be used. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed' };

/** How to compute an answer that the shared level lacks. */
export interface ComputeRequest {
  /** How long the answer may be served, from when computing it began. */
  readonly ttlSeconds: number;
  /** Computes whatever others have. */
  readonly refresh: boolean;
  readonly signal: AbortSignal;
  compute(signal: AbortSignal): Promise<CachedAnswer>;
}

/** The answers that all instances share. Its own failures are logged and counted, and never thrown. */
export interface SharedLevel {
  /** The answer that is kept, whoever computed it; null where there is none that may still be served. */
  read(key: string): Promise<DatedAnswer | null>;
  /**
   * The answer that is kept or that another instance is computing just now, else one computed here, which is then
   * kept. Throws what `compute` throws, or the signal's reason.
   */
  obtain(key: string, request: ComputeRequest): Promise<DatedAnswer & { readonly isComputed: boolean }>;
  /** Resolves when no write is under way any more. */
  settle(): Promise<void>;
}

/** What the store has of a part of answers. */
export interface DatedPart {
  /** Null where it has none. */
  readonly dated: DatedAnswer | null;
  /** What its clock showed while it was asked, in milliseconds since the epoch. */
  readonly storeTimeMs: number;
}

/** The same of what answers are made of. Its own failures are logged and counted, and never thrown. */
export interface SharedParts {
  /** What is kept, with the store's time; null where the store fails. */
  look(key: string): Promise<DatedPart | null>;
  /** Keeps an answer in place of the one before, unless that was computed later; waits for it a moment only. */
  keep(key: string, dated: DatedAnswer & { readonly contentHash: string }): Promise<void>;
}
