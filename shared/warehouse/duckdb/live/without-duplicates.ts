import type { KnownKeys } from './known-keys.ts';
import type { KeyHash } from './seen-keys.ts';

/** The entries of a batch that are there for the first time. */
export interface NewEntries {
  /** How many of the batch's entries are none of them. */
  readonly duplicates: number;
  /** Whether the entry at this place of the batch is one. */
  isTaken(place: number): boolean;
  /** Their keys. */
  readonly keys: ReadonlyMap<string, KeyHash>;
  /** Resolves when the entries are durable that the others are duplicates of. */
  readonly others: Promise<unknown>;
}

/** Finds the entries of a batch, of which the keys are given, whose key is known, or stands in the batch before. */
export async function withoutDuplicates(
  known: KnownKeys,
  source: string,
  keys: readonly (string | null)[],
): Promise<NewEntries> {
  const first = new Map<string, number>();
  let count = 0;
  for (const [place, key] of keys.entries()) {
    if (key === null) continue;
    count += 1;
    if (!first.has(key)) first.set(key, place);
  }
  if (count === 0) {
    return { duplicates: 0, isTaken: () => true, keys: new Map(), others: Promise.resolve() };
  }
  const { fresh, others } = await known.newKeys(source, first.keys());
  const isTaken = (place: number) => {
    const key = keys[place] ?? null;
    return key === null || (first.get(key) === place && fresh.has(key));
  };
  return { duplicates: count - fresh.size, isTaken, keys: fresh, others };
}
