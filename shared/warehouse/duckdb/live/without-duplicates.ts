import type { WrittenEntry } from '../loading/record-writer.ts';
import type { KnownIds } from './known-ids.ts';

/** The entries of a batch whose ids no other entry has. */
export interface NewEntries {
  readonly taken: readonly WrittenEntry[];
  readonly ids: ReadonlySet<string>;
  /** Resolves when the entries are durable that the others are duplicates of. */
  readonly others: Promise<unknown>;
}

/** Leaves out entries whose `id` is known, or stands in the batch before. */
export async function withoutDuplicates(
  known: KnownIds,
  source: string,
  entries: readonly WrittenEntry[],
): Promise<NewEntries> {
  const first = new Map<string, WrittenEntry>();
  for (const entry of entries) {
    const { id } = entry;
    if (id !== null && !first.has(id)) first.set(id, entry);
  }
  if (first.size === 0) return { taken: entries, ids: new Set(), others: Promise.resolve() };
  const { fresh, others } = await known.newIds(source, new Set(first.keys()));
  const isTaken = (entry: WrittenEntry) =>
    entry.id === null || (first.get(entry.id) === entry && fresh.has(entry.id));
  return { taken: entries.filter(isTaken), ids: fresh, others };
}
