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
