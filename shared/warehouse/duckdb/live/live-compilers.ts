import type { TableSchemas } from '../../../schema/table-schema.ts';
import { QueryCompiler } from '../compile-query.ts';
import { knownWith, type LoadedTables, partsOf, recentOf } from './live-known.ts';
import type { LiveSnapshot } from './live-view.ts';

/** A compiler, and the tables for which it compiles. */
export interface LiveCompiler {
  readonly tables: TableSchemas;
  readonly compiler: QueryCompiler;
}

/**
 * The compiler for a snapshot. With the columns of the tables everything changes; where only the parts of the tables are others, queries
 * are translated anew and not analysed.
 */
export class LiveCompilers {
  readonly #loaded: LoadedTables;
  #snapshot: LiveSnapshot | null = null;
  #key = '';
  #known: LoadedTables;
  #compiler: LiveCompiler;

  constructor(loaded: LoadedTables) {
    this.#loaded = loaded;
    this.#known = loaded;
    this.#compiler = { tables: loaded.tables, compiler: new QueryCompiler(loaded.tables, loaded) };
  }

  of(snapshot: LiveSnapshot): LiveCompiler {
    if (snapshot === this.#snapshot) return this.#compiler;
    const key = keyOf(snapshot);
    if (key !== this.#key) {
      this.#key = key;
      this.#known = knownWith(this.#loaded, snapshot);
      const { tables } = this.#known;
      this.#compiler = { tables, compiler: new QueryCompiler(tables, this.#known) };
    }
    if (snapshot.tables.size > 0) {
      const { tables, compiler } = this.#compiler;
      const recent = recentOf(snapshot, this.#loaded.timeRanges);
      const known = { ...this.#known, parts: partsOf(snapshot), recent };
      this.#compiler = { tables, compiler: compiler.over(known) };
    }
    this.#snapshot = snapshot;
    return this.#compiler;
  }
}

function keyOf({ tables }: LiveSnapshot): string {
  if (tables.size === 0) return '';
  return JSON.stringify([...tables].map(([source, { shape, hasRepeated }]) => [source, shape, hasRepeated]));
}
