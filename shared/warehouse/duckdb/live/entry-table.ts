import { malformedEntry } from '../../../errors/refused-entry.ts';
import { type ColumnTree, startReading } from '../loading/column-tree.ts';
import { type EntryWriter, entryWriter } from '../loading/entry-writer.ts';
import type { WrittenEntry } from '../loading/record-writer.ts';
import { shapeOf, type TableShape, treeOf } from './table-shape.ts';

/** Entries that are written at once, some 30 µs each; then other work has its turn: a query takes several. */
const ENTRIES_AT_ONCE = 32;

/** A batch as it is stored. */
export interface WrittenBatch {
  /** The shape that the entries are written in. */
  readonly shape: TableShape;
  readonly entries: readonly WrittenEntry[];
}

/** Writes the entries of one source in the form that they are stored in, and keeps the shape that they have by now. */
export class EntryTable {
  readonly source: string;
  #shape: TableShape;
  #tree: ColumnTree;
  #writer: EntryWriter;

  constructor(source: string, shape: TableShape) {
    this.source = source;
    this.#shape = shape;
    this.#tree = startedTree(shape);
    this.#writer = entryWriter(this.#tree, { unknownFields: 'add' });
  }

  get shape(): TableShape {
    return this.#shape;
  }

  /**
   * Writes a batch. One at a time. A malformed entry throws a ServiceError (invalid_argument) with its index and field, and
   * leaves the shape as it was.
   */
  async write(texts: readonly string[]): Promise<WrittenBatch> {
    const before = this.#shape;
    try {
      for (;;) {
        const { version } = this.#tree;
        const entries = await this.#writeAll(texts);
        if (this.#tree.version === version) return { shape: this.#shape, entries };
        // A field is new: those before it have to be written with it as well, under the keys that the shape has.
        this.#use(shapeOf(this.#tree));
      }
    } catch (error) {
      this.#use(before);
      throw error;
    }
  }

  /** Takes back what a batch that was not stored has added. */
  #use(shape: TableShape): void {
    this.#shape = shape;
    this.#tree = startedTree(shape);
    this.#writer = entryWriter(this.#tree, { unknownFields: 'add' });
  }

  async #writeAll(texts: readonly string[]): Promise<readonly WrittenEntry[]> {
    const entries: WrittenEntry[] = [];
    for (const [index, text] of texts.entries()) {
      if (index > 0 && index % ENTRIES_AT_ONCE === 0) await new Promise(setImmediate);
      const written = this.#writer.write(text);
      if ('reason' in written) throw malformedEntry(index, written.path, written.reason);
      entries.push(written);
    }
    return entries;
  }
}

function startedTree(shape: TableShape): ColumnTree {
  const tree = treeOf(shape);
  startReading(tree.root);
  return tree;
}
