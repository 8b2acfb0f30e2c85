import type { TableSchemas } from '../../../schema/table-schema.ts';
import { QueryCompiler } from '../compile-query.ts';
import { knownWith, type LiveSnapshot, type LoadedTables } from './live-view.ts';

export interface LiveCompiler {
  readonly tables: TableSchemas;
  readonly compiler: QueryCompiler;
}

/** The compiler for what is known of the tables: it changes with their columns, not with each entry that arrives. */
export class LiveCompilers {
  readonly #loaded: LoadedTables;
  #snapshot: LiveSnapshot | null = null;
  #key = '';
  #compiler: LiveCompiler;

  constructor(loaded: LoadedTables) {
    this.#loaded = loaded;
    this.#compiler = compilerOf(loaded);
  }

  of(snapshot: LiveSnapshot): LiveCompiler {
    if (snapshot === this.#snapshot) return this.#compiler;
    this.#snapshot = snapshot;
    const key = keyOf(snapshot);
    if (key === this.#key) return this.#compiler;
    this.#key = key;
    this.#compiler = compilerOf(knownWith(this.#loaded, snapshot));
    return this.#compiler;
  }
}

function compilerOf(known: LoadedTables): LiveCompiler {
  return { tables: known.tables, compiler: new QueryCompiler(known.tables, known) };
}

function keyOf({ tables }: LiveSnapshot): string {
  if (tables.size === 0) return '';
  return JSON.stringify([...tables].map(([source, { shape, hasRepeated }]) => [source, shape, hasRepeated]));
}
