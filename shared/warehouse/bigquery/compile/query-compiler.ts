import { ByteLru } from '../../../lru/byte-lru.ts';
import { textKey } from '../../query-text.ts';
import type { QueryText } from '../../warehouse.ts';
import { rowLimitOf } from '../paging/row-limit.ts';
import { type CompiledQuery, compileQuery } from './compile-query.ts';
import type { SourcePlaces } from './stored-tables.ts';

/** Most bytes that the kept queries may take. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Compiles queries and keeps those used last, as the same few run again and again. */
export class QueryCompiler {
  readonly #places: SourcePlaces;
  readonly #kept = new ByteLru<CompiledQuery>(MAX_KEPT_BYTES);

  constructor(places: SourcePlaces) {
    this.#places = places;
  }

  /** Compiles a query whose answers have `maxRows` rows. Throws as `compileQuery` does. */
  prepare(text: QueryText, maxRows: number): CompiledQuery {
    const key = `${maxRows} ${textKey(text)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const compiled = compileQuery(text, this.#places, rowLimitOf(maxRows) + 1);
    this.#kept.set(key, compiled, { size: 2 * (key.length + compiled.sql.length) });
    return compiled;
  }
}
