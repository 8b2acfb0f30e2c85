import { ByteLru } from '../../../lru/byte-lru.ts';
import { textKey } from '../../query-text.ts';
import type { QueryText } from '../../warehouse.ts';
import { type CompiledQuery, compileQuery } from './compile-query.ts';
import type { SourcePlaces } from './stored-tables.ts';

/** Most bytes that the kept queries may take. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** Bytes for each character of a query: those of its text and of its tree, which is kept without the CTEs. */
const QUERY_BYTES = 40;

/** Compiles queries and keeps those used last, as the same few run again and again. */
export class QueryCompiler {
  readonly #places: SourcePlaces;
  readonly #kept = new ByteLru<CompiledQuery>(MAX_KEPT_BYTES);

  constructor(places: SourcePlaces) {
    this.#places = places;
  }

  /** Compiles a query once, for any number of rows. Throws as `compileQuery` does. */
  prepare(text: QueryText): CompiledQuery {
    const key = textKey(text);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const compiled = compileQuery(text, this.#places);
    this.#kept.set(key, compiled, { size: QUERY_BYTES * key.length });
    return compiled;
  }
}
