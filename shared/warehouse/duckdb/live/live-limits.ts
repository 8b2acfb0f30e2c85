import type { MergeLimits } from './merge-policy.ts';

/** When entries that arrived are moved on to segments, and when segments are merged. Sizes are in bytes. */
export interface LiveLimits extends MergeLimits {
  /** A file of records becomes a segment from so many entries or bytes on. */
  readonly sealEntries: number;
  readonly sealBytes: number;
  /** With so many files that wait for that, appends are refused. */
  readonly mostWaiting: number;
}

export const LIVE_LIMITS: LiveLimits = {
  sealEntries: 16_384,
  sealBytes: 32 * 1024 * 1024,
  mostWaiting: 8,
  mergeCount: 4,
  mergeRows: 4_000_000,
};
