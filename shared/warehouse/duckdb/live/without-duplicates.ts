import type { KnownIds } from './known-ids.ts';
import type { IdHash } from './seen-ids.ts';

/** The entries of a batch whose ids no other entry has. */
export interface NewEntries {
  /** How many of the batch's entries are none of them. */
  readonly duplicates: number;
  /** Whether the entry at this place of the batch is one. */
  isTaken(place: number): boolean;
  /** Their ids. */
  readonly ids: ReadonlyMap<string, IdHash>;
  /** Resolves when the entries are durable that the others are duplicates of. */
  readonly others: Promise<unknown>;
}

/** Finds the entries of a batch, of which the ids are given, whose `id` is known, or stands in the batch before. */
export async function withoutDuplicates(
  known: KnownIds,
  source: string,
  ids: readonly (string | null)[],
): Promise<NewEntries> {
  const first = new Map<string, number>();
  let count = 0;
  for (const [place, id] of ids.entries()) {
    if (id === null) continue;
    count += 1;
    if (!first.has(id)) first.set(id, place);
  }
  if (count === 0) {
    return { duplicates: 0, isTaken: () => true, ids: new Map(), others: Promise.resolve() };
  }
  const { fresh, others } = await known.newIds(source, first.keys());
  const isTaken = (place: number) => {
    const id = ids[place] ?? null;
    return id === null || (first.get(id) === place && fresh.has(id));
  };
  return { duplicates: count - fresh.size, isTaken, ids: fresh, others };
}
