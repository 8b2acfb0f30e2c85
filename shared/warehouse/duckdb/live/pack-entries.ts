import { joinPlainRows, type PackedRows, packRows, type WrittenRow } from '../loading/packed-columns.ts';
import type { WrittenEntry } from '../loading/record-writer.ts';
import type { EntryBatch } from './entry-records.ts';

/** Rows that are packed at once, some 6 µs each; then other work has its turn. */
const ROWS_AT_ONCE = 256;

/** Packs the entries of a batch, of which there is one at least. */
export async function packEntries(
  entries: readonly WrittenEntry[],
): Promise<Pick<EntryBatch, 'rows' | 'repeated'>> {
  const isPlain = !entries.some(({ mayHaveSeparator }) => mayHaveSeparator);
  const repeated = entries.flatMap(({ repeatedRow }) => repeatedRow ?? []);
  const rows = entries.map(({ row }) => row);
  return {
    rows: await packAll(rows, isPlain),
    repeated: repeated.length === 0 ? null : await packAll(repeated, isPlain),
  };
}

async function packAll(rows: readonly WrittenRow[], isPlain: boolean): Promise<PackedRows> {
  // Such batches are rare, and the arrays of JSON cannot be joined.
  if (!isPlain) return packRows(rows, 'json');
  const packed: PackedRows[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    if (from > 0) await new Promise(setImmediate);
    packed.push(packRows(rows.slice(from, from + ROWS_AT_ONCE), 'plain'));
  }
  return joinPlainRows(packed);
}
