/** A query over partitions that bills more than it may. */
export interface TooLarge {
  /** How many partitions it reads; null where it is unknown. */
  readonly partitions: number | null;
  /** What it would bill, and what it may, in bytes. */
  readonly billed: number;
  readonly cap: number;
}

/** How the search may ask. */
export interface Estimates {
  /** What the newest so many partitions would bill, in bytes; null where that cannot be known. */
  readonly estimate: (partitions: number) => Promise<number | null>;
  /** How often it is asked at most. */
  readonly most: number;
  /** The partitions to ask about first where it is unknown how many there are. */
  readonly first: number;
}

/** How many of the newest partitions fit. */
export interface FittingPartitions {
  readonly partitions: number;
  /** Whether an estimate says so; else it follows from the size of the whole, as if all partitions were of one size. */
  readonly isVerified: boolean;
}

/** Most partitions of a table in BigQuery. */
const MOST_PARTITIONS = 10_000;

/**
 * The most of the newest partitions that bill no more than the cap, by a few estimates: each next one lies where the line
 * between what is known to fit and what is not crosses the cap, so that the first is right where partitions are of one
 * size; the last asks about a single partition when nothing fits before. Null where not one partition fits, and undefined
 * where it is unknown.
 */
export async function mostPartitions(
  { partitions, billed, cap }: TooLarge,
  { estimate, most, first }: Estimates,
): Promise<FittingPartitions | null | undefined> {
  let fits = { partitions: 0, billed: 0 };
  let exceeds = {
    partitions: partitions ?? MOST_PARTITIONS + 1,
    billed: partitions === null ? null : billed,
  };
  for (let tries = 1; tries <= most && exceeds.partitions - fits.partitions > 1; tries++) {
    const guess = guessBetween(fits, exceeds, cap, first);
    // Nearly at the cap already: one partition more would go beyond it.
    if (guess === fits.partitions) break;
    const isLastChance = tries === most && fits.partitions === 0;
    const count = isLastChance ? 1 : Math.min(Math.max(guess, fits.partitions + 1), exceeds.partitions - 1);
    const needed = await estimate(count);
    if (needed === null) break;
    // Where nothing lies, an estimate says nothing of where the bytes are.
    if (needed === 0) return undefined;
    if (needed <= cap) fits = { partitions: count, billed: needed };
    else exceeds = { partitions: count, billed: needed };
  }
  if (fits.partitions > 0) return { partitions: fits.partitions, isVerified: true };
  if (exceeds.partitions === 1) return null;
  const share = exceeds.billed === null ? 0 : Math.floor((exceeds.partitions * cap) / exceeds.billed);
  return share > 0 ? { partitions: share, isVerified: false } : undefined;
}

/**
 * Where the line between two known sizes crosses the cap, rounded down; where that is no further than what fits, as far as
 * partitions of the size of those would go.
 */
function guessBetween(
  fits: { readonly partitions: number; readonly billed: number },
  exceeds: { readonly partitions: number; readonly billed: number | null },
  cap: number,
  first: number,
): number {
  if (exceeds.billed !== null) {
    const room = (cap - fits.billed) * (exceeds.partitions - fits.partitions);
    const more = Math.floor(room / (exceeds.billed - fits.billed));
    if (more > 0) return fits.partitions + more;
  }
  if (fits.partitions === 0) return exceeds.billed === null ? first : 1;
  return Math.floor((fits.partitions * cap) / fits.billed);
}
