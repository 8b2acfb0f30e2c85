import { malformedEntry } from '../../../errors/refused-entry.ts';
import { type ColumnTree, startReading } from '../loading/column-tree.ts';
import { DirectWriter } from '../loading/direct-writer.ts';
import { type EntryWriter, entryWriter } from '../loading/entry-writer.ts';
import { type PackedRows, packRows } from '../loading/packed-columns.ts';
import type { WrittenEntry } from '../loading/record-writer.ts';
import { RowPacker } from '../loading/row-packer.ts';
import { shapeOf, type TableShape, treeOf } from './table-shape.ts';

/** Entries that are written at once, some 10 µs each; then other work has its turn: a query takes several. */
const ENTRIES_AT_ONCE = 64;

/** After so many entries that `DirectWriter` left to `EntryWriter`, less those that it wrote, it is not asked any more in a batch. */
const MOST_MISSES = 16;

/** A batch as it is stored. */
export interface PackedBatch {
  /** The shape that the entries are written in. */
  readonly shape: TableShape;
  readonly rows: PackedRows;
  /** Those of the entries that have a flat record twice; null for none. */
  readonly repeated: PackedRows | null;
  /** What tells each entry from others (`entryKey`), null where it has no id. */
  readonly keys: readonly (string | null)[];
}

/** What batches are packed in, one at a time. */
export interface Packers {
  readonly rows: RowPacker;
  readonly repeated: RowPacker;
}

/** Packers that share nothing with others. */
export function newPackers(): Packers {
  return { rows: new RowPacker(), repeated: new RowPacker() };
}

/** Packs the entries of one source in the form that they are stored in, and keeps the shape that they have by now. */
export class EntryTable {
  readonly source: string;
  readonly #packers: Packers;
  #shape: TableShape;
  #tree: ColumnTree;
  #writer: EntryWriter;
  #direct: DirectWriter;

  constructor(source: string, shape: TableShape, packers: Packers = newPackers()) {
    this.source = source;
    this.#packers = packers;
    this.#shape = shape;
    this.#tree = startedTree(shape);
    this.#writer = entryWriter(this.#tree, { unknownFields: 'add' });
    this.#direct = new DirectWriter(this.#tree, packers.rows);
  }

  get shape(): TableShape {
    return this.#shape;
  }

  /**
   * Packs a batch of one entry at least. One at a time. A malformed entry throws a ServiceError (invalid_argument) with its index
   * and field, and leaves the shape as it was.
   */
  async pack(texts: readonly string[]): Promise<PackedBatch> {
    const before = this.#shape;
    try {
      for (;;) {
        const { version } = this.#tree;
        const packed = await this.#packAll(texts);
        if (this.#tree.version === version) return { shape: this.#shape, ...packed };
        // A field is new: those before it have to be written with it as well, under the keys that the shape has.
        this.#use(shapeOf(this.#tree));
      }
    } catch (error) {
      this.#use(before);
      throw error;
    } finally {
      this.#clear();
    }
  }

  /** Takes back what a batch that was not stored has added. */
  #use(shape: TableShape): void {
    this.#shape = shape;
    this.#tree = startedTree(shape);
    this.#writer = entryWriter(this.#tree, { unknownFields: 'add' });
    this.#direct = new DirectWriter(this.#tree, this.#packers.rows);
  }

  #clear(): void {
    this.#packers.rows.clear();
    this.#packers.repeated.clear();
  }

  async #packAll(texts: readonly string[]): Promise<Omit<PackedBatch, 'shape'>> {
    const { rows, repeated } = this.#packers;
    this.#clear();
    const keys: (string | null)[] = [];
    let misses = 0;
    for (const [index, text] of texts.entries()) {
      if (index > 0 && index % ENTRIES_AT_ONCE === 0) await nextTurn();
      if (misses < MOST_MISSES && this.#direct.write(text)) {
        keys.push(this.#direct.key);
        misses -= 1;
        continue;
      }
      misses += 1;
      const entry = this.#write(text, index);
      if (entry.mayHaveSeparator) return this.#packAsJson(texts);
      rows.add(entry.row);
      if (entry.repeatedRow !== null) repeated.add(entry.repeatedRow);
      keys.push(entry.key);
    }
    return { rows: rows.finish(), repeated: repeated.count === 0 ? null : repeated.finish(), keys };
  }

  /** For texts that the plain form cannot have. Such batches are rare. */
  async #packAsJson(texts: readonly string[]): Promise<Omit<PackedBatch, 'shape'>> {
    const entries: WrittenEntry[] = [];
    for (const [index, text] of texts.entries()) {
      if (index > 0 && index % ENTRIES_AT_ONCE === 0) await nextTurn();
      entries.push(this.#write(text, index));
    }
    const repeated = entries.flatMap(({ repeatedRow }) => repeatedRow ?? []);
    return {
      rows: packRows(
        entries.map(({ row }) => row),
        'json',
      ),
      repeated: repeated.length === 0 ? null : packRows(repeated, 'json'),
      keys: entries.map(({ key }) => key),
    };
  }

  #write(text: string, index: number): WrittenEntry {
    const written = this.#writer.write(text);
    if ('reason' in written) throw malformedEntry(index, written.path, written.reason);
    return written;
  }
}

async function nextTurn(): Promise<void> {
  await new Promise(setImmediate);
}

function startedTree(shape: TableShape): ColumnTree {
  const tree = treeOf(shape);
  startReading(tree.root);
  return tree;
}
